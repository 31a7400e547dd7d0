package preview

import (
	"context"
	"errors"
	"fmt"
	"io"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// Forward tells what the stage before passes on.
type Forward string

// All of the stream, or only what it does not keep: then the rest is read from
// the capture.
const (
	ForwardAll  Forward = "all"
	ForwardRest Forward = "rest"
)

// Stage is Filter as a stage of the capture in the directory dir: it holds the
// capture's liveness lock while it works and writes its report there. A capture
// that cannot be used is told at the end: the input is read all the same.
func Stage(ctx context.Context, dir string, from Forward, o FilterOptions, in io.Reader, out io.Writer) (err error) {
	c, unusable := capture.OpenPath(dir)
	if unusable == nil {
		defer func() { err = errors.Join(err, c.Close()) }()
		o.begin = func() { unusable = c.Hold(context.WithoutCancel(ctx)) }
	}
	o.Report = func(r *format.PreviewReport) error {
		if unusable != nil {
			return unusable
		}
		return c.WritePreview(r)
	}
	if from == ForwardRest {
		o.whole = func(rest Part, most int64) (Part, error) {
			if unusable != nil {
				return rest, unusable
			}
			return behindKept(c, rest, most)
		}
	}
	return Filter(ctx, o, in, out)
}

// behindKept returns the part of a stream of which the capture holds the
// beginning, and rest is what came behind that. At the end of its input, which
// is that of spool-tee, the file has its full length; without a report of
// spool-tee nobody knows whether it is all.
func behindKept(c *capture.Capture, rest Part, most int64) (p Part, err error) {
	if _, err := c.Tee(rest.Name); err != nil {
		return rest, fmt.Errorf("what is kept before the input is unknown: %w", err)
	}
	s, err := openStored(c, rest.Name)
	if err != nil {
		return rest, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	p = Part{Name: rest.Name, Total: s.size + rest.Total}
	end := min(s.size, most)
	head, err := s.section(0, end)
	if err != nil {
		return rest, err
	}
	if !rest.isWhole() {
		if end == s.size {
			head = append(head, rest.Head...)
		}
		return between(p, head, rest.Tail, s.size+rest.TailStart), nil
	}
	start := max(end, s.size-4*most)
	tail, err := s.section(start, s.size)
	if err != nil {
		return rest, err
	}
	return between(p, head, append(append(tail, rest.Head...), rest.Tail...), start), nil
}

// FileReport returns a function that writes a report to a new file at path. The
// directory is opened now, and the file appears with all its content.
func FileReport(path string) func(*format.PreviewReport) error {
	dir, name, unusable := fsafe.OpenParent(path)
	return func(r *format.PreviewReport) error {
		if unusable != nil {
			return unusable
		}
		data, err := format.EncodePreview(r)
		if err == nil {
			err = dir.Publish(name, data, false)
		}
		return errors.Join(err, dir.Close())
	}
}
