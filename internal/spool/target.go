package spool

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// errGone says that the file that was written is not there any more.
var errGone = errors.New("the file was removed while it was written")

// target is where a stream is kept.
type target interface {
	// file returns the live file, open for writing.
	file() *os.File
	// share returns the writer's part of the allowance.
	share(l format.Limits) share
	// finish gives the file its final name; with sync it is durable.
	finish(sync bool) error
	// close lets go of what holds the target.
	close() error
}

// captureTarget is a stream of a capture.
type captureTarget struct {
	c      *capture.Capture
	stream string
	comp   format.Opt[format.Compression]
	f      *os.File
}

// openCapture holds the capture and creates the stream's file. Where the file
// cannot be created the capture is held all the same, for the report.
func openCapture(ctx context.Context, o Options) (*captureTarget, error) {
	c, err := capture.OpenPath(o.Capture)
	if err != nil {
		return nil, err
	}
	if err := c.Hold(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	t := &captureTarget{c: c, stream: o.Stream, comp: o.compression()}
	t.f, err = c.CreateStream(o.Stream, t.comp)
	return t, err
}

func (t *captureTarget) file() *os.File              { return t.f }
func (t *captureTarget) share(l format.Limits) share { return t.c.Quota(l) }
func (t *captureTarget) close() error                { return t.c.Close() }

func (t *captureTarget) finish(sync bool) error {
	return lost(t.c.FinishStream(t.stream, t.comp, sync))
}

// lost tells a file that is gone from one that cannot be renamed.
func lost(err error) error {
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return errGone
	}
	return err
}

// fileTarget is a file of its own.
type fileTarget struct {
	dir  *fsafe.Dir
	name string
	f    *os.File
}

// liveSuffix marks a file that is not final.
const liveSuffix = ".live"

// openFile creates the file at path under its live name. Neither may exist.
func openFile(path string) (*fileTarget, error) {
	dir, name, err := fsafe.OpenParent(path)
	if err != nil {
		return nil, err
	}
	t := &fileTarget{dir: dir, name: name}
	if _, err = dir.Stat(name); err == nil {
		err = fmt.Errorf("%q exists: remove it or choose another name", path)
	} else if fsafe.KindOf(err) == fsafe.KindNotExist {
		t.f, err = dir.Create(name + liveSuffix)
	}
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return t, nil
}

func (t *fileTarget) file() *os.File { return t.f }
func (t *fileTarget) close() error   { return t.dir.Close() }

func (t *fileTarget) share(l format.Limits) share {
	return &lone{left: int64(l.CaptureBytes), limit: l.CaptureBytes}
}

func (t *fileTarget) finish(sync bool) error {
	if err := lost(t.dir.Rename(t.name+liveSuffix, t.name)); err != nil || !sync {
		return err
	}
	return t.dir.Sync()
}

// lone is the allowance of a file that shares with no other.
type lone struct {
	left  int64 // bytes not granted
	limit format.Size
}

func (s *lone) Reserve(_ context.Context, _ int64) (int64, error) {
	if s.left == 0 {
		return 0, fmt.Errorf("%w: %v", capture.ErrQuotaCapture, s.limit)
	}
	n := min(s.left, math.MaxInt64/4) // so that sums do not overflow
	s.left -= n
	return n, nil
}

func (s *lone) Trim(_ context.Context, used int64) error {
	s.left = int64(s.limit) - used
	return nil
}

func (s *lone) Close(context.Context, int64) error { return nil }
