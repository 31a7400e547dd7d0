package pipeline

import (
	"syscall"
	"time"
)

// A stage that does nothing while its input waits is stalled after stallBound;
// it is looked at every stallLook.
const (
	stallBound = 10 * time.Second
	stallLook  = time.Second
)

// What is behind a redact that has ended is looked at every hangLook; after
// hangLooks that find the same it is so.
const (
	hangLook  = 250 * time.Millisecond
	hangLooks = 2
)

// stall is what was seen of a stream's redactor when it last moved.
type stall struct {
	work  int64 // bytes that it has read
	since time.Time
}

// watchStalls begins to look for stalled stages of s. Shown live, a line may
// stand as long as its reader likes.
func (r *run) watchStalls(s *stream) {
	if r.o.Live {
		return
	}
	s.stall = stall{work: -1, since: r.alarms.now()}
	r.alarms.in(stallLook, func() { r.lookForStall(s) })
}

// lookForStall ends the stage that holds up the command: output waits, and for
// a long time redact has taken nothing. If it waits for the next one itself, it
// is that one.
func (r *run) lookForStall(s *stream) {
	if s.phase != flowing || s.cut || s.in < 0 || !s.redact.alive() {
		return
	}
	n, _ := unread(s.in)
	now := r.alarms.now()
	work, busy := workOf(s.redact.pid)
	if n == 0 || busy || work != s.stall.work {
		s.stall = stall{work: work, since: now}
	}
	if now.Sub(s.stall.since) >= stallBound {
		victim := s.redact
		for _, next := range []*child{s.tee, s.preview} {
			if next.alive() && writesToPipe(victim.pid) {
				victim = next // it is waited for
			}
		}
		r.lose(s, victim.name+" made no progress for "+stallBound.String())
		victim.signal(syscall.SIGKILL)
		s.stall.since = now
	}
	r.alarms.in(stallLook, func() { r.lookForStall(s) })
}

// lookForHanging looks after the stages behind a redact that has ended. A tee
// that gave up a write has reported and ended, but is not reaped before that
// write returns, if it ever does.
func (r *run) lookForHanging(s *stream) {
	if s.phase != flowing {
		return
	}
	for _, c := range []*child{s.tee, s.preview} {
		if !c.alive() {
			continue
		}
		c.hangs++
		if !isZombie(c.pid) {
			c.hangs = 0
		}
	}
	r.checkEnded(s)
	r.alarms.in(hangLook, func() { r.lookForHanging(s) })
}
