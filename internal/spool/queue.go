package spool

import (
	"sync"
	"time"
	"unicode/utf8"
)

// Sizes in bytes.
const (
	queueSize = 8 << 20
	chunkSize = 256 << 10 // the most that is read or written at once
	// hotSize is where the queue turns back to its start, if there is room, so
	// that a keeper that keeps up works in memory that the processor has at hand.
	hotSize = 2 * chunkSize
	// steadyRate, in bytes a second, is what a disk that keeps up retains at least.
	// An input may be faster than that, for as long as it likes: it then waits for
	// copying and hashing, not for the disk.
	steadyRate = 128 << 20
)

// queue holds what was read and is not retained yet, in one ring that the pump
// reads into and the keeper writes from: nothing is copied. Bytes lie in
// [tail, head), or where it has wrapped in [tail, wrap) and [0, head).
type queue struct {
	mu      sync.Mutex
	buf     []byte
	head    int  // where the pump reads to next
	tail    int  // the first byte that is not retained
	wrap    int  // end of the upper part; meaningful if wrapped
	wrapped bool // head ≤ tail
	busy    int  // bytes from tail on that the keeper is at

	observed int64 // bytes taken in, in all
	retained int64 // bytes that the keeper is done with, in all
	closed   bool  // no more will be taken in
	ended    bool  // no more will be retained

	data  chan struct{} // there may be more to write, or an end; capacity 1
	space chan struct{} // there may be more room, or an end; capacity 1
}

func newQueue() *queue {
	return &queue{buf: make([]byte, queueSize), data: make(chan struct{}, 1), space: make(chan struct{}, 1)}
}

// signal wakes whoever waits on c, or will.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// room returns where the pump may read to: up to chunkSize bytes, none once
// nothing is retained any more. While the queue is full it waits, for as long
// as patience has something left; then retention ends and stalled is true. The
// waiting uses up patience, but for the time that what was retained meanwhile
// takes at the steady rate.
func (q *queue) room(patience *time.Duration) (free []byte, stalled bool) {
	for {
		q.mu.Lock()
		if !q.ended {
			free = q.free()
		}
		over, retained := q.ended, q.retained
		q.mu.Unlock()
		if over || len(free) > 0 {
			return free, false
		}
		if *patience <= 0 {
			return nil, q.end()
		}
		start := time.Now()
		timer := time.NewTimer(*patience)
		select {
		case <-q.space:
		case <-timer.C:
		}
		timer.Stop()
		*patience -= max(0, time.Since(start)-q.steady(retained))
	}
}

// steady returns how long the steady rate takes for what was retained since that
// many bytes were.
func (q *queue) steady(since int64) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return time.Duration(q.retained-since) * time.Second / steadyRate
}

func (q *queue) free() []byte {
	switch {
	case q.wrapped:
		return q.buf[q.head:min(q.head+chunkSize, q.tail)]
	case q.tail == q.head:
		q.head, q.tail = 0, 0
	case q.head >= hotSize && q.tail >= chunkSize, q.head == len(q.buf) && q.tail > utf8.UTFMax:
		q.turn()
		return q.free()
	}
	return q.buf[q.head:min(q.head+chunkSize, len(q.buf))]
}

// turn goes on at the start of the ring. The beginning of a character comes
// along, so that the upper part ends at a whole one; it is never busy.
func (q *queue) turn() {
	upper := q.buf[q.tail:q.head]
	torn := len(upper) - whole(upper, len(upper))
	q.wrap = q.head - torn
	q.head = copy(q.buf, q.buf[q.wrap:q.head])
	q.wrapped = true
}

// commit takes n bytes in that were read to where room said. It returns false
// if the queue was closed meanwhile: they do not count.
func (q *queue) commit(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.observed += int64(n)
	q.head += n
	signal(q.data)
	return true
}

// count takes n bytes in that will not be retained, as commit does.
func (q *queue) count(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.observed += int64(n)
	}
	return !q.closed
}

// close says that no more will come.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	signal(q.data)
}

// end ends retention: what the keeper is at is the last. It returns false if
// it had ended before.
func (q *queue) end() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended {
		return false
	}
	q.ended = true
	signal(q.data)
	signal(q.space)
	return true
}

// giveUp is end, and what the keeper is at counts as not retained: nobody knows
// what will become of it.
func (q *queue) giveUp() {
	q.end()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy = 0
}

// next returns bytes to write, whole characters, up to chunkSize: at least
// least, or fewer after patience (none: without bound), at the end, or where
// the ring wraps. None are returned where nothing came in time (more is true)
// and at the end.
func (q *queue) next(least int, patience time.Duration) (span []byte, more bool) {
	var expired <-chan time.Time
	late := false
	for {
		q.mu.Lock()
		span, more = q.ready()
		if !more || len(span) >= least || len(span) > 0 && (q.closed || q.wrapped || late) {
			q.busy = len(span)
			q.mu.Unlock()
			return span, more
		}
		q.mu.Unlock()
		if late {
			return nil, true
		}
		if expired == nil && patience > 0 {
			expired = time.After(patience)
		}
		select {
		case <-q.data:
		case <-expired:
			late = true
		}
	}
}

// ready returns what can be written now, and whether there may be more later.
func (q *queue) ready() (span []byte, more bool) {
	if q.ended {
		return nil, false
	}
	if q.wrapped && q.tail == q.wrap {
		q.tail, q.wrapped = 0, false
	}
	end := q.head
	if q.wrapped {
		end = q.wrap
	}
	span = q.buf[q.tail:end]
	switch {
	case len(span) > chunkSize:
		return span[:whole(span, chunkSize)], true
	case q.wrapped:
		return span, true
	case q.closed:
		return span, len(span) > 0
	}
	return span[:whole(span, len(span))], true
}

// advance says that n bytes of what next has returned are retained.
func (q *queue) advance(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tail += n
	q.retained += int64(n)
	q.busy = 0
	signal(q.space)
}

// rest returns what was taken in and will not be retained, in order. It is for
// after the end; the bytes stay as they are.
func (q *queue) rest() [2][]byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	from := q.tail + q.busy
	if q.wrapped {
		return [2][]byte{q.buf[from:q.wrap], q.buf[:q.head]}
	}
	return [2][]byte{q.buf[from:q.head], nil}
}

// counts returns how many bytes were taken in and how many are retained.
func (q *queue) counts() (observed, retained int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.observed, q.retained
}
