package receipt

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/internal/frames"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// streams holds what the receipt says of each stream against its file.
func (v *verifier) streams() {
	for _, name := range slices.Sorted(maps.Keys(v.receipt.Streams)) {
		v.stream(name, v.receipt.Streams[name])
	}
}

// stream reads one stream's file and compares.
func (v *verifier) stream(name string, s format.Stream) {
	for _, comp := range []format.Opt[format.Compression]{format.None[format.Compression](), format.Some(format.Zstd)} {
		_, err := v.c.Root().Stat(capture.StreamName(name, comp))
		if err == nil && (!s.Ref.IsSet() || comp != s.Compression) {
			v.fault(capture.StreamName(name, comp), "is there, but the receipt does not speak of it")
		}
	}
	if !s.Ref.IsSet() {
		v.nothingKept(name, s)
		return
	}
	file := capture.StreamName(name, s.Compression)
	if !s.Representation.Committed.IsKnown() {
		v.unsure(file)
		return
	}
	got, err := v.read(file, s.Compression)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.fault(file, "is missing")
	case err != nil:
		v.fault(file, "%v", err)
	default:
		v.compare(file, s, got)
	}
}

// unsure judges a file of which the receipt claims nothing, because nobody could
// tell what it holds: that it is there is all there is to see.
func (v *verifier) unsure(name string) {
	if _, err := v.c.Root().Stat(name); fsafe.KindOf(err) == fsafe.KindNotExist {
		v.fault(name, "is missing")
	}
}

// nothingKept judges what a receipt says of a stream without a file. In a copy
// that was to hold no more the bytes are with the origin.
func (v *verifier) nothingKept(name string, s format.Stream) {
	n, known := s.Representation.Committed.Value()
	if known && n > 0 && v.receipt.Capture.State != format.CaptureUnavailable {
		v.fault("receipt.json", "streams.%s: %d bytes are committed, but no file is named", name, n)
	}
}

// read returns what the file holds, read to its end.
func (v *verifier) read(name string, comp format.Opt[format.Compression]) (account.Content, error) {
	f, err := v.c.Root().Open(name)
	if err != nil {
		if fsafe.KindOf(err) == fsafe.KindNotExist {
			return account.Content{}, fs.ErrNotExist
		}
		return account.Content{}, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	if err != nil {
		return account.Content{}, err
	}
	if !comp.IsSet() {
		return account.Read(f)
	}
	r, err := frames.Open(f, info.Size())
	if err != nil {
		return account.Content{}, err
	}
	defer r.Close()
	if !r.Indexed() {
		return account.Content{}, errors.New("has no table of its frames at the end")
	}
	return account.Read(io.NewSectionReader(r, 0, r.Size()))
}

// compare holds the receipt's word against the bytes.
func (v *verifier) compare(file string, s format.Stream, got account.Content) {
	c := s.Representation
	if n, known := c.Committed.Value(); known && n != got.Size {
		v.fault(file, "holds %d bytes, but the receipt says that %d are committed", got.Size, n)
	}
	if sum, ok := s.SHA256.Get(); ok && sum != got.SHA256 {
		v.fault(file, "has the sha256 %s, but the receipt says %s", got.SHA256, sum)
	}
	if n, known := s.Lines.Value(); known && n != got.Lines {
		v.fault(file, "holds %d lines, but the receipt says %d", got.Lines, n)
	}
	if final, ok := s.FinalNewline.Get(); ok && got.Size > 0 && final != got.FinalNewline {
		v.fault(file, "ends with a newline: %v, but the receipt says %v", got.FinalNewline, final)
	}
	if kind, ok := v.receipt.Representation.Kind.Get(); ok && kind != format.KindBinary && !got.UTF8 {
		v.fault(file, "is not well-formed UTF-8, but the receipt says %s", kind)
	}
}
