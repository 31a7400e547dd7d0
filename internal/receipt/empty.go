package receipt

import (
	"context"
	"errors"
	"strings"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/pkg/format"
)

// WriteEmpty makes the file and tee's report of a stream on which nothing came,
// so that no tee has to be started for it.
func WriteEmpty(ctx context.Context, c *capture.Capture, stream string) error {
	begin, err := c.Begin()
	if err != nil {
		return err
	}
	plain := format.None[format.Compression]()
	f, err := c.CreateStream(stream, plain)
	if err != nil {
		return err
	}
	err = c.FinishStream(stream, plain, false)
	if err = errors.Join(err, f.Close(), ctx.Err()); err != nil {
		return err
	}
	nothing, err := account.Read(strings.NewReader(""))
	if err != nil {
		return err
	}
	zero := format.Known(0)
	return c.WriteTee(&format.TeeReport{
		Schema: format.TeeSchema, Stream: stream, EOF: true, Observed: zero,
		Counts:    format.StreamCounts{Emitted: zero, Committed: zero, Refused: zero, RetainedStart: zero, RetainedEnd: zero},
		Forwarded: zero, Lines: zero, FinalNewline: format.Some(nothing.FinalNewline), SHA256: format.Some(nothing.SHA256),
		Limits: begin.Limits, Reasons: []format.Reason{}, Tool: begin.Tool,
	})
}
