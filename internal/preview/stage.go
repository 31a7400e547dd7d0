package preview

import (
	"context"
	"errors"
	"io"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// Stage is Filter as a stage of the capture in the directory dir: it holds the
// capture's liveness lock while it works and writes its report there. A capture
// that cannot be used is told at the end: the input is read all the same.
func Stage(ctx context.Context, dir string, o FilterOptions, in io.Reader, out io.Writer) (err error) {
	c, open := capture.OpenPath(dir)
	if open == nil {
		open = c.Hold(ctx)
		defer func() { err = errors.Join(err, c.Close()) }()
	}
	o.Report = func(r *format.PreviewReport) error {
		if open != nil {
			return open
		}
		return c.WritePreview(r)
	}
	return Filter(ctx, o, in, out)
}

// FileReport returns a function that writes a report to a new file at path. The
// directory is opened now, and the file appears with all its content.
func FileReport(path string) func(*format.PreviewReport) error {
	dir, name, open := fsafe.OpenParent(path)
	return func(r *format.PreviewReport) error {
		if open != nil {
			return open
		}
		data, err := format.EncodePreview(r)
		if err == nil {
			err = dir.Publish(name, data, false)
		}
		return errors.Join(err, dir.Close())
	}
}
