package preview

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// How a stream is looked through.
const (
	blockSize = 256 << 10
	overlap   = 4 << 10 // of two pieces of a line longer than a block, for what lies across
)

// eachBlock hands [from, to) of src on in blocks of bounded size. A block ends
// with a line's end, where it has one. The pieces of a line that is longer than
// a block overlap by over bytes; no newline lies in an overlap. It stops where
// visit returns false.
func eachBlock(src io.ReaderAt, from, to int64, over int, visit func(at int64, b []byte) bool) error {
	buf := make([]byte, min(blockSize, max(to-from, 0)))
	for from < to {
		b := buf[:min(int64(len(buf)), to-from)]
		n, err := src.ReadAt(b, from)
		if n < len(b) {
			if err == nil || errors.Is(err, io.EOF) {
				err = fmt.Errorf("cut at byte %d while it was read: %w", from+int64(n), io.ErrUnexpectedEOF)
			}
			return err
		}
		next := from + int64(len(b))
		if next < to {
			if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
				b = b[:i+1]
				next = from + int64(len(b))
			} else {
				next -= int64(over)
			}
		}
		if !visit(from, b) {
			return nil
		}
		from = next
	}
	return nil
}

// countLines returns the number of the line that position p of src is in,
// counted from 1.
func countLines(src io.ReaderAt, p int64) (int64, error) {
	line := int64(1)
	err := eachBlock(src, 0, p, 0, func(_ int64, b []byte) bool {
		line += int64(bytes.Count(b, []byte("\n")))
		return true
	})
	return line, err
}
