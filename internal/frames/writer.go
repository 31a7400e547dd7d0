package frames

import (
	"os"

	"github.com/klauspost/compress/zstd"
)

// WorthFrame is how many bytes a frame should hold at least: smaller ones
// compress badly, and each costs an entry in the table.
const WorthFrame = 64 << 10

// window is how far back a frame refers, in bytes: all of the frame, as our
// writer makes them.
const window = 256 << 10

// Writer writes a stream in the seekable zstd format. After any error the file
// holds whole frames only, as far as it can still be cut.
type Writer struct {
	file    *os.File
	encoder *zstd.Encoder
	at      int64   // bytes of whole frames in the file
	index   []frame // those frames; their sizes alone are set
	packed  []byte  // buffer for a frame
}

// NewWriter makes a writer of an empty file, which remains the caller's.
func NewWriter(file *os.File) *Writer {
	// The fastest level: the stream must not wait for its compression.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("frames: " + err.Error()) // of options that are fixed
	}
	return &Writer{file: file, encoder: e}
}

// Append writes p, at most [MaxFrame] bytes, as one frame. When it returns
// without an error, p can be read from the file.
func (w *Writer) Append(p []byte) error {
	if len(p) > MaxFrame {
		panic("frames: a frame too large")
	}
	if len(p) == 0 {
		return nil
	}
	w.packed = w.encoder.EncodeAll(p, w.packed[:0])
	if err := w.write(w.packed); err != nil {
		return err
	}
	w.at += int64(len(w.packed))
	w.index = append(w.index, frame{size: int64(len(w.packed)), length: int64(len(p))})
	return nil
}

// Finish appends the table of frames. Without it, as after an error, the file
// can be read all the same, by walking its frames.
func (w *Writer) Finish() error { return w.write(encodeTable(w.index)) }

// write appends b, or leaves the file as it was.
func (w *Writer) write(b []byte) error {
	_, err := w.file.WriteAt(b, w.at)
	if err != nil {
		_ = w.file.Truncate(w.at) // the first error is the one that tells
	}
	return err
}
