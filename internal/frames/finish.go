package frames

import (
	"encoding/binary"
	"io"
)

// Growing is a file that [Finish] can bring to its end.
type Growing interface {
	io.ReaderAt
	io.WriterAt
	io.Seeker
	Truncate(size int64) error
}

// Finish makes the file that a writer left a final one: whole frames and their
// table. What follows the last whole frame is cut off. On a file that is final
// it does nothing; it may be repeated after a death in the middle.
func Finish(f Growing) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	r, err := Open(f, size)
	if err != nil {
		return err
	}
	defer r.Close()
	if final, err := r.hasFooter(); err != nil || final {
		return err
	}
	if err := f.Truncate(r.walked); err != nil {
		return err
	}
	_, err = f.WriteAt(encodeTable(r.index), r.walked)
	return err
}

// hasFooter tells whether the file ends as a table does.
func (r *Reader) hasFooter() (bool, error) {
	if r.size < tableHeader+footerSize {
		return false, nil
	}
	foot, err := r.load(r.size-footerSize, footerSize)
	return err == nil && binary.LittleEndian.Uint32(foot[5:]) == footerMagic, err
}

// encodeTable writes the table of frames: a skippable one, with an entry for
// each and a footer.
func encodeTable(index []frame) []byte {
	const entry = 8
	size := tableHeader + len(index)*entry + footerSize
	b := make([]byte, 0, size)
	b = binary.LittleEndian.AppendUint32(b, tableMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(size-tableHeader)) //nolint:gosec // at most maxEntries
	for _, f := range index {
		b = binary.LittleEndian.AppendUint32(b, uint32(f.size))   //nolint:gosec // at most maxPacked
		b = binary.LittleEndian.AppendUint32(b, uint32(f.length)) //nolint:gosec // at most MaxFrame
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(index))) //nolint:gosec // at most maxEntries
	b = append(b, 0)                                            // no checksums: the frames have their own
	return binary.LittleEndian.AppendUint32(b, footerMagic)
}
