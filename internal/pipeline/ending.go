package pipeline

import (
	"syscall"
	"time"

	"spool/pkg/format"
)

// pursuitBound is how long descendants are hunted after the first KILL. What
// still lives then cannot be ended (or forks faster than it can be seen).
const pursuitBound = 2 * time.Second

// ending is what spool does to end the command.
type ending struct {
	state  format.ProcessState // timeout or cancelled; "" if it was not spool that ended the command
	reason string
	chase  bool // descendants are being ended, too
	kill   bool // by KILL
	until  time.Time
}

// end ends the command and everything that descended from it: TERM, and KILL
// after a while. Nothing happens if the command has ended already, or is being
// ended.
func (r *run) end(state format.ProcessState, why string) {
	r.kids.reap() // an end that has happened counts first
	if r.ending.state != "" || !r.cmd.alive() {
		return
	}
	r.ending.state, r.ending.reason = state, why
	r.pursue(syscall.SIGTERM)
}

// pursue sends sig to the command's group and to every descendant.
func (r *run) pursue(sig syscall.Signal) {
	r.ending.chase = true
	r.cmd.signalGroup(sig)
	r.cmd.signalGroup(syscall.SIGCONT)
	signalDescendants(r.spare, sig)
	if sig == syscall.SIGKILL {
		r.ending.kill, r.ending.until = true, time.Now().Add(pursuitBound)
		return
	}
	signalDescendants(r.spare, syscall.SIGCONT)
	r.alarms.in(r.o.KillAfter, func() { r.pursue(syscall.SIGKILL) })
}

// hunt looks after the descendants that are to be ended. Once it is KILL, each
// look strikes as well: what was forked meanwhile, or was orphaned, shows up in
// the next one.
func (r *run) hunt() {
	if !r.ending.chase || !r.ending.kill && (r.cmd.alive() || !r.streamsEnded()) {
		return
	}
	var sig syscall.Signal // 0 only counts
	if r.ending.kill {
		sig = syscall.SIGKILL
	}
	left := signalDescendants(r.spare, sig)
	switch {
	case left == 0 && !r.cmd.alive() || r.ending.kill && time.Now().After(r.ending.until):
		r.ending.chase = false
	case r.ending.kill:
		const again = 2 * time.Millisecond
		r.alarms.in(again, func() {})
	}
}

// orphansAtEnd is called at the command's end. Descendants that hold no pipe
// are ended at once, where they are to be; those that do have the drain window.
func (r *run) orphansAtEnd() {
	if r.o.Orphans != OrphansKill {
		return
	}
	for _, s := range r.streams {
		if s.phase != ended && s.held() {
			return
		}
	}
	r.pursue(syscall.SIGKILL)
}

// signalled is told of a signal to this process.
func (r *run) signalled(sig syscall.Signal) {
	switch sig {
	case syscall.SIGCHLD, syscall.SIGPIPE: // the loop reaps at each turn; writes tell of themselves
	case syscall.SIGTSTP:
		r.cmd.signalGroup(syscall.SIGTSTP)
		r.suspend()
	case syscall.SIGCONT:
		r.resume()
	case cancelSignal:
		r.end(format.ProcessCancelled, "cancelled by request")
	default:
		if r.cmd.alive() {
			r.cmd.signalGroup(sig)
			return
		}
		r.endDrain() // nothing but leftovers is waited for
	}
}
