package receipt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"time"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/pkg/format"
)

// ShareOptions say how a copy is made.
type ShareOptions struct {
	Limits       format.Limits // of the receiving namespace
	WithMetadata bool          // label, ids, notes and reasons go along
	Now          func() time.Time
}

// Share copies a final capture into another namespace, charged to that one's
// allowance, and returns the copy's ID. The copy names its origin and keeps its
// times and counts. Where it does not fit whole, there is no copy.
func Share(ctx context.Context, c *capture.Capture, to *capture.Namespace, o ShareOptions) (id format.ID, err error) {
	r, err := c.Receipt()
	if err != nil {
		return "", final(c, err)
	}
	begin, err := c.Begin()
	if err != nil {
		return "", err
	}
	if !o.WithMetadata {
		strip(begin, r)
	}
	detach(begin)
	begin.Origin, begin.ID = format.Some(string(c.ID())), ""
	copied, err := to.Begin(*begin)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	if err := fill(ctx, copied, c, r, o); err != nil {
		// Whole or not at all.
		return "", errors.Join(err, copied.Discard(context.WithoutCancel(ctx)))
	}
	return copied.ID(), nil
}

// CheckShare tells what stands against sharing a capture, whatever the other
// namespace holds already: for a caller that makes that one only for a copy.
func CheckShare(c *capture.Capture, o ShareOptions) error {
	r, err := c.Receipt()
	if err != nil {
		return final(c, err)
	}
	var all int64
	for _, name := range slices.Sorted(maps.Keys(r.Streams)) {
		s := r.Streams[name]
		if !s.Ref.IsSet() {
			continue
		}
		size, err := readWhole(c, name, s)
		if err != nil {
			return err
		}
		if all += size; all > int64(o.Limits.NamespaceBytes) {
			return fmt.Errorf("capture %s does not fit: %w: %v", c.ID(), capture.ErrQuotaNamespace, o.Limits.NamespaceBytes)
		}
	}
	return nil
}

// readWhole reads a stream to its end and holds it against the receipt.
func readWhole(c *capture.Capture, name string, s format.Stream) (size int64, err error) {
	bytes, size, done, err := openWhole(c, name, s)
	if err != nil {
		return 0, err
	}
	content, err := account.Read(io.NewSectionReader(bytes, 0, size))
	if err = errors.Join(err, done()); err != nil {
		return 0, err
	}
	return size, matches(c.Ref(name), s, content)
}

// fill brings streams and receipt into the copy.
func fill(ctx context.Context, copied, origin *capture.Capture, r *format.Receipt, o ShareOptions) error {
	q := copied.Quota(o.Limits)
	used := int64(0)
	for _, name := range slices.Sorted(maps.Keys(r.Streams)) {
		s := r.Streams[name]
		if !s.Ref.IsSet() {
			continue
		}
		n, err := copyStream(ctx, copied, origin, name, s, q, used)
		used += n
		if err != nil {
			return errors.Join(err, q.Close(context.WithoutCancel(ctx), used))
		}
		s.Ref = format.Some(copied.Ref(name))
		r.Streams[name] = s
	}
	if err := q.Close(ctx, used); err != nil {
		return err
	}
	r.ID, r.Origin = copied.ID(), format.Some(string(origin.ID()))
	now := time.Now
	if o.Now != nil {
		now = o.Now
	}
	r.PublishedAt = format.At(now())
	return copied.Publish(ctx, r, true)
}

// copyStream copies one stream as it is stored, after its room was reserved
// beyond what other streams used, and returns how much of the allowance it took.
func copyStream(ctx context.Context, copied, origin *capture.Capture, name string, s format.Stream, q *capture.Quota, used int64) (took int64, err error) {
	_, size, done, err := openWhole(origin, name, s)
	if err != nil {
		return 0, err
	}
	if err := done(); err != nil {
		return 0, err
	}
	for q.Granted() < used+size {
		if _, err := q.Reserve(ctx, used+size-q.Granted()); err != nil {
			return 0, fmt.Errorf("capture %s does not fit: %w", origin.ID(), err)
		}
	}
	from, err := origin.OpenStream(name)
	if err != nil {
		return 0, err
	}
	defer from.Close() //nolint:errcheck // nothing was written
	f, err := copied.CreateStream(name, s.Compression)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = copied.FinishStream(name, s.Compression, false)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return size, fmt.Errorf("copy stream %q: %w", origin.Ref(name), err)
	}
	return size, copyChecked(copied, origin, name, s)
}

// copyChecked reads the copy back, and takes along the only copy of a tail.
func copyChecked(copied, origin *capture.Capture, name string, s format.Stream) error {
	if _, err := readWhole(copied, name, s); err != nil {
		return err
	}
	if s.Whole() == nil {
		return nil
	}
	p, err := origin.Preview(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return copied.WritePreview(p)
}
