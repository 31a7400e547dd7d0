// Command spool-preview is a bounded look: a filter that shows head and tail of
// its input.
package main

import (
	"context"
	"io"
	"os"

	"spool/internal/cmdline"
	"spool/internal/preview"
	"spool/pkg/format"
)

func main() { os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)) }

type options struct {
	capture, stream, report string
	filter                  preview.FilterOptions
	bytes                   format.Size
	stdoutChars             int
	stderrChars             int
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := options{
		filter:      preview.FilterOptions{Head: preview.DefaultHead, Tail: preview.DefaultTail},
		bytes:       preview.DefaultBytes,
		stdoutChars: preview.DefaultStdoutChars,
		stderrChars: preview.DefaultStderrChars,
	}
	t := cmdline.Tool{
		Name:     "spool-preview",
		Synopsis: []string{"[options]"},
		About:    "Shows head and tail of its input within a budget.",
		Options: []cmdline.Option{
			cmdline.Int(&o.filter.Head, 0, preview.MaxBytes, "head", "N", "characters of the beginning"),
			cmdline.Int(&o.filter.Tail, 0, preview.MaxBytes, "tail", "N", "characters of the end"),
			cmdline.Parsed(&o.bytes, format.ParseSize, "bytes", "SIZE", "ceiling on all that is printed, 128 to 1M"),
			cmdline.Int(&o.stdoutChars, 1, preview.MaxBytes, "stdout-chars", "N", "characters of stdout; the sum with stderr's is shared"),
			cmdline.Int(&o.stderrChars, 1, preview.MaxBytes, "stderr-chars", "N", "characters of stderr"),
			cmdline.String(&o.capture, "capture", "DIR", "be a stage of this capture").OneOff(),
			cmdline.String(&o.stream, "stream", "NAME", "the stream to report on").OneOff(),
			cmdline.String(&o.report, "report", "FILE", "write the stage report to a new file").OneOff(),
		},
		Run: func(ctx context.Context, c *cmdline.Call) error { return o.run(ctx, c) },
	}
	return t.Main(ctx, args, stdin, stdout, stderr)
}

func (o *options) run(ctx context.Context, c *cmdline.Call) error {
	if len(c.Args) > 0 {
		return cmdline.Usagef("no operand is taken: %q", c.Args[0])
	}
	return o.runFilter(ctx, c)
}

// runFilter is the tool as a filter, or as a stage of a capture.
func (o *options) runFilter(ctx context.Context, c *cmdline.Call) error {
	switch {
	case o.bytes < preview.MinBytes || o.bytes > preview.MaxBytes:
		return cmdline.Usagef("--bytes %v is not between %d and %d", o.bytes, preview.MinBytes, preview.MaxBytes)
	case (o.capture == "") != (o.stream == ""):
		return cmdline.Usagef("--capture and --stream go together")
	case o.capture != "" && o.report != "":
		return cmdline.Usagef("--report and --capture exclude each other: a stage's report lies in its capture")
	}
	ctx, stop := cmdline.StageContext(ctx)
	defer stop()
	f := o.filter
	f.Bytes, f.Stream = int(o.bytes), o.stream
	f.Keep = preview.Budget{StdoutChars: o.stdoutChars, StderrChars: o.stderrChars}
	f.Terminal = preview.IsTerminal(c.Stdout)
	f.Tool = format.Tool{Name: c.Tool, Version: cmdline.Version()}
	if o.capture != "" {
		if err := format.CheckStreams([]string{o.stream}); err != nil {
			return cmdline.Usagef("--stream: %v", err)
		}
		return preview.Stage(ctx, o.capture, f, c.Stdin, c.Stdout)
	}
	if o.report != "" {
		f.Stream, f.Report = format.Output, preview.FileReport(o.report)
	}
	return preview.Filter(ctx, f, c.Stdin, c.Stdout)
}
