package pipeline

import (
	"os"
	"syscall"
)

// commandStopped is told that the command was stopped.
func (r *run) commandStopped(c *child) {
	if r.tty == nil {
		return // whoever stopped it will let it go on
	}
	wanted := c.status.StopSignal() == syscall.SIGTTIN || c.status.StopSignal() == syscall.SIGTTOU
	if wanted && r.tty.holder() == r.tty.group {
		// It asks for the terminal, which it was not given because others in
		// our group might want it.
		r.cmd.foreground = true
		r.tty.give(c.pid)
		r.cmd.signalGroup(syscall.SIGCONT)
		return
	}
	r.suspend()
}

// suspend stops this process as well, so that the shell that runs the job sees
// it stopped, with the terminal in its hands again.
func (r *run) suspend() {
	r.status.clear()
	if r.tty != nil && r.cmd.foreground {
		r.tty.give(r.tty.group)
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
}

// resume lets the command go on, in the foreground if the shell put us there.
func (r *run) resume() {
	if r.tty != nil && r.cmd.foreground && r.cmd.alive() && r.tty.holder() == r.tty.group {
		r.tty.give(r.cmd.pid)
	}
	r.cmd.signalGroup(syscall.SIGCONT)
}
