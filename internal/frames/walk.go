package frames

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Bounds of a frame, RFC 8878, section 3.1.1.
const (
	maxHeader   = 18 // magic number and header
	blockHeader = 3
	checksum    = 4
	maxPacked   = MaxFrame + MaxFrame/64 + 1024 // incompressible, in blocks with their headers
)

// walk measures the frame at r.walked. Its size is 0 if it is not whole, or none
// follows, and its length -1 if it is a skippable one, as the table is.
func (r *Reader) walk() (frame, error) {
	head := make([]byte, min(maxHeader, r.size-r.walked))
	if n, err := r.file.ReadAt(head, r.walked); n < len(head) {
		if errors.Is(err, io.EOF) {
			err = nil // it was cut meanwhile
		}
		return frame{}, err
	}
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		if len(head) < maxHeader {
			return frame{}, nil
		}
		return frame{}, fmt.Errorf("frame at byte %d: %w: %w", r.walked, ErrDamaged, err)
	}
	if h.Skippable {
		return frame{size: int64(h.HeaderSize) + int64(h.SkippableSize), length: -1}, nil
	}
	size, whole, err := r.measure(int64(h.HeaderSize), h.HasCheckSum)
	if err != nil || !whole {
		return frame{}, err
	}
	f := frame{at: r.walked, size: size, length: int64(h.FrameContentSize)} //nolint:gosec // checked below
	if !h.HasFCS {
		f.length, err = r.decodedLength(f)
	}
	if err == nil && (f.length < 0 || f.length > MaxFrame) {
		err = fmt.Errorf("frame at byte %d: %w: %d bytes in one frame", r.walked, ErrDamaged, f.length)
	}
	return f, err
}

// measure adds up the frame's blocks behind its header.
func (r *Reader) measure(size int64, sum bool) (total int64, whole bool, err error) {
	for last := false; !last; {
		var b [blockHeader]byte
		if n, err := r.file.ReadAt(b[:], r.walked+size); n < len(b) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return 0, false, err
		}
		v := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
		length := int64(v >> 3)
		switch v >> 1 & 3 {
		case 1:
			length = 1 // one byte, repeated
		case 3:
			return 0, false, fmt.Errorf("frame at byte %d: %w: a block of no kind", r.walked, ErrDamaged)
		}
		last = v&1 == 1
		if size += blockHeader + length; size > maxPacked {
			return 0, false, fmt.Errorf("frame at byte %d: %w: larger than %d bytes", r.walked, ErrDamaged, maxPacked)
		}
	}
	if sum {
		size += checksum
	}
	return size, r.walked+size <= r.size, nil
}

// decodedLength decodes a frame that does not tell its length.
func (r *Reader) decodedLength(f frame) (int64, error) {
	packed, err := r.load(f.at, f.size)
	if err != nil {
		return 0, err
	}
	r.cached = -1
	r.cache, err = r.decoder.DecodeAll(packed, r.cache[:0])
	if err != nil {
		return 0, fmt.Errorf("frame at byte %d: %w: %w", f.at, ErrDamaged, err)
	}
	return int64(len(r.cache)), nil
}

// The table at the end: a skippable frame of entries and a footer.
const (
	tableMagic  = 0x184D2A5E
	footerMagic = 0x8F92EAB1
	footerSize  = 9
	tableHeader = 8
	maxEntries  = 0x8000000
)

// readTable fills the index from the table at the end of the file, if there is
// one.
func (r *Reader) readTable() (found bool, err error) {
	if r.size < tableHeader+footerSize {
		return false, nil
	}
	foot, err := r.load(r.size-footerSize, footerSize)
	if err != nil {
		return false, err
	}
	if binary.LittleEndian.Uint32(foot[5:]) != footerMagic {
		return false, nil
	}
	count, entry := int64(binary.LittleEndian.Uint32(foot)), int64(8)
	if foot[4]&0x80 != 0 {
		entry += 4 // a checksum of each frame; the frames have their own
	}
	size := tableHeader + count*entry + footerSize
	if count > maxEntries || size > r.size {
		return false, fmt.Errorf("table of frames: %w: %d entries", ErrDamaged, count)
	}
	table, err := r.load(r.size-size, size)
	if err != nil {
		return false, err
	}
	if binary.LittleEndian.Uint32(table) != tableMagic || int64(binary.LittleEndian.Uint32(table[4:])) != size-tableHeader {
		return false, fmt.Errorf("table of frames: %w: its head does not fit its end", ErrDamaged)
	}
	r.index = make([]frame, 0, count)
	for e := table[tableHeader : size-footerSize]; len(e) > 0; e = e[entry:] {
		packed, length := int64(binary.LittleEndian.Uint32(e)), int64(binary.LittleEndian.Uint32(e[4:]))
		if length > MaxFrame || packed > maxPacked {
			return false, fmt.Errorf("table of frames: %w: a frame of %d bytes", ErrDamaged, length)
		}
		r.append(packed, length)
	}
	if r.walked != r.size-size {
		return false, fmt.Errorf("table of frames: %w: %d bytes in the table, %d in the file", ErrDamaged, r.walked, r.size-size)
	}
	r.table = true
	return true, nil
}
