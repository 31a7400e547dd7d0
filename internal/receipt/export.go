package receipt

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// ExportOptions say what goes into a bundle.
type ExportOptions struct {
	Streams      []string    // permitted; nil: all
	MaxBytes     format.Size // of all that is in the bundle, unpacked; 0 means Unlimited
	WithMetadata bool        // label, ids, notes and reasons go along
}

// ErrTooLarge says that a bundle would exceed its bound.
var ErrTooLarge = errors.New("the bundle is larger than its limit")

// Export writes final captures to the new file path: a tar archive compressed by
// zstd. Unpacked it is a namespace: each capture's receipt, launch facts and
// permitted streams, uncompressed, under its own ID, so that references point
// into it. A stream that is left out has no reference, and its capture is
// unavailable. Either all of it is written or no file is left.
func Export(ctx context.Context, captures []*capture.Capture, path string, o ExportOptions) (err error) {
	dir, name, err := fsafe.OpenParent(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if _, err := dir.Stat(name); fsafe.KindOf(err) != fsafe.KindNotExist {
		if err == nil {
			err = fmt.Errorf("%q exists: remove it or choose another name", path)
		}
		return err
	}
	temp := fsafe.TempName()
	f, err := dir.Create(temp)
	if err != nil {
		return err
	}
	err = writeBundle(ctx, f, captures, o)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = dir.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, dir.Remove(temp))
	}
	return dir.Sync()
}

// bundle is an archive being written.
type bundle struct {
	tar  *tar.Writer
	left int64 // bytes that may still go into it
	o    ExportOptions
}

func writeBundle(ctx context.Context, w io.Writer, captures []*capture.Capture, o ExportOptions) error {
	z, err := zstd.NewWriter(w)
	if err != nil {
		return err
	}
	b := &bundle{tar: tar.NewWriter(z), left: int64(o.MaxBytes), o: o}
	if o.MaxBytes == 0 {
		b.left = int64(format.Unlimited)
	}
	for _, c := range captures {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = b.capture(c)
		}
	}
	if err == nil {
		err = b.tar.Close()
	}
	return errors.Join(err, z.Close())
}

// capture adds one capture.
func (b *bundle) capture(c *capture.Capture) error {
	r, err := c.Receipt()
	if err != nil {
		return final(c, err)
	}
	begin, err := c.Begin()
	if err != nil {
		return err
	}
	if !b.o.WithMetadata {
		strip(begin, r)
	}
	detach(begin)
	kept := b.rewrite(r)
	facts, err := format.EncodeBegin(begin)
	if err != nil {
		return err
	}
	account, err := format.EncodeReceipt(r)
	if err != nil {
		return err
	}
	// Whole seconds, which is what a header holds: rounded up they would be to come.
	at := r.PublishedAt.Time().Truncate(time.Second)
	id := string(c.ID()) + "/"
	err = b.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: id, Mode: 0o700, ModTime: at})
	for _, file := range []struct {
		name string
		data []byte
	}{{"lock", nil}, {"begin.json", facts}, {"receipt.json", account}} {
		if err == nil {
			err = b.file(id+file.name, file.data, at)
		}
	}
	for _, stream := range kept {
		if err == nil {
			err = b.stream(c, stream, r.Streams[stream], at)
		}
	}
	return err
}

// final tells of a capture whose receipt is not there that it is not final.
func final(c *capture.Capture, err error) error {
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return fmt.Errorf("capture %s: %w", c.ID(), ErrNotFinal)
	}
	return err
}

// rewrite makes r speak of the bundle, and returns the streams that go into it.
func (b *bundle) rewrite(r *format.Receipt) (kept []string) {
	for _, name := range slices.Sorted(maps.Keys(r.Streams)) {
		s := r.Streams[name]
		s.Compression = format.None[format.Compression]() // the bundle is compressed as a whole
		switch {
		case !s.Ref.IsSet(): // nothing was kept
		case b.o.Streams == nil || slices.Contains(b.o.Streams, name):
			kept = append(kept, name)
		default:
			s.Ref = format.None[string]()
			r.Capture = format.Capture{State: format.CaptureUnavailable, Reasons: []format.Reason{}}
		}
		r.Streams[name] = s
	}
	return kept
}

// stream adds a stream's bytes, and what its preview's report says of the tail.
func (b *bundle) stream(c *capture.Capture, name string, s format.Stream, at time.Time) (err error) {
	bytes, size, done, err := openWhole(c, name, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	path := c.Ref(name)
	if err := b.header(path, size, at); err != nil {
		return err
	}
	content, err := account.Read(io.TeeReader(io.NewSectionReader(bytes, 0, size), b.tar))
	if err != nil {
		return fmt.Errorf("stream %q: %w", path, err)
	}
	if err := matches(path, s, content); err != nil {
		return err
	}
	if s.Whole() == nil {
		return nil
	}
	p, err := c.Preview(name)
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return nil
	}
	if err != nil {
		return err
	}
	data, err := format.EncodePreview(p)
	if err != nil {
		return err
	}
	return b.file(path+".preview.json", data, at)
}

// openWhole opens a final stream's retained bytes, uncompressed, which must be
// as many as the receipt says.
func openWhole(c *capture.Capture, name string, s format.Stream) (bytes io.ReaderAt, size int64, done func() error, err error) {
	f, err := c.OpenStream(name)
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return nil, 0, nil, fmt.Errorf("stream %q: %w", c.Ref(name), ErrNeedsTransfer)
	}
	if err != nil {
		return nil, 0, nil, err
	}
	bytes, size, free, err := account.Decoded(f)
	if err == nil && !s.Representation.Committed.Is(size) {
		free()
		err = fmt.Errorf("holds %d bytes, but the receipt says %v: spool-receipt verify tells more", size, s.Representation.Committed)
	}
	if err != nil {
		return nil, 0, nil, errors.Join(fmt.Errorf("stream %q: %w", c.Ref(name), err), f.Close())
	}
	return bytes, size, func() error { free(); return f.Close() }, nil
}

// matches holds what was copied against the receipt: a damaged stream is not
// handed on.
func matches(ref string, s format.Stream, got account.Content) error {
	if sum, ok := s.SHA256.Get(); ok && sum != got.SHA256 {
		return fmt.Errorf("stream %q is damaged: it has not the sha256 of its receipt", ref)
	}
	return nil
}

// file adds a small file.
func (b *bundle) file(name string, data []byte, at time.Time) error {
	if err := b.header(name, int64(len(data)), at); err != nil {
		return err
	}
	_, err := b.tar.Write(data)
	return err
}

func (b *bundle) header(name string, size int64, at time.Time) error {
	if b.left < size {
		return fmt.Errorf("%w of %v: there is no room for %q", ErrTooLarge, b.o.MaxBytes, name)
	}
	b.left -= size
	return b.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: at})
}
