// Package budget is the options that bound a preview, for every tool that shows
// one.
package budget

import (
	"fmt"

	"spool/internal/cmdline"
	"spool/internal/preview"
	"spool/pkg/format"
)

// Options are those of a preview, as a command line fills them.
type Options struct {
	stdoutChars, stderrChars int
	bytes                    format.Size
	highlight                preview.Highlighting
}

// New returns the defaults.
func New() *Options {
	return &Options{
		stdoutChars: preview.DefaultStdoutChars, stderrChars: preview.DefaultStderrChars,
		bytes: preview.DefaultBytes, highlight: preview.AutoHighlighting(),
	}
}

// Budget returns the bounds in force.
func (o *Options) Budget() preview.Budget {
	return preview.Budget{StdoutChars: o.stdoutChars, StderrChars: o.stderrChars, Bytes: int(o.bytes)}
}

// Highlight returns which lines of the omitted middle are shown.
func (o *Options) Highlight() preview.Highlighting { return o.highlight }

// Table is the table of all of them.
func (o *Options) Table() []cmdline.Option {
	return []cmdline.Option{
		cmdline.Int(&o.stdoutChars, 1, preview.MaxBytes, "stdout-chars", "N", "characters of stdout; the sum with stderr's is shared"),
		cmdline.Int(&o.stderrChars, 1, preview.MaxBytes, "stderr-chars", "N", "characters of stderr"),
		cmdline.Parsed(&o.bytes, parseCeiling, "bytes", "SIZE", "ceiling on all that a preview shows, 64 to 1M"),
		cmdline.Parsed(&o.highlight, preview.ParseHighlighting, "highlight", "auto|off|REGEX", "lines of the omitted middle to show; auto: the likely cause of a failure"),
	}
}

func parseCeiling(text string) (format.Size, error) {
	z, err := format.ParseSize(text)
	if err == nil && (z < preview.MinBytes || z > preview.MaxBytes) {
		err = fmt.Errorf("size %q is not between %d and %v", text, preview.MinBytes, format.Size(preview.MaxBytes))
	}
	return z, err
}
