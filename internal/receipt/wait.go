package receipt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// ErrNotFinal says that a capture is not final yet.
var ErrNotFinal = errors.New("not final yet")

// ErrAbandoned says that a capture will not become final by itself.
var ErrAbandoned = errors.New("nobody cares for it, and it is not final: spool-gc publishes it")

// Pauses between two looks for a receipt.
const (
	minLook = 5 * time.Millisecond
	maxLook = 200 * time.Millisecond
)

// Wait returns the receipt as soon as it is there. When ctx is done first, the
// error is [ErrNotFinal]; when it is seen that nobody will publish one,
// [ErrAbandoned].
func Wait(ctx context.Context, c *capture.Capture) (*format.Receipt, error) {
	for pause := minLook; ; pause = min(2*pause, maxLook) {
		r, err := c.Receipt()
		if !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
		if gone, err := abandonedCapture(c); gone || err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("capture %s: %w", c.ID(), ErrNotFinal)
		case <-time.After(pause):
		}
	}
}

// abandonedCapture tells whether nobody holds the capture and nothing in it has
// changed for long; then the error says so.
func abandonedCapture(c *capture.Capture) (bool, error) {
	// The names come first: it has to be removed from under us to fail.
	if _, err := c.Namespace().Root().Stat(string(c.ID())); err != nil {
		return false, err
	}
	for e, err := range c.Root().All() {
		if err != nil || time.Since(e.ModTime) < Quiet {
			return false, err
		}
	}
	live, err := c.Live()
	if err != nil || live {
		return false, err
	}
	if _, err := c.Receipt(); !errors.Is(err, fs.ErrNotExist) {
		return false, nil // published in the meantime: the next look finds it
	}
	return true, fmt.Errorf("capture %s: %w", c.ID(), ErrAbandoned)
}

// Claim returns the final receipt to exactly one caller, after it was marked as
// delivered: whoever dies in between has had it. Every other gets
// [capture.ErrDelivered]; [ErrNotFinal] where there is no receipt yet. note says
// who claims it, for people.
func Claim(c *capture.Capture, note string) (*format.Receipt, error) {
	r, err := c.Receipt()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("capture %s: %w", c.ID(), ErrNotFinal)
	}
	if err != nil {
		return nil, err
	}
	if err := c.Claim(note); err != nil {
		return nil, err
	}
	return r, nil
}
