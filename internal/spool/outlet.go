package spool

import (
	"errors"
	"io"
	"sync"
	"time"

	"spool/internal/sluice"
)

// outlet is the standard output. Its first error is its end; reading goes on.
type outlet struct {
	w    io.Writer
	pipe *sluice.Pipe // w, where it is a pipe that can be given up; else nil

	mu    sync.Mutex
	taken int64
	err   error
}

// newOutlet makes one of stdout. With patience, a stalled pipe is given up where
// the system lets us write to it without blocking.
func newOutlet(stdout io.Writer, patience time.Duration) *outlet {
	o := &outlet{w: stdout}
	if o.pipe = sluice.Open(stdout, patience); o.pipe != nil {
		o.w = o.pipe
	}
	return o
}

// write passes p on, if nothing has failed before.
func (o *outlet) write(p []byte) {
	if len(p) == 0 || o.failure() != nil {
		return
	}
	o.note(o.w.Write(p))
}

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
	if o.pipe != nil {
		err = errors.Join(err, o.pipe.Close())
	}
	return err
}

// forwarded returns how many bytes the output took.
func (o *outlet) forwarded() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.taken
}
