package pipeline

import (
	"errors"
	"io"
	"io/fs"
	"unicode/utf8"

	"spool/internal/capture"
	"spool/internal/frames"
	"spool/internal/preview"
)

// committed returns the first and the last limit bytes of what is kept of a
// stream so far. Nothing of a stream that has not begun is no error.
func committed(c *capture.Capture, stream string, limit int) (preview.Part, error) {
	part := preview.Part{Name: stream}
	f, err := c.OpenStream(stream)
	if errors.Is(err, fs.ErrNotExist) {
		return part, nil
	}
	if err != nil {
		return part, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return part, err
	}
	var from io.ReaderAt = f
	part.Total = info.Size()
	if f.Compression.IsSet() {
		packed, err := frames.Open(f, info.Size())
		if err != nil {
			return preview.Part{Name: stream}, err
		}
		defer packed.Close()
		from, part.Total = packed, packed.Size()
	}
	return ends(from, part, limit)
}

// ends fills in head and tail of a part whose length is known.
func ends(from io.ReaderAt, part preview.Part, limit int) (preview.Part, error) {
	n := min(int64(limit), part.Total)
	head, err := readRange(from, 0, n)
	if err != nil {
		return part, err
	}
	tail, err := readRange(from, max(n, part.Total-int64(limit)), part.Total)
	if err != nil {
		return part, err
	}
	if n < part.Total {
		for range utf8.UTFMax - 1 { // a character that the head begins is the middle's
			if r, size := utf8.DecodeLastRune(head); r == utf8.RuneError && size == 1 {
				head = head[:len(head)-1]
			}
		}
		for range utf8.UTFMax - 1 {
			if len(tail) > 0 && !utf8.RuneStart(tail[0]) {
				tail = tail[1:]
			}
		}
	}
	part.Head, part.HeadEnd = head, int64(len(head))
	part.Tail, part.TailStart = tail, part.Total-int64(len(tail))
	return part, nil
}

// readRange reads the bytes [start, end).
func readRange(from io.ReaderAt, start, end int64) ([]byte, error) {
	data := make([]byte, end-start)
	n, err := from.ReadAt(data, start)
	if n == len(data) {
		err = nil
	}
	return data[:n], err
}
