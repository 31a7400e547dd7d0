package pipeline

import (
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// inbox carries what other goroutines saw to the loop, which runs it. The read
// end of its pipe wakes the loop.
type inbox struct {
	mu    sync.Mutex
	posts []func()
	r, w  int // non-blocking; -1 once closed
}

func newInbox() (*inbox, error) {
	r, w, err := pipe()
	if err != nil {
		return nil, err
	}
	_ = syscall.SetNonblock(r, true)
	_ = syscall.SetNonblock(w, true)
	return &inbox{r: r, w: w}, nil
}

// post hands f to the loop. It never waits; after close it does nothing.
func (b *inbox) post(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w < 0 {
		return
	}
	b.posts = append(b.posts, f)
	_, _ = unix.Write(b.w, []byte{0}) // a full pipe wakes as well
}

// run runs what was posted, in order.
func (b *inbox) run() {
	var sink [64]byte
	for {
		if n, err := unix.Read(b.r, sink[:]); n < len(sink) || err != nil {
			break
		}
	}
	b.mu.Lock()
	posts := b.posts
	b.posts = nil
	b.mu.Unlock()
	for _, f := range posts {
		f()
	}
}

func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	closeFD(&b.w)
	closeFD(&b.r)
}
