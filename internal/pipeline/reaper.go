package pipeline

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// children owns the status of every child of this process: the command, the
// stages, and the orphans that a subreaper or PID 1 is given. It belongs to the
// loop's goroutine, which both starts and reaps: a pid is never reaped before
// it is known here.
type children struct {
	byPID map[int]*child
	now   func() time.Time
}

// child is one process that was started here.
type child struct {
	name  string
	pid   int
	pidfd int // -1 where there is none; closed when reaped

	started time.Time
	ended   time.Time          // zero until reaped
	stopped bool               // by a signal, and not continued since
	status  syscall.WaitStatus // valid once ended
	usage   syscall.Rusage     // of it and of the descendants that it waited for
	changed func(*child)       // called by reap on an end or a stop; may be nil
	hangs   int                // looks in a row that found it ended, and not to be reaped
}

func newChildren() *children {
	return &children{byPID: map[int]*child{}, now: time.Now}
}

// start forks and executes path. The descriptors of attr.Files become 0, 1, 2,
// … of the child; all others that it gets are those without close-on-exec.
func (k *children) start(name, path string, argv []string, attr *syscall.ProcAttr, changed func(*child)) (*child, error) {
	pidfd := -1
	askPidFD(attr, &pidfd)
	c := &child{name: name, pidfd: -1, started: k.now(), changed: changed}
	pid, err := syscall.ForkExec(path, argv, attr)
	if err != nil {
		return nil, err
	}
	c.pid, c.pidfd = pid, pidfd
	k.byPID[pid] = c
	return c, nil
}

// reap takes every status that is due, without waiting. It tells whether there
// is any child left, known or not.
func (k *children) reap() (left bool) {
	for {
		var status syscall.WaitStatus
		var usage syscall.Rusage
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG|syscall.WUNTRACED|waitContinued, &usage)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return false // ECHILD: there is none
		case pid == 0:
			return true
		}
		if c := k.byPID[pid]; c != nil {
			k.note(c, status, usage)
		}
	}
}

func (k *children) note(c *child, status syscall.WaitStatus, usage syscall.Rusage) {
	switch {
	case status.Stopped():
		c.stopped, c.status = true, status
	case status.Continued():
		c.stopped = false
		return
	default:
		c.stopped, c.status, c.usage, c.ended = false, status, usage, k.now()
		delete(k.byPID, c.pid)
		closeFD(&c.pidfd)
	}
	if c.changed != nil {
		c.changed(c)
	}
}

// alive tells whether c was started and not yet reaped, so that its pid is its
// own.
func (c *child) alive() bool { return c != nil && c.ended.IsZero() }

// atWork tells whether c was started and has not come to its end: one that has,
// but for a thread in a call that does not return, is never reaped.
func (c *child) atWork() bool { return c.alive() && c.hangs < hangLooks }

// signal sends sig to c alone; nothing happens once it was reaped.
func (c *child) signal(sig syscall.Signal) {
	if c.alive() {
		_ = syscall.Kill(c.pid, sig)
	}
}

// verdict returns how c ended, for messages.
func (c *child) verdict() string {
	switch {
	case c.stopped:
		return "stopped by " + signalName(c.status.StopSignal())
	case c.alive():
		return "running"
	case c.status.Signaled():
		return signalName(c.status.Signal())
	}
	return fmt.Sprintf("exit status %d", c.status.ExitStatus())
}

// closeFD closes *fd if it is open, and marks it closed.
func closeFD(fd *int) {
	if *fd >= 0 {
		_ = syscall.Close(*fd)
		*fd = -1
	}
}
