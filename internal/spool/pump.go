package spool

import (
	"errors"
	"io"
	"time"
)

// errStopped says that the input did not end, but we were told to.
var errStopped = errors.New("stopped before the end of the input")

// pump reads the input to its end and passes it on.
type pump struct {
	in       io.Reader
	out      *outlet
	q        *queue
	patience time.Duration // left of the stall bound
	rest     bool          // only what is not retained is passed on
	dropped  bool          // what is not retained and was in the queue has been passed on
	stalled  func()        // called once, if the keeper did not keep up
	grow     func()        // makes the input's pipe larger; called once, where it pays; or nil
	full     int           // reads in a row that found the pipe full
}

// Reads of this size, this often in a row, show a pipe that is kept full.
const (
	pipeSize  = 64 << 10
	growAfter = 4
)

// read takes the input in, to io.EOF or another error that ends it.
func (p *pump) read() error {
	if err := p.fill(); err != nil {
		return err
	}
	p.drop()
	return p.drain()
}

// fill reads into the queue, until retention ends (nil) or the input.
func (p *pump) fill() error {
	for {
		buf, stalled := p.q.room(&p.patience)
		if stalled {
			p.stalled()
		}
		if len(buf) == 0 {
			return nil
		}
		n, err := p.in.Read(buf)
		if n > 0 && !p.q.commit(n) {
			return errStopped
		}
		if !p.rest {
			p.out.write(buf[:n])
		}
		if err != nil {
			return err
		}
		p.measure(n)
	}
}

// drop passes on what was taken in, but will not be retained. It is for after
// the end of retention.
func (p *pump) drop() {
	if !p.rest || p.dropped {
		return
	}
	p.dropped = true
	for _, part := range p.q.rest() {
		p.out.write(part)
	}
}

// drain passes on, until the input ends.
func (p *pump) drain() error {
	if err := p.move(); !errors.Is(err, errUnmovable) {
		return err
	}
	buf := make([]byte, chunkSize)
	for {
		n, err := p.in.Read(buf)
		if n > 0 && !p.q.count(n) {
			return errStopped
		}
		p.out.write(buf[:n])
		if err != nil {
			return err
		}
		p.measure(n)
	}
}

// move passes on without reading, as long as that is possible.
func (p *pump) move() error {
	m := newMover(p.in, p.out)
	if m == nil || p.out.failure() != nil {
		return errUnmovable
	}
	for {
		n, err := m.move()
		if err != nil {
			return err
		}
		if !p.q.count(n) {
			return errStopped
		}
		p.measure(n)
	}
}

// measure grows the pipe of an input that is always full: fewer, larger reads.
func (p *pump) measure(n int) {
	if p.grow == nil {
		return
	}
	p.full++
	if n < pipeSize {
		p.full = 0
	}
	if p.full == growAfter {
		p.grow()
		p.grow = nil
	}
}
