package account

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"spool/internal/capture"
	"spool/internal/frames"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// Gather returns what the capture's directory tells. The bytes of a stream are
// read only if read is set and no report tells about them. The error says that
// there are no launch facts, without which there is no account; everything else
// that cannot be read is among the faults.
func Gather(c *capture.Capture, read bool) (Facts, error) {
	begin, err := c.Begin()
	if err != nil {
		return Facts{}, err
	}
	f := Facts{Begin: begin, Streams: make(map[string]StreamFacts, len(begin.Streams))}
	f.Process = known(&f, c.Process)
	for _, name := range begin.Streams {
		s := StreamFacts{
			Redact:  known(&f, func() (*format.RedactReport, error) { return c.Redact(name) }),
			Tee:     known(&f, func() (*format.TeeReport, error) { return c.Tee(name) }),
			Preview: known(&f, func() (*format.PreviewReport, error) { return c.Preview(name) }),
		}
		s.File = s.retained(&f, c, name, read)
		f.Streams[name] = s
	}
	return f, nil
}

// known returns what get does, or nil: a fault if it is there but not to be had.
func known[T any](f *Facts, get func() (*T, error)) *T {
	v, err := get()
	if err == nil {
		return v
	}
	if !errors.Is(err, fs.ErrNotExist) {
		f.Faults = append(f.Faults, err)
	}
	return nil
}

// retained returns what is known of the stream's file. An error of the disk or
// the system says nothing about what is in it.
func (s StreamFacts) retained(f *Facts, c *capture.Capture, name string, read bool) *Retained {
	if s.givenUp() {
		if writing, err := c.WriterAlive(name); writing && err == nil {
			return &Retained{Compression: s.Tee.Compression, Unsure: true}
		}
	}
	file, err := s.look(c, name, read)
	switch fsafe.KindOf(err) {
	case fsafe.KindNone:
		return file
	case fsafe.KindNotExist:
		return nil
	case fsafe.KindIO, fsafe.KindNoSpace, fsafe.KindQuota, fsafe.KindOther:
		file = &Retained{Compression: formOf(c, name), Unsure: true}
	}
	f.Faults = append(f.Faults, err)
	return file
}

// givenUp tells whether tee gave up a write that did not return.
func (s StreamFacts) givenUp() bool { return s.Tee != nil && !s.Tee.Counts.Committed.IsKnown() }

// formOf returns the form that the name of a stream's file tells of.
func formOf(c *capture.Capture, stream string) format.Opt[format.Compression] {
	zstd := format.Some(format.Zstd)
	for _, name := range []string{capture.StreamName(stream, zstd), capture.LiveName(stream, zstd)} {
		if _, err := c.Root().Stat(name); err == nil {
			return zstd
		}
	}
	return format.None[format.Compression]()
}

// look measures the stream's file, and reads it if it has to be.
func (s StreamFacts) look(c *capture.Capture, name string, read bool) (*Retained, error) {
	file, err := c.OpenStream(name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	bytes, size, done, err := Decoded(file)
	if err != nil {
		return nil, fmt.Errorf("stream %q: %w", c.Ref(name), err)
	}
	defer done()
	s.File = &Retained{Compression: file.Compression, Size: size}
	if !read || !s.Unread() {
		return s.File, nil
	}
	content, err := Read(io.NewSectionReader(bytes, 0, size))
	if err != nil {
		return nil, fmt.Errorf("stream %q: %w", c.Ref(name), err)
	}
	s.File.Content = &content
	return s.File, nil
}

// Decoded returns the stream's retained bytes, uncompressed, and how many there
// are at this moment. done releases memory; the file remains open.
func Decoded(file *capture.StreamFile) (bytes io.ReaderAt, size int64, done func(), err error) {
	info, err := file.Stat()
	if err != nil {
		return nil, 0, nil, err
	}
	if !file.Compression.IsSet() {
		return file, info.Size(), func() {}, nil
	}
	r, err := frames.Open(file, info.Size())
	if err != nil {
		return nil, 0, nil, err
	}
	return r, r.Size(), r.Close, nil
}
