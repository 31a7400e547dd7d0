package preview

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"spool/internal/capture"
	"spool/internal/frames"
	"spool/pkg/format"
)

// stored is a stream of a capture, open for reading: plain or compressed, live
// or final, or not there yet.
type stored struct {
	capture *capture.Capture
	name    string
	file    *capture.StreamFile // nil: nothing has been written yet
	frames  *frames.Reader      // of a compressed one
	size    int64               // committed bytes of the representation, when last looked at
}

// openStored opens a stream that the capture has. Where nothing was written yet
// it is empty.
func openStored(c *capture.Capture, name string) (*stored, error) {
	s := &stored{capture: c, name: name}
	return s, s.grow()
}

// grow looks at what has been committed since.
func (s *stored) grow() error {
	if s.file == nil {
		f, err := s.capture.OpenStream(s.name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		s.file = f
	}
	info, err := s.file.Stat()
	if err != nil {
		return s.located(err)
	}
	if _, compressed := s.file.Compression.Get(); !compressed {
		s.size = info.Size()
		return nil
	}
	if s.frames == nil {
		s.frames, err = frames.Open(s.file, info.Size())
	} else {
		err = s.frames.Grow(info.Size())
	}
	if err != nil {
		return s.located(err)
	}
	s.size = s.frames.Size()
	return nil
}

// Close lets go of the file.
func (s *stored) Close() error {
	if s.frames != nil {
		s.frames.Close()
	}
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// ReadAt reads the representation.
func (s *stored) ReadAt(p []byte, off int64) (n int, err error) {
	if off >= s.size {
		return 0, io.EOF
	}
	short := s.size-off < int64(len(p))
	if short {
		p = p[:s.size-off] // what is appended meanwhile is for the next look
	}
	if s.frames != nil {
		n, err = s.frames.ReadAt(p, off)
	} else {
		n, err = s.file.ReadAt(p, off)
	}
	switch {
	case n == len(p) && short:
		return n, io.EOF
	case n == len(p):
		return n, nil
	}
	return n, s.located(err)
}

func (s *stored) located(err error) error {
	return fmt.Errorf("stream %s: %w", s.capture.Ref(s.name), err)
}

// check holds the file against a final receipt. What was not kept, or is not
// what was, cannot be read.
func (s *stored) check(f facts) error {
	if !f.final {
		return nil
	}
	st, ok := f.receipt.Streams[s.name]
	if !ok {
		return fmt.Errorf("capture %s has no stream %q", s.capture.ID(), s.name)
	}
	if !st.Ref.IsSet() {
		return s.located(fmt.Errorf("nothing of it was kept (capture %s%s)", f.receipt.Capture.State, because(f.receipt.Capture.Reasons)))
	}
	if s.file == nil {
		return s.located(errors.New("its file is missing, though the receipt names it; spool-receipt verify tells more"))
	}
	if n, known := st.Representation.Committed.Value(); known && n != s.size {
		return s.located(fmt.Errorf("damaged: the receipt tells of %d bytes, the file holds %d", n, s.size))
	}
	return nil
}

func because(reasons []format.Reason) string {
	if len(reasons) == 0 {
		return ""
	}
	return ": " + string(reasons[0])
}

// section reads [from, to) of the stream, which must be there.
func (s *stored) section(from, to int64) ([]byte, error) {
	p := make([]byte, to-from)
	n, err := s.ReadAt(p, from)
	if n == len(p) {
		return p, nil
	}
	if errors.Is(err, io.EOF) {
		err = s.located(fmt.Errorf("it ends at byte %d, within what was to be read", from+int64(n)))
	}
	return nil, err
}

// part reads head and tail for a budget. Of a stream that is not kept whole, the
// end is the one that the preview's report has saved.
func (s *stored) part(b Budget, f facts) (Part, error) {
	most := int64(b.orDefault().Bytes)
	p := Part{Name: s.name, Total: s.size}
	if emitted, known := f.receipt.Streams[s.name].Representation.Emitted.Value(); f.final && known {
		p.Total = max(emitted, s.size)
	}
	if p.Total > s.size {
		if r, err := s.capture.Preview(s.name); err == nil && r.Observed.Is(p.Total) {
			return Reported(r), nil
		}
	}
	return s.ends(p, most, 4*most)
}

// SoFar returns the first head and the last tail bytes, at most, of what is kept
// of a stream at this moment. Nothing of one that has not begun is no error.
func SoFar(c *capture.Capture, stream string, head, tail int) (Part, error) {
	s, err := openStored(c, stream)
	if err != nil {
		return Part{Name: stream}, err
	}
	defer s.Close() //nolint:errcheck // it was only read
	return s.ends(Part{Name: stream, Total: s.size}, int64(head), int64(tail))
}

// ends fills in the first head and the last tail bytes of what is kept.
func (s *stored) ends(p Part, head, tail int64) (Part, error) {
	end := min(s.size, head)
	first, err := s.section(0, end)
	if err != nil {
		return p, err
	}
	start := max(end, s.size-tail)
	if p.Total > s.size {
		start = s.size // the true tail is lost: none is shown
	}
	last, err := s.section(start, s.size)
	if err != nil {
		return p, err
	}
	return between(p, first, last, start), nil
}

// between fills a part with what was read at its ends; start is where the tail
// was read from. A sequence that the middle tears is left to the middle; where
// there is none, it goes to the tail as a whole.
func between(p Part, head, tail []byte, start int64) Part {
	whole := wholeEnd(head)
	if start == int64(len(head)) && (len(tail) > 0 || p.Total == start) {
		tail = append(bytes.Clone(head[len(whole):]), tail...)
	} else {
		tail = wholeStart(tail)
	}
	p.Head, p.HeadEnd = whole, int64(len(whole))
	p.Tail, p.TailStart = tail, p.Total-int64(len(tail))
	return p
}
