package pipeline

import (
	"syscall"
	"time"

	"spool/pkg/format"
)

// Bounds on what is waited for after the command's end.
const (
	// settleBound is how long a stage may take from being told to settle, or
	// being killed, to its end.
	settleBound = 3 * time.Second
	// digestBound is how long the stages may take to digest what the command
	// has written once it is all in their hands; the queue of spool-tee holds
	// 8 MiB.
	digestBound = 15 * time.Second
	// digestShare is what of it a redact has to take what lies in the pipe,
	// before it is told to let go.
	digestShare = time.Second
)

// commandChanged is told of the command's stop or end.
func (r *run) commandChanged(c *child) {
	if c.stopped {
		r.commandStopped(c)
		return
	}
	if r.tty != nil && r.cmd.foreground && r.tty.holder() == c.pid {
		r.tty.give(r.tty.group)
	}
	r.alarms.in(r.o.Drain, r.endDrain)
	r.orphansAtEnd()
}

// endDrain ends the wait for descendants that hold the pipes. A stream that
// all have closed is not held: its stages are given time to digest.
func (r *run) endDrain() {
	if r.drained {
		return
	}
	if r.ending.chase {
		const again = 50 * time.Millisecond
		r.alarms.in(again, r.endDrain) // those who hold the pipes are being ended
		return
	}
	r.drained = true
	r.look() // a stream that is held gets its stages before it is let go
	if r.o.Orphans == OrphansKill {
		r.pursue(syscall.SIGKILL)
		r.alarms.in(time.Second, r.releaseAll)
		return
	}
	r.releaseAll()
}

// releaseAll lets go of the streams that are held.
func (r *run) releaseAll() {
	for _, s := range r.streams {
		if s.phase == flowing && s.held() {
			r.release(s, r.alarms.now().Add(digestShare))
		}
	}
	r.alarms.in(digestBound, func() {
		if !r.o.Live {
			r.abandon()
		}
	})
}

// held tells whether someone can still write to s.
func (s *stream) held() bool {
	if s.in < 0 {
		return s.drains
	}
	_, hungUp := unread(s.in)
	return !hungUp
}

// release lets go of a stream that descendants hold: redact settles, reports
// and drains on in a life of its own, and the stages behind it see the end. It
// is not told before it took what the command itself has written; those who
// write on cannot hold that up beyond latest.
func (r *run) release(s *stream, latest time.Time) {
	const again = 10 * time.Millisecond
	if s.phase != flowing {
		return
	}
	if s.redact.alive() && s.in >= 0 && r.alarms.now().Before(latest) {
		if n, _ := unread(s.in); n > 0 || !hears(s.redact.pid, syscall.SIGUSR1) {
			r.alarms.in(again, func() { r.release(s, latest) })
			return
		}
	}
	s.cut = true
	if s.redact.alive() {
		s.released = true
		r.tellRelease(s)
	} else {
		r.handOver(s)
	}
	r.alarms.in(settleBound, func() {
		if s.phase == flowing {
			r.abandonStream(s)
		}
	})
	r.checkEnded(s)
}

// tellRelease tells redact to settle, again and again until the stage behind it
// sees the end: a program that has just been started may let the first signal
// pass.
func (r *run) tellRelease(s *stream) {
	const again = 50 * time.Millisecond
	if s.phase == flowing && s.redact.alive() {
		s.redact.signal(syscall.SIGUSR1)
		r.alarms.in(again, func() { r.tellRelease(s) })
	}
}

// handOver starts a process that drains on where redact was lost, because a
// goroutine that does so dies with this process.
func (r *run) handOver(s *stream) {
	fd := s.in
	if s.drains {
		fd = s.drainFD
	}
	attr := &syscall.ProcAttr{
		Files: []uintptr{uintptr(fd), uintptr(r.null), uintptr(r.null)},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	}
	c, err := r.kids.start(redactName, r.o.Stages.Redact, []string{redactName, "--discard"}, attr, nil)
	if err == nil {
		r.spare[c.pid] = true
	}
	s.drains = false
	closeFD(&s.in)
}

// abandon gives up on all stages that have not come to their end.
func (r *run) abandon() {
	for _, s := range r.streams {
		if s.phase == flowing {
			r.abandonStream(s)
		}
	}
}

// abandonStream kills what is left of a line, and does not wait for a process
// that not even that can end.
func (r *run) abandonStream(s *stream) {
	for _, c := range []*child{s.redact, s.tee, s.preview} {
		if c.alive() && (c != s.redact || !s.released) {
			r.lose(s, c.name+" did not come to its end")
			c.signal(syscall.SIGKILL)
		}
	}
	r.alarms.in(settleBound, func() { s.phase = ended })
}

// reasons returns what the driver did to the capture.
func (r *run) reasons() []format.Reason {
	list := []format.Reason{}
	for _, s := range r.streams {
		if s.cut {
			list = append(list, format.ReasonDrainTimeout)
			break
		}
	}
	for _, s := range r.streams {
		if s.lost != "" {
			list = append(list, format.ReasonStageLost.With(s.lost))
		}
	}
	return list
}
