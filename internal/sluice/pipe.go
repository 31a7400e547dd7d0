package sluice

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// ErrStalled says that the pipe took nothing for the whole of the patience.
var ErrStalled = errors.New("took nothing")

// Pipe is the writing end of a pipe that takes something within its patience, or
// has failed.
type Pipe struct {
	*os.File
	patience time.Duration // > 0
}

// Open returns the pipe w anew: others who write to it are left undisturbed. It
// is nil where w is no pipe, or the system does not let us; then w has to do.
func Open(w io.Writer, patience time.Duration) *Pipe {
	f, ok := w.(*os.File)
	if !ok || patience <= 0 {
		return nil
	}
	if f = unblocked(f); f == nil {
		return nil
	}
	return &Pipe{File: f, patience: patience}
}

// Allow gives whoever writes to the descriptor next the patience from now.
func (p *Pipe) Allow() {
	_ = p.SetWriteDeadline(time.Now().Add(p.patience)) // one that has none waits
}

// Write writes all of b, however slowly it is taken. The error wraps
// [ErrStalled] once nothing is.
func (p *Pipe) Write(b []byte) (n int, err error) {
	for {
		p.Allow()
		m, err := p.File.Write(b[n:])
		n += m
		late := errors.Is(err, os.ErrDeadlineExceeded)
		switch {
		case late && m == 0:
			return n, p.Stalled()
		case err != nil && !late, n == len(b):
			return n, err
		}
	}
}

// Stalled is the error of a write that was given up.
func (p *Pipe) Stalled() error { return fmt.Errorf("%w for %v", ErrStalled, p.patience) }
