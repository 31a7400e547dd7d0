package spool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// outlet is the standard output. Its first error is its end; reading goes on.
type outlet struct {
	w        io.Writer
	patience time.Duration // a pipe that takes nothing for so long has failed; 0: it is waited for

	mu    sync.Mutex
	taken int64
	err   error
}

// deadliner is a file whose writes can be given up.
type deadliner interface {
	SetWriteDeadline(t time.Time) error
}

// newOutlet makes an outlet of stdout. With patience, a stalled pipe is given
// up where the system lets us write to it without blocking.
func newOutlet(stdout io.Writer, patience time.Duration) *outlet {
	o := &outlet{w: stdout}
	if f, ok := stdout.(*os.File); ok && patience > 0 {
		if pipe := unblocked(f); pipe != nil {
			o.w, o.patience = pipe, patience
		}
	}
	return o
}

// write passes p on, if nothing has failed before.
func (o *outlet) write(p []byte) {
	if len(p) == 0 || o.failure() != nil {
		return
	}
	for {
		o.allow()
		n, err := o.w.Write(p)
		if n > 0 && errors.Is(err, os.ErrDeadlineExceeded) {
			err = nil // slow, not stalled
		} else if errors.Is(err, os.ErrDeadlineExceeded) {
			err = o.stalled()
		}
		o.note(n, err)
		if p = p[n:]; err != nil || len(p) == 0 {
			return
		}
	}
}

// allow gives the next write its time.
func (o *outlet) allow() {
	if o.patience > 0 {
		_ = o.w.(deadliner).SetWriteDeadline(time.Now().Add(o.patience)) // one that has none waits
	}
}

func (o *outlet) stalled() error { return fmt.Errorf("took nothing for %v", o.patience) }

func (o *outlet) note(n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.taken += int64(n)
	if o.err == nil {
		o.err = err
	}
}

func (o *outlet) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// close closes stdout, and the pipe if it was opened anew.
func (o *outlet) close(stdout io.Writer) error {
	var err error
	if c, ok := stdout.(io.Closer); ok {
		err = c.Close()
	}
	if c, ok := o.w.(io.Closer); ok && o.w != stdout {
		err = errors.Join(err, c.Close())
	}
	return err
}

// forwarded returns how many bytes the output took.
func (o *outlet) forwarded() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.taken
}
