package pipeline

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"spool/internal/preview"
	"spool/pkg/format"
)

// station is one stage of a line, with what it is started with.
type station struct {
	name string
	path string
	args []string
	env  []string
	slot **child
}

// flow starts the stages of s. What cannot be started is lost; the command
// must not notice.
func (r *run) flow(s *stream) {
	r.flowing = true
	r.signals.attend()
	r.watch.remove(s.in)
	s.phase = flowing
	r.beginCapture()
	if err := r.startLine(s); err != nil {
		r.lose(s, err.Error())
		for _, c := range []*child{s.redact, s.tee, s.preview} {
			c.signal(syscall.SIGKILL)
		}
		if s.redact == nil {
			r.drain(s)
		}
	}
	r.watchStalls(s)
	r.checkEnded(s)
}

// startLine connects the stages of s by pipes and starts them.
func (r *run) startLine(s *stream) error {
	stations := r.stations(s)
	in := s.in // stdin of the next stage
	for i, st := range stations {
		out, next, err := r.outlet(s, i == len(stations)-1)
		if err == nil {
			err = r.startStage(s, st, in, out)
		}
		if in != s.in {
			closeFD(&in)
		}
		if out != r.null && out != int(r.o.Stdout.Fd()) && out != int(r.o.Stderr.Fd()) {
			closeFD(&out)
		}
		if err != nil {
			closeFD(&next)
			return err
		}
		in = next
	}
	switch {
	case in < 0:
	case r.o.Live:
		shown := preview.NewPassage(r.sink(s))
		r.carry(s, in, shown, shown.Close)
	default:
		s.window = preview.NewWindow(r.windowSize())
		r.carry(s, in, s.window, func() error { return nil })
	}
	return nil
}

// stations returns the stages that s needs.
func (r *run) stations(s *stream) []station {
	args := append(r.store.stageArgs(s.name), r.o.StageArgs.Redact...)
	if r.o.Audit != "" {
		args = append(args, "--audit="+r.o.Audit+"."+s.name)
	}
	list := []station{{name: redactName, path: r.o.Stages.Redact, env: r.o.Env, args: args, slot: &s.redact}}
	if r.store.capture == nil {
		return list
	}
	tee := station{
		name: teeName, path: r.o.Stages.Tee, env: r.plainEnv(),
		args: append(r.store.stageArgs(s.name), r.o.StageArgs.Tee...), slot: &s.tee,
	}
	if r.o.Live {
		return append(list, tee)
	}
	// What tee keeps need not cross a pipe: preview reads its ends from the file.
	const rest = "--forward=rest"
	tee.args = append(tee.args, rest)
	return append(list, tee, station{
		name: previewName, path: r.o.Stages.Preview, env: r.plainEnv(),
		args: append(r.store.stageArgs(s.name), append(r.o.StageArgs.Preview, rest)...), slot: &s.preview,
	})
}

// outlet returns where a stage writes, and the read end of it, -1 for none.
func (r *run) outlet(s *stream, last bool) (out, next int, err error) {
	switch {
	case last && r.o.Live && !preview.IsTerminal(r.sink(s)):
		return int(r.sink(s).Fd()), -1, nil
	case last && !r.o.Live && r.store.capture != nil:
		return r.null, -1, nil
	}
	next, out, err = pipe()
	if err != nil {
		return r.null, -1, fmt.Errorf("make a pipe: %w", err)
	}
	return out, next, nil
}

// sink is where s is shown.
func (r *run) sink(s *stream) *os.File {
	if s.name == format.Stderr {
		return r.o.Stderr
	}
	return r.o.Stdout
}

// startStage starts one stage with the capture's lock as an extra descriptor,
// so that a capture with a living stage never looks orphaned. What it has to
// say is in its report; two of them would say it twice.
func (r *run) startStage(s *stream, st station, in, out int) error {
	files := []uintptr{uintptr(in), uintptr(out), uintptr(r.null)}
	if lock := r.store.lockFD(); lock >= 0 {
		files = append(files, uintptr(lock))
	}
	argv := append([]string{st.name}, st.args...)
	if st.name == redactName && r.o.Secrets != nil {
		secrets, err := r.feed(r.o.Secrets)
		if err != nil {
			return err
		}
		defer closeFD(&secrets)
		argv = append(argv, "--secrets-fd", strconv.Itoa(len(files)))
		files = append(files, uintptr(secrets))
	}
	attr := &syscall.ProcAttr{Env: st.env, Files: files, Sys: &syscall.SysProcAttr{Setpgid: true}}
	c, err := r.kids.start(st.name, st.path, argv, attr, func(c *child) { r.stageChanged(s, c) })
	if err != nil {
		return fmt.Errorf("start %s: %w", st.name, err)
	}
	*st.slot = c
	r.spare[c.pid] = true
	return nil
}

// plainEnv returns the environment of a stage that needs no secret: what is
// the tools' own and the Go runtime's.
func (r *run) plainEnv() []string {
	var env []string
	for _, e := range r.o.Env {
		for _, prefix := range []string{"SPOOL_", "GO", "PATH=", "HOME=", "LANG=", "LC_", "TZ=", "NO_COLOR="} {
			if strings.HasPrefix(e, prefix) {
				env = append(env, e)
				break
			}
		}
	}
	return env
}

// carry hands on what comes out of fd, which it closes, to a writer here, until
// that takes no more; done comes last.
func (r *run) carry(s *stream, fd int, to io.Writer, done func() error) {
	s.collecting = true
	go func() {
		buf := make([]byte, 64<<10)
		for {
			n, err := unix.Read(fd, buf)
			if errors.Is(err, syscall.EINTR) {
				continue
			}
			if n <= 0 {
				_ = done() // a terminal that has gone leaves nobody to tell
				break
			}
			if _, err := to.Write(buf[:n]); err != nil {
				break // the stage sees the closed pipe, and reports it
			}
		}
		_ = unix.Close(fd)
		r.box.post(func() {
			s.collecting = false
			r.checkEnded(s)
		})
	}()
}

// windowSize returns how many bytes of head and tail are remembered. Lines that
// are drawn again take much and show little: the tail gets more than can be
// shown.
func (r *run) windowSize() (head, tail int) {
	n := r.o.Budget.Bytes
	if n == 0 {
		n = preview.DefaultBytes
	}
	return n, 4 * n
}

// stageChanged is told of a stage's stop or end.
func (r *run) stageChanged(s *stream, c *child) {
	if c.stopped {
		// It may never go on, and what waits behind it is the command.
		r.lose(s, c.name+" was "+c.verdict())
		c.signal(syscall.SIGKILL)
		_ = syscall.Kill(c.pid, syscall.SIGCONT)
		return
	}
	delete(r.spare, c.pid)
	if c.status.Signaled() && c != s.preview {
		r.lose(s, c.name+" was ended by "+c.verdict())
	}
	if c == s.redact && s.in >= 0 {
		switch n, hungUp := unread(s.in); {
		case n == 0 && hungUp:
			closeFD(&s.in)
		case s.cut:
			r.handOver(s)
		default:
			r.drain(s)
		}
	}
	if c == s.redact {
		r.lookForHanging(s)
	}
	r.checkEnded(s)
}

// lose notes why the line of s is broken; the first reason stays.
func (r *run) lose(s *stream, why string) {
	if s.lost == "" {
		s.lost = s.name + ": " + why
	}
}

// drain throws away what is left of the command's output, so that the command
// can write on.
func (r *run) drain(s *stream) {
	fd := s.in
	s.drains, s.drainFD, s.in = true, fd, -1
	go func() {
		discard(fd, func() {
			r.box.post(func() { r.lose(s, "output was taken past a stage that had ended") })
		})
		r.box.post(func() {
			_ = unix.Close(fd) // here, so that drainFD is never another's
			s.drains = false
			r.checkEnded(s)
		})
	}()
}
