// Package frames reads streams that are stored in the seekable zstd format:
// independent frames of bounded size, and at the end of a final file a table of
// them (contrib/seekable_format in zstd's sources). A range is read by decoding
// the frames that it touches.
//
// A file that is still being written, or was left by a writer that died, has no
// table; then the frames' own headers are walked. What follows the last whole
// frame there does not count.
//
// The caveat: one entry of an index is held for each frame, 32 bytes for some
// 128 KiB of stream.
package frames

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/klauspost/compress/zstd"
)

// ErrDamaged says that the file is not what its writer wrote.
var ErrDamaged = errors.New("damaged")

// MaxFrame bounds what one frame may decode to, in bytes. Ours hold 64 to 256
// KiB.
const MaxFrame = 8 << 20

// Reader reads a compressed stream as if it were a plain file. Its methods may
// not be used by several goroutines at once.
type Reader struct {
	file    io.ReaderAt
	size    int64   // of the file, as far as it was looked at
	walked  int64   // where the next frame begins, if one follows
	index   []frame // by start; no gap between them
	length  int64   // decoded bytes of all frames
	table   bool    // the index is from a table: nothing follows
	decoder *zstd.Decoder
	cached  int    // index of the frame in cache, or -1
	cache   []byte // decoded
	packed  []byte // buffer for a frame as it is in the file
}

// frame is one frame's place in the file and in the stream.
type frame struct {
	at, size      int64
	start, length int64
}

// Open opens a stream in the first size bytes of file. Nothing but the table,
// or the frames' headers, is read.
func Open(file io.ReaderAt, size int64) (*Reader, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxFrame))
	if err != nil {
		return nil, err
	}
	r := &Reader{file: file, size: size, decoder: d, cached: -1}
	found, err := r.readTable()
	if err == nil && !found {
		err = r.Grow(size)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close releases memory. The file remains open.
func (r *Reader) Close() { r.decoder.Close() }

// Size returns the length of the stream: the decoded bytes of all whole frames.
func (r *Reader) Size() int64 { return r.length }

// Packed returns the bytes of the file that the whole frames take.
func (r *Reader) Packed() int64 { return r.walked }

// Indexed tells whether the file ends with a table of its frames.
func (r *Reader) Indexed() bool { return r.table }

// Grow takes in the frames that were appended since, up to the first size bytes
// of the file. A file that has become final meanwhile ends the growth.
func (r *Reader) Grow(size int64) error {
	if r.table || size <= r.walked {
		return nil
	}
	r.size = size
	for {
		f, err := r.walk()
		if err != nil || f.size == 0 {
			return err
		}
		if f.length < 0 {
			r.table = true // a skippable frame: the table
			return nil
		}
		r.append(f.size, f.length)
	}
}

func (r *Reader) append(size, length int64) {
	r.index = append(r.index, frame{at: r.walked, size: size, start: r.length, length: length})
	r.walked += size
	r.length += length
}

// ReadAt is that of [io.ReaderAt].
func (r *Reader) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("read at %d: %w", off, ErrDamaged)
	}
	i := sort.Search(len(r.index), func(i int) bool { return r.index[i].start+r.index[i].length > off })
	for ; n < len(p) && i < len(r.index); i++ {
		if err := r.decode(i); err != nil {
			return n, err
		}
		n += copy(p[n:], r.cache[off+int64(n)-r.index[i].start:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// decode puts frame i into the cache.
func (r *Reader) decode(i int) error {
	if r.cached == i {
		return nil
	}
	f := r.index[i]
	packed, err := r.load(f.at, f.size)
	if err != nil {
		return err
	}
	r.cached = -1
	r.cache, err = r.decoder.DecodeAll(packed, r.cache[:0])
	if err != nil {
		return fmt.Errorf("frame at byte %d: %w: %w", f.at, ErrDamaged, err)
	}
	if int64(len(r.cache)) != f.length {
		return fmt.Errorf("frame at byte %d: %w: decodes to %d bytes, not to %d", f.at, ErrDamaged, len(r.cache), f.length)
	}
	r.cached = i
	return nil
}

// load reads a piece of the file that must be there. It is valid until the next
// load.
func (r *Reader) load(at, size int64) ([]byte, error) {
	if int64(cap(r.packed)) < size {
		r.packed = make([]byte, size)
	}
	p := r.packed[:size]
	if n, err := r.file.ReadAt(p, at); n < len(p) {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("%w: the file ends", ErrDamaged)
		}
		return nil, fmt.Errorf("frame at byte %d: %w", at, err)
	}
	return p, nil
}
