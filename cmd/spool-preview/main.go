// Command spool-preview is a bounded look: a filter that shows head and tail of
// its input, and the way to what a capture holds.
package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/preview"
	"spool/pkg/format"
)

func main() { os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)) }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := defaults()
	t := cmdline.Tool{
		Name:     "spool-preview",
		Synopsis: []string{"[options]", "[options] --capture DIR --stream NAME", "[options] REF", "[options] REF/STREAM"},
		About: "Without an operand, shows head and tail of its input. With one, shows what a capture holds:" +
			" its streams within a budget, or a part of one stream.",
		Options: o.table(),
		Exit:    []cmdline.ExitStatus{{Code: "1", Meaning: "it failed, or --match found nothing"}},
		Run: func(ctx context.Context, c *cmdline.Call) error {
			if len(c.Args) == 0 {
				return o.filter(ctx, c)
			}
			return o.look(ctx, c)
		},
	}
	return t.Main(ctx, args, stdin, stdout, stderr)
}

// filter is the tool as a filter, or as a stage of a capture.
func (o *options) filter(ctx context.Context, c *cmdline.Call) error {
	if err := o.checkFilter(c); err != nil {
		return err
	}
	ctx, stop := cmdline.StageContext(ctx)
	defer stop()
	f := preview.FilterOptions{
		Head: o.head, Tail: o.tail, Bytes: o.Budget().Bytes, Terminal: preview.IsTerminal(c.Stdout),
		Stream: o.stream, Keep: o.Budget(),
		Tool: format.Tool{Name: c.Tool, Version: cmdline.Version()},
	}
	if o.capture != "" {
		return preview.Stage(ctx, o.capture, o.forward, f, c.Stdin, c.Stdout)
	}
	if o.report != "" {
		f.Stream, f.Report = format.Output, preview.FileReport(o.report)
	}
	return preview.Filter(ctx, f, c.Stdin, c.Stdout)
}

// look is the tool as the way to a capture.
func (o *options) look(ctx context.Context, c *cmdline.Call) (err error) {
	pattern, err := o.checkLook(c)
	if err != nil {
		return err
	}
	dir, err := capture.Dir(o.dir, os.Getenv)
	if err != nil {
		return cmdline.WithHint(err, "give --dir")
	}
	ns, err := capture.OpenNamespace(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = cmdline.WithHint(err, "there is no namespace yet; --dir names another")
	}
	if err != nil {
		return err
	}
	defer ns.Close() //nolint:errcheck // nothing was written
	ref, err := ns.Resolve(pattern)
	if err != nil {
		return err
	}
	held, err := ns.Open(ref.ID)
	if err != nil {
		return err
	}
	defer held.Close() //nolint:errcheck // nothing was written
	out := preview.Output{
		W: c.Stdout, JSON: o.json, Terminal: preview.IsTerminal(c.Stdout),
		Note: func(text string) { cmdline.Message(c.Stderr, c.Tool, text) },
	}
	return o.retrieve(ctx, held, ref.Stream, out)
}

// retrieve does what the options ask for.
func (o *options) retrieve(ctx context.Context, c *capture.Capture, stream string, out preview.Output) error {
	limit := int64(o.limit)
	switch {
	case o.bytesRange.set:
		return preview.Bytes(c, stream, preview.RangeOptions{Range: o.bytesRange.Range, Exact: o.exact, Limit: limit, Output: out})
	case o.lines.set:
		return preview.Lines(c, stream, preview.RangeOptions{Range: o.lines.Range, Limit: limit, Output: out})
	case o.match.Regexp != nil:
		found, err := preview.Match(c, stream, preview.MatchOptions{Pattern: o.match.Regexp, Max: o.maxMatches, Limit: limit, Output: out})
		if err == nil && !found {
			err = &cmdline.ExitError{Code: cmdline.ExitFail}
		}
		return err
	case o.from.set || o.consumer != "" || o.follow:
		return preview.Poll(ctx, c, stream, preview.PollOptions{
			From: o.from.position(), Consumer: o.consumer, Follow: o.follow, Limit: limit, Output: out,
		})
	}
	return preview.Look(c, stream, preview.LookOptions{Budget: o.Budget(), Highlight: o.Highlight(), Output: out})
}
