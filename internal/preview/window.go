package preview

import (
	"bytes"
	"math"
)

// Window remembers head and tail of a stream in constant memory, and counts it.
// It does not look at the bytes: they are cut when the stream has ended.
type Window struct {
	head  []byte // len ≤ cap, which is its bound
	ring  []byte // len ≤ bound; when full, at is the oldest byte
	at    int    // 0 ≤ at < bound
	bound int
	total int64
}

// NewWindow returns a Window that remembers the first head bytes of a stream and
// the last tail bytes of what follows them. Both are at least 0.
func NewWindow(head, tail int) *Window {
	return &Window{head: make([]byte, 0, head), bound: tail}
}

// Write takes the next bytes of the stream. It never fails.
func (w *Window) Write(p []byte) (int, error) {
	n := len(p)
	if int64(n) > math.MaxInt64-w.total {
		panic("preview: a stream of more than 2⁶³ bytes")
	}
	w.total += int64(n)
	if room := cap(w.head) - len(w.head); room > 0 {
		k := min(room, len(p))
		w.head = append(w.head, p[:k]...)
		p = p[k:]
	}
	w.remember(p)
	return n, nil
}

// remember moves the ring on by p.
func (w *Window) remember(p []byte) {
	if len(p) == 0 || w.bound == 0 {
		return
	}
	if len(p) >= w.bound {
		w.ring, w.at = append(w.ring[:0], p[len(p)-w.bound:]...), 0
		return
	}
	if room := w.bound - len(w.ring); room > 0 {
		k := min(room, len(p))
		w.ring = append(w.ring, p[:k]...)
		p = p[k:]
	}
	k := copy(w.ring[w.at:], p)
	copy(w.ring, p[k:])
	if w.at += len(p); w.at >= w.bound {
		w.at -= w.bound
	}
}

// Total returns the bytes written so far.
func (w *Window) Total() int64 { return w.total }

// Part returns what is remembered, as a part that owns its bytes. No sequence
// is torn: one that begins in the head goes to the tail with its rest, or to
// the middle where there is one.
func (w *Window) Part(name string) Part {
	head := wholeEnd(w.head)
	tail := make([]byte, 0, len(w.head)-len(head)+len(w.ring))
	middle := w.total > int64(len(w.head)+len(w.ring))
	if !middle {
		tail = append(tail, w.head[len(head):]...)
	}
	tail = append(append(tail, w.ring[w.at:]...), w.ring[:w.at]...)
	if middle {
		tail = wholeStart(tail)
	}
	return Part{
		Name: name, Total: w.total,
		Head: bytes.Clone(head), HeadEnd: int64(len(head)),
		Tail: tail, TailStart: w.total - int64(len(tail)),
	}
}
