package spool

import (
	"os"

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
