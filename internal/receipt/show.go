package receipt

import (
	"context"
	"errors"
	"io/fs"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/pkg/format"
)

// Show returns the capture's receipt. For a capture without one, one is made up
// of what can be seen at this moment: the capture is pending, and the process
// is running only while somebody cares for the capture, else unknown, unless
// its end was recorded.
func Show(ctx context.Context, c *capture.Capture) (*format.Receipt, error) {
	r, err := c.Receipt()
	if !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	live, err := c.Live()
	if err != nil {
		return nil, err
	}
	f, err := account.Gather(c, false)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	// It may have been published, and its reports removed, while we looked.
	if r, err := c.Receipt(); !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	r = account.Fold(f, account.Options{Tool: f.Begin.Tool, Pending: true})
	if live && f.Process == nil {
		r.Process.State = format.ProcessRunning
	}
	return r, r.Check()
}
