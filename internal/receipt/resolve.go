package receipt

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"spool/internal/capture"
	"spool/pkg/format"
)

// Why a reference has no local path.
var (
	// ErrUnavailable says that what it names is not here, or nothing of it was
	// kept.
	ErrUnavailable = errors.New("unavailable")
	// ErrNeedsTransfer says that the receipt is here and names a stream that
	// is not.
	ErrNeedsTransfer = errors.New("needs-transfer")
)

// Resolve returns the local path of a capture, or of a stream's file, if it is
// there, ours, and no link.
func Resolve(c *capture.Capture, stream string) (string, error) {
	dir, err := filepath.Abs(c.Path())
	if err != nil {
		return "", err
	}
	if stream == "" {
		return dir, nil
	}
	f, err := c.OpenStream(stream)
	if err == nil {
		name := capture.StreamName(stream, f.Compression)
		if f.Live {
			name = capture.LiveName(stream, f.Compression)
		}
		return filepath.Join(dir, name), f.Close()
	}
	ref := format.Ref{ID: c.ID(), Stream: stream}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w: %w", ref, ErrUnavailable, err)
	}
	r, err := c.Receipt()
	if err == nil && r.Streams[stream].Ref.IsSet() {
		return "", fmt.Errorf("%s: %w", ref, ErrNeedsTransfer)
	}
	return "", fmt.Errorf("%s: %w", ref, ErrUnavailable)
}
