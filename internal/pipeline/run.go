package pipeline

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"spool/pkg/format"
)

// patience is how long a small result is waited for before the stages are
// started all the same, so that the death of this process does no harm.
const patience = 200 * time.Millisecond

// run is one command on its way to its receipt. Everything in it belongs to
// the loop.
type run struct {
	o       *Options
	box     *inbox
	watch   *watch
	alarms  alarms
	kids    *children
	signals *signals
	tty     *terminal // nil: none in our hands
	null    int       // /dev/null

	files   []uintptr // the command's 0, 1 and 2
	opened  []int     // those of them that are closed here once it runs
	cmd     *command
	failure *StartError  // the command could not be started
	spare   map[int]bool // children that are not the command's: never signalled with its descendants
	streams []*stream
	flowing bool // small no more: every stream with bytes gets its stages
	settled bool // patience is at an end: every open stream gets them

	store   store
	ending  ending
	inline  []inlined // the whole result, where it was small
	drained bool      // the drain window is over
	set     *sanitizer

	status status
	client *client
	given  bool // the reference is out, or nobody else tells of the capture: it is kept
}

// Run runs the command in the foreground and returns what came of it. An error
// says that the command was not started for a reason of spool's own.
func Run(o Options) (*Result, error) { return supervise(o, &client{}) }

// supervise brings one command to its receipt, for a client that may be told
// before.
func supervise(o Options, c *client) (*Result, error) {
	r := &run{o: &o, client: c, null: -1, kids: newChildren(), alarms: alarms{now: time.Now}, spare: map[int]bool{}}
	r.set = &sanitizer{prepare: o.Sanitizer}
	defer r.close()
	if err := r.prepare(); err != nil {
		return nil, &SetupError{err}
	}
	r.launch()
	r.attach()
	r.startStatus()
	r.loop()
	r.status.clear()
	return r.finish(), nil
}

// prepare makes everything that can fail before the command is started.
func (r *run) prepare() (err error) {
	if r.box, err = newInbox(); err != nil {
		return fmt.Errorf("make a pipe: %w", err)
	}
	r.signals = listen(r.box, r.signalled)
	if r.watch, err = newWatch(); err != nil {
		return fmt.Errorf("make a watch: %w", err)
	}
	r.watch.add(r.box.r, false)
	if r.null, err = unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return fmt.Errorf("open %q: %w", os.DevNull, err)
	}
	if err := r.openFiles(); err != nil {
		return err
	}
	if len(r.o.StageArgs.Redact) > 0 { // what is wrong with them is told before the start
		if _, err := r.set.get(); err != nil {
			return err
		}
	}
	if r.o.Background { // without a capture there is nothing to refer to
		r.o.RequireCapture = true
	}
	if r.o.early() || r.o.RequireCapture {
		if err := r.beginEarly(); err != nil {
			return err
		}
	}
	if r.o.Input == StdinInherit {
		r.tty = openTerminal(int(r.o.Stdin.Fd()))
	}
	becomeSubreaper()
	if r.kids.reap() { // children that this process had before it was spool
		spareStrangers(r.spare)
	}
	return nil
}

// launch starts the command.
func (r *run) launch() {
	r.signals.ready() // one that came before would be lost, or the end of us
	defer r.closeFiles()
	attr := &syscall.ProcAttr{Env: r.commandEnv(), Files: r.files, Sys: &syscall.SysProcAttr{Setpgid: true}}
	if r.tty != nil && !isPipe(int(r.o.Stdout.Fd())) {
		attr.Sys.Foreground, attr.Sys.Ctty = true, r.tty.fd
	}
	path, isSet := lookup(r.o.Env, "PATH")
	c, failure := execute(r.kids, r.o.Command, path, isSet, attr, r.commandChanged)
	if failure != nil {
		failure.Name = r.set.text(failure.Name)
		r.failure = failure
	}
	r.cmd = &command{child: c, foreground: c != nil && attr.Sys.Foreground}
	sealDescriptors()
	if r.tty != nil {
		r.tty.mayWrite()
	}
	if c == nil {
		return
	}
	if c.pidfd >= 0 {
		r.watch.add(c.pidfd, true)
	}
	if c.pidfd < 0 || r.tty != nil {
		r.signals.attend()
	}
	if r.o.Timeout > 0 {
		r.alarms.in(r.o.Timeout, func() { r.end(format.ProcessTimeout, "") })
	}
	r.alarms.in(patience, func() {
		r.settled, r.flowing = true, true
		r.signals.attend()
	})
}

// openFiles opens the command's stdin, stdout and stderr. The other ends of its
// pipes become the streams.
func (r *run) openFiles() error {
	in := int(r.o.Stdin.Fd())
	switch r.o.Input {
	case StdinInherit:
	case StdinNull:
		in = r.null
	default:
		var err error
		if in, err = unix.Open(r.o.Input, unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			return fmt.Errorf("open %q for the command: %w", r.o.Input, err)
		}
		r.opened = append(r.opened, in)
	}
	r.files = []uintptr{uintptr(in)}
	for _, name := range r.o.streams() {
		reader, writer, err := pipe()
		if err != nil {
			return fmt.Errorf("make a pipe: %w", err)
		}
		r.opened = append(r.opened, writer)
		r.files = append(r.files, uintptr(writer))
		r.streams = append(r.streams, &stream{name: name, in: reader})
		r.watch.add(reader, true)
	}
	if r.o.Merge {
		r.files = append(r.files, r.files[1])
	}
	return nil
}

// closeFiles closes what is the command's alone.
func (r *run) closeFiles() {
	for _, fd := range r.opened {
		_ = unix.Close(fd)
	}
	r.opened = nil
}

// commandEnv returns the command's environment: the caller's, with the
// capture's reference where there is one.
func (r *run) commandEnv() []string {
	if r.store.capture == nil {
		return r.o.Env
	}
	return withVariable(r.o.Env, parentVariable, string(r.store.capture.ID()))
}

// loop turns until the command and everything that was started for it has
// come to its end.
func (r *run) loop() {
	for {
		r.kids.reap()
		r.box.run()
		r.alarms.ring()
		r.look()
		r.hunt()
		if !r.cmd.alive() && r.streamsEnded() && !r.ending.chase {
			return
		}
		r.watch.wait(r.alarms.next())
	}
}

func (r *run) streamsEnded() bool {
	return !slices.ContainsFunc(r.streams, func(s *stream) bool { return s.phase != ended })
}

func (r *run) close() {
	if r.signals != nil {
		r.signals.stop()
	}
	for _, s := range r.streams {
		closeFD(&s.in)
	}
	if r.watch != nil {
		r.watch.close()
	}
	if r.box != nil {
		r.box.close()
	}
	r.closeFiles()
	closeFD(&r.null)
	r.store.close()
}

func isPipe(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFIFO
}
