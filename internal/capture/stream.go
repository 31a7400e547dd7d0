package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"spool/internal/frames"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// streamForms are the ways in which a stream may lie on disk.
var streamForms = []struct {
	comp format.Opt[format.Compression]
	live bool
}{
	{format.None[format.Compression](), false},
	{format.Some(format.Zstd), false},
	{format.None[format.Compression](), true},
	{format.Some(format.Zstd), true},
}

// StreamFile is a stream's file, open for reading.
type StreamFile struct {
	*os.File
	Live        bool // its name is that of a stream being written; see [Capture.WriterAlive]
	Compression format.Opt[format.Compression]
}

// CreateStream creates the file of a stream that is to be written, open for
// reading and writing, and locked for as long as it is open: a stream has one
// writer. An error of kind exist says that the stream has been begun before;
// [ErrPublished] that the capture is final.
func (c *Capture) CreateStream(stream string, comp format.Opt[format.Compression]) (*os.File, error) {
	if err := format.CheckStreams([]string{stream}); err != nil {
		return nil, err
	}
	if err := c.checkUnpublished(); err != nil {
		return nil, err
	}
	for _, form := range streamForms {
		name := formName(stream, form.comp, form.live)
		if there, err := c.has(name); err != nil {
			return nil, err
		} else if there {
			return nil, fmt.Errorf("capture %s: stream %q has been begun before: %w", c.id, name, fs.ErrExist)
		}
	}
	f, err := c.dir.Create(LiveName(stream, comp))
	if err != nil {
		return nil, err
	}
	if err := lockStream(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// lockStream locks a writer's file. Someone who asks whether there is a writer
// may hold it for an instant.
func lockStream(f *os.File) error {
	deadline := time.Now().Add(lockWait)
	for {
		err := fsafe.FlockFile(f, fsafe.LockExclusive)
		if !errors.Is(err, fsafe.ErrLocked) || time.Now().After(deadline) {
			return stalled(err)
		}
		time.Sleep(time.Millisecond)
	}
}

// FinishStream gives a stream's file its final name. Its content is the
// caller's to sync before; with sync the name is durable, too.
func (c *Capture) FinishStream(stream string, comp format.Opt[format.Compression], sync bool) error {
	if err := c.dir.Rename(LiveName(stream, comp), StreamName(stream, comp)); err != nil {
		return err
	}
	if sync {
		return c.dir.Sync()
	}
	return nil
}

// OpenStream opens a stream's file for reading, whether it is final or live. An
// error of kind not-exist says that nothing has been written yet.
func (c *Capture) OpenStream(stream string) (*StreamFile, error) {
	if err := format.CheckStreams([]string{stream}); err != nil {
		return nil, err
	}
	// Twice: a live file may become final between two looks.
	for range 2 {
		for _, form := range streamForms {
			f, err := c.dir.Open(formName(stream, form.comp, form.live))
			if err == nil {
				return &StreamFile{File: f, Live: form.live, Compression: form.comp}, nil
			}
			if fsafe.KindOf(err) != fsafe.KindNotExist {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("stream %q: %w", c.Ref(stream), fs.ErrNotExist)
}

// WriterAlive tells whether someone is writing the stream. A file that is live
// in name only was left by a writer that died.
func (c *Capture) WriterAlive(stream string) (bool, error) {
	f, err := c.OpenStream(stream)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	err = fsafe.FlockFile(f.File, fsafe.LockShared)
	if errors.Is(err, fsafe.ErrLocked) {
		return true, nil
	}
	return false, err
}

func formName(stream string, comp format.Opt[format.Compression], live bool) string {
	if live {
		return LiveName(stream, comp)
	}
	return StreamName(stream, comp)
}

// Size returns how many bytes of the representation can be read from the file
// now: of a compressed one, what its whole frames hold.
func (s *StreamFile) Size() (int64, error) {
	info, err := s.Stat()
	if err != nil {
		return 0, err
	}
	if !s.Compression.IsSet() {
		return info.Size(), nil
	}
	r, err := frames.Open(s, info.Size())
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return r.Size(), nil
}

// Held returns how many bytes of the representation the capture's files hold.
// What is in the place of a file, but none of ours, holds nothing.
func (c *Capture) Held() (sum int64, err error) {
	names, err := c.dir.Names()
	if err != nil {
		return 0, err
	}
	return c.HeldIn(names)
}

// HeldIn is Held for the names that lie in the capture.
func (c *Capture) HeldIn(names []string) (sum int64, err error) {
	for _, name := range names {
		if kind, _ := KindInCapture(name); kind != NameStream && kind != NameLive {
			continue
		}
		n, err := c.heldBy(name)
		if err != nil {
			return 0, err
		}
		sum = add(sum, n)
	}
	return sum, nil
}

func (c *Capture) heldBy(name string) (int64, error) {
	final, live := strings.CutSuffix(name, liveSuffix)
	e, err := c.dir.Stat(name)
	switch {
	case live && fsafe.KindOf(err) == fsafe.KindNotExist:
		return c.heldBy(final) // it has just become final
	case fsafe.KindOf(err) == fsafe.KindNotExist, err == nil && (e.IsDir() || e.Check() != nil):
		return 0, nil
	case err != nil:
		return 0, err
	case !strings.HasSuffix(final, zstdSuffix):
		return e.Size, nil
	}
	f, err := c.dir.Open(name)
	switch fsafe.KindOf(err) {
	case fsafe.KindNone:
	case fsafe.KindNoSpace, fsafe.KindQuota, fsafe.KindIO, fsafe.KindOther:
		return 0, err
	case fsafe.KindNotExist:
		return c.heldBy(final)
	default:
		return 0, nil
	}
	defer func() { _ = f.Close() }() // nothing was written
	n, err := (&StreamFile{File: f, Compression: format.Some(format.Zstd)}).Size()
	if errors.Is(err, frames.ErrDamaged) {
		return e.Size, nil // nobody can read it, but it is there
	}
	return n, err
}
