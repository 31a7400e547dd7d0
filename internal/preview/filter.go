package preview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// Defaults and bounds of the filter.
const (
	DefaultHead = 2000    // characters
	DefaultTail = 6000    // characters
	MinBytes    = 64      // room for an omission line, up to some GB
	MaxBytes    = 1 << 20 // bounds what is remembered, and with it memory
)

// Bounds in time and size of the filter's work.
const (
	sinkWait  = 2 * time.Second // for a reader of stdout that stalls
	lastQuiet = 50 * time.Millisecond
	lastWait  = 500 * time.Millisecond // for what is on its way at the end
	readSize  = 256 << 10
	fullRead  = 64 << 10 // a pipe of the usual size is full
	fullReads = 8        // times in all until the pipe is grown
	besideMax = 128      // characters of a budget to which notes are added, instead of taken from it
)

// FilterOptions are those of the stage. The zero value shows nothing and
// reports nowhere.
type FilterOptions struct {
	Head, Tail int // characters, 0 to [MaxBytes]
	Bytes      int // [MinBytes] to [MaxBytes], over all that is printed; 0 is [DefaultBytes]
	Terminal   bool

	// Stream names the stream in the report; Report writes it, nil if none is
	// asked for. Keep is the budget that the report has to serve.
	Stream string
	Keep   Budget
	Report func(*format.PreviewReport) error
	Tool   format.Tool

	// begin does what may take a while; the input is read meanwhile.
	begin func()
	// whole makes the part of the stream of what has come; nil if that is all.
	// An error says that where it lies in the stream is unknown.
	whole    func(rest Part, most int64) (Part, error)
	patience time.Duration // with a reader of stdout; 0 is sinkWait
}

// Filter reads in to its end, whatever happens to out, and then prints head and
// tail to out and writes the report. When ctx is done first, what has come so
// far is settled the same way, and in is left to a reader that nobody waits
// for.
//
// The error says that something was not done: the input could not be read, or
// not to its end, the output was not taken, the report was not written.
func Filter(ctx context.Context, o FilterOptions, in io.Reader, out io.Writer) error {
	if o.Bytes == 0 {
		o.Bytes = DefaultBytes
	}
	most := max(o.Bytes, o.Keep.orDefault().Bytes)
	i := newIntake(most)
	go i.run(in)
	if o.begin != nil {
		o.begin()
	}
	select {
	case <-i.done:
	case <-ctx.Done():
		i.takeLast()
	}
	part, eof, err := i.settle(o.Stream)
	if err != nil {
		err = fmt.Errorf("read stdin: %w", err)
	}
	placed := true
	if o.whole != nil {
		all, unplaced := o.whole(part, int64(most))
		part, placed, err = all, unplaced == nil, errors.Join(err, unplaced)
	}
	part.Terminal = o.Terminal
	shown := o.shape().show(part)
	err = errors.Join(err, o.print(out, shown.Text))
	var stopped error
	if !eof && ctx.Err() != nil {
		stopped = errStopped
	}
	if o.Report == nil {
		return errors.Join(err, stopped)
	}
	part.Terminal = false
	r := reportOf(keep(o.Keep, part), o.Tool)
	r.EOF = eof
	r.Returned, r.Omitted = format.Known(shown.Returned), format.Known(shown.Omitted)
	if !placed {
		r.Observed, r.HeadEnd, r.TailStart, r.Omitted = format.Unknown(), format.Unknown(), format.Unknown(), format.Unknown()
	}
	if err != nil {
		r.Error = format.Some(format.CleanText(err.Error(), format.MaxLabel))
	}
	return errors.Join(err, o.report(r), stopped)
}

// errStopped says that the input did not end, but we were told to.
var errStopped = errors.New("stopped before the end of the input")

// shape counts the notes into the budget, unless that is so small that they
// would stand in the place of what was asked for.
func (o FilterOptions) shape() shape {
	most := o.Head + o.Tail
	return shape{
		most: span{most, o.Bytes},
		head: o.Head, tail: o.Tail, tailMost: o.Tail,
		beside: most < besideMax,
	}
}

// print writes the text. In a line of stages nobody may be kept waiting by a
// reader who does not read.
func (o FilterOptions) print(out io.Writer, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	done := make(chan error, 1)
	go func() {
		_, err := out.Write(text)
		done <- err
	}()
	var patience <-chan time.Time
	wait := cmp.Or(o.patience, sinkWait)
	if o.Report != nil {
		patience = time.After(wait)
	}
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("write stdout: %w", err)
		}
		return nil
	case <-patience:
		return fmt.Errorf("write stdout: nobody has read for %v", wait)
	}
}

// report writes the report. Where the disk has room for none of this length, the
// counts and the end of the tail are worth more than nothing.
func (o FilterOptions) report(r *format.PreviewReport) error {
	for {
		err := o.Report(r)
		if k := fsafe.KindOf(err); k != fsafe.KindNoSpace && k != fsafe.KindQuota || len(r.Head)+len(r.Tail) == 0 {
			return err
		}
		shorten(r)
	}
}

// shorten halves what a report holds: from the middle, so that the ends stay.
func shorten(r *format.PreviewReport) {
	p := Reported(r)
	head, tail := p.ends()
	if p.isWhole() && len(tail.b) == 0 {
		tail = text{b: head.b[lastWithin(head.b, span{len(head.b), len(head.b) / 2}):], lossy: head.lossy}
		head.b = head.b[:len(head.b)-len(tail.b)]
	}
	h := head.b[:firstWithin(head.b, span{len(head.b), len(head.b) / 2})]
	t := tail.b[lastWithin(tail.b, span{len(tail.b), len(tail.b) / 2}):]
	r.Head, r.HeadEnd = string(h), format.Known(head.raw(h))
	r.Tail, r.TailStart = string(t), format.Known(p.Total-tail.raw(t))
}

// intake reads a stream into a window.
type intake struct {
	done chan struct{} // closed when the stream has ended

	mu     sync.Mutex
	window *Window
	closed bool  // settled: what comes later counts no more
	err    error // io.EOF if the input ended by itself
}

func newIntake(bytes int) *intake {
	// Lines that are drawn again take much and show little: the tail gets more
	// than can be shown.
	return &intake{done: make(chan struct{}), window: NewWindow(bytes, 4*bytes)}
}

func (i *intake) run(in io.Reader) {
	defer close(i.done)
	buf := make([]byte, readSize)
	full := 0
	for {
		n, err := in.Read(buf)
		if n >= fullRead {
			if full++; full == fullReads {
				grow(in)
			}
		}
		i.mu.Lock()
		if !i.closed {
			_, _ = i.window.Write(buf[:n]) // never fails
			i.err = err
		}
		i.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// takeLast lets in what neighbours that were told to end, too, have still to
// say: until nothing comes for a moment.
func (i *intake) takeLast() {
	deadline := time.After(lastWait)
	for before := int64(-1); ; {
		i.mu.Lock()
		now := i.window.Total()
		i.mu.Unlock()
		if now == before {
			return
		}
		before = now
		select {
		case <-i.done:
			return
		case <-deadline:
			return
		case <-time.After(lastQuiet):
		}
	}
}

// settle returns what has been read. After it nothing more is taken.
func (i *intake) settle(name string) (p Part, eof bool, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	if i.err != nil && !errors.Is(i.err, io.EOF) {
		err = i.err
	}
	return i.window.Part(name), errors.Is(i.err, io.EOF), err
}
