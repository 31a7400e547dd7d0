package pipeline

import (
	"spool/internal/preview"
)

// phase is how far a stream has come.
type phase int

const (
	waiting phase = iota // what was written, if anything, lies in the pipe
	flowing              // its stages run, or what is left of them
	ended
)

// stream is one stream of the command.
type stream struct {
	name  string
	in    int // our copy of the read end; -1 once it was given up
	phase phase

	redact, tee, preview *child

	// released says that redact was told to settle and then to drain on: it
	// may outlive the run.
	released bool
	// drains says that a goroutine throws away what comes: a byte past that
	// point is kept or shown by nobody.
	drains  bool
	drainFD int // what that goroutine reads, while drains
	// cut says that the stream was let go of while descendants held it.
	cut   bool
	stall stall
	// lost says why the line is broken; "" while it is whole.
	lost string

	// window has the sanitised ends of a stream that is not captured; nil for
	// one that is, or that is shown live.
	window     *preview.Window
	collecting bool // a goroutine still fills it, or shows what comes
}

// look starts the stages of the streams that are due for it, and notes the
// streams that ended before.
func (r *run) look() {
	total, open := 0, false
	type state struct {
		unread int
		hungUp bool
	}
	states := make([]state, len(r.streams))
	idle := 0
	for i, s := range r.streams {
		if s.phase != waiting {
			continue
		}
		idle++
		n, hungUp := unread(s.in)
		states[i] = state{n, hungUp}
		total += n
		open = open || !hungUp
	}
	if idle == 0 {
		return
	}
	over := !r.cmd.alive()
	if !r.flowing && (total > r.small() || over && (open || r.mustKeep())) {
		r.flowing = true
	}
	if !r.flowing {
		if over {
			r.compact(total)
		}
		return
	}
	for i, s := range r.streams {
		switch n, hungUp := states[i].unread, states[i].hungUp; {
		case s.phase != waiting:
		case n > 0, !hungUp && (r.settled || over):
			r.flow(s)
		case hungUp:
			s.phase = ended
			r.watch.remove(s.in)
			closeFD(&s.in)
		}
	}
}

// small is how many bytes of output surely fit the preview.
func (r *run) small() int {
	if r.o.early() || r.o.Audit != "" {
		return -1
	}
	const most = 8000
	if n := r.o.Budget.StdoutChars; n > 0 {
		return min(n, most)
	}
	return most
}

// checkEnded notes the end of a stream whose line has come to its own.
func (r *run) checkEnded(s *stream) {
	redactDone := !s.redact.alive() || s.released
	if s.phase == flowing && redactDone && !s.drains && !s.collecting && !s.tee.atWork() && !s.preview.atWork() {
		s.phase = ended
	}
}
