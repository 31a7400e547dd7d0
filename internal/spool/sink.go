package spool

import (
	"os"

	"spool/internal/frames"
	"spool/pkg/fsafe"
)

// sink is the form in which a stream lies in its file.
type sink interface {
	// least returns how many bytes are worth a put.
	least() int
	// put appends p, whole characters, and returns how much of it can be read
	// from the file now: whole characters again. After an error there is no
	// further put.
	put(p []byte) (n int, err error)
	// finish completes the file after the last put.
	finish() error
}

// plainSink writes bytes as they are.
type plainSink struct {
	f    *os.File
	size int64 // of f
}

func (s *plainSink) least() int { return 1 }

func (s *plainSink) put(p []byte) (int, error) {
	n, err := fsafe.WriteFull(s.f, p)
	if err != nil {
		if m := whole(p, n); m < n && s.f.Truncate(s.size+int64(m)) == nil {
			n = m
		}
	}
	s.size += int64(n)
	return n, err
}

func (s *plainSink) finish() error { return nil }

// zstdSink writes each put as a frame of its own.
type zstdSink struct{ w *frames.Writer }

func (s *zstdSink) least() int { return frames.WorthFrame }

func (s *zstdSink) put(p []byte) (int, error) {
	if err := s.w.Append(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// finish writes the table of frames. Without it, as on a full disk, the stream
// is whole all the same, and read by walking its frames.
func (s *zstdSink) finish() error {
	_ = s.w.Finish()
	return nil
}

// newSink returns the sink for a new file.
func newSink(f *os.File, compress bool) sink {
	if compress {
		return &zstdSink{frames.NewWriter(f)}
	}
	return &plainSink{f: f}
}
