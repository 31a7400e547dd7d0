package spool

import (
	"context"
	"errors"
	"fmt"
	"io"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// Run is the stage: it reads stdin to its end, or to that of ctx, keeps what it
// may and passes it on to stdout. It reads to the end whatever goes wrong; an
// error tells that what it has produced is incomplete, and why.
func Run(ctx context.Context, o Options, stdin io.Reader, stdout io.Writer) error {
	t, opened := open(ctx, o)
	s := newStage(o, t, stdin, stdout)
	s.why.end(opened)
	s.run(ctx)
	r := s.report()
	err := errors.Join(s.problem(r, opened), publish(o, t, r))
	if s.lost {
		// A call that does not return keeps the process, and with it the pipe's
		// end, for as long: whoever reads on the other side must not wait.
		err = errors.Join(err, s.out.close(stdout))
	}
	if t != nil {
		err = errors.Join(err, t.close())
	}
	return err
}

// open opens what the options name. Beside an error the target may be there,
// without a file, for the report.
func open(ctx context.Context, o Options) (target, error) {
	if o.Capture == "" {
		t, err := openFile(o.File)
		if err != nil {
			return nil, err
		}
		return t, nil
	}
	t, err := openCapture(ctx, o)
	if t == nil {
		return nil, err
	}
	return t, err
}

// publish writes the report where it belongs.
func publish(o Options, t target, r *format.TeeReport) error {
	if c, ok := t.(*captureTarget); ok {
		return c.c.WriteTee(r)
	}
	if o.Report == "" {
		return nil
	}
	data, err := format.EncodeTee(r)
	if err != nil {
		return err
	}
	dir, name, err := fsafe.OpenParent(o.Report)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return errors.Join(dir.Publish(name, data, o.Sync != SyncNone), dir.Close())
}

func (o Options) compression() format.Opt[format.Compression] {
	if o.Compress == CompressZstd {
		return format.Some(format.Zstd)
	}
	return format.None[format.Compression]()
}

// stream returns the stream's name for the report.
func (o Options) stream() string {
	if o.Stream == "" {
		return format.Output
	}
	return o.Stream
}
