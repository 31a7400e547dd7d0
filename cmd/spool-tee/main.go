// Command spool-tee keeps its input in one private file and passes it on.
package main

import (
	"context"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"spool/cmd/internal/retention"
	"spool/internal/cmdline"
	"spool/internal/spool"
	"spool/pkg/format"
)

// The one large thing that a tee holds is its queue, of 8 MiB. That alone is no
// reason to collect garbage, which costs threads; what comes beyond it is.
const (
	collectPercent = 400
	memoryLimit    = 24 << 20 // bytes
)

func main() {
	debug.SetGCPercent(collectPercent)
	debug.SetMemoryLimit(memoryLimit)
	os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// options are spool's and what belongs to the command line alone.
type options struct{ spool.Options }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := options{retention.Defaults()}
	t := cmdline.Tool{
		Name:     "spool-tee",
		Synopsis: []string{"[options] FILE", "[options] --capture DIR --stream NAME"},
		About:    "Writes its input to one private file and passes it on.",
		Options:  o.table(),
		Run:      func(ctx context.Context, c *cmdline.Call) error { return o.run(ctx, c) },
	}
	return t.Main(ctx, args, stdin, stdout, stderr)
}

func (o *options) table() []cmdline.Option {
	return slices.Concat(
		[]cmdline.Option{
			cmdline.String(&o.Capture, "capture", "DIR", "be a stage of this capture").OneOff(),
			cmdline.String(&o.Stream, "stream", "NAME", "the stream to keep").OneOff(),
			cmdline.String(&o.Report, "report", "FILE", "write the stage report to a new file").OneOff(),
		},
		retention.Limits(&o.Limits),
		retention.Writing(&o.Options),
		[]cmdline.Option{
			cmdline.Choice(&o.Forward, []spool.Forward{spool.ForwardAll, spool.ForwardRest}, "forward", "pass on all, or only what is not kept"),
		},
	)
}

func (o *options) run(ctx context.Context, c *cmdline.Call) error {
	if err := o.check(c); err != nil {
		return err
	}
	ctx, stop := cmdline.StageContext(ctx)
	defer stop()
	o.Tool = format.Tool{Name: c.Tool, Version: cmdline.Version()}
	return spool.Run(ctx, o.Options, c.Stdin, c.Stdout)
}

// check tells what is wrong with the call, before a byte is read.
func (o *options) check(c *cmdline.Call) error {
	staged := o.Capture != "" || o.Stream != ""
	switch {
	case staged && (o.Capture == "" || o.Stream == ""):
		return cmdline.Usagef("--capture and --stream go together")
	case staged && len(c.Args) > 0:
		return cmdline.Usagef("--capture and a FILE exclude each other: %q", c.Args[0])
	case staged && o.Report != "":
		return cmdline.Usagef("--report and --capture exclude each other: a stage's report lies in its capture")
	case staged:
		if err := format.CheckStreams([]string{o.Stream}); err != nil {
			return cmdline.Usagef("--stream: %v", err)
		}
		return nil
	case len(c.Args) != 1 || c.Args[0] == "":
		return cmdline.Usagef("one FILE is needed, or --capture and --stream")
	case strings.HasSuffix(c.Args[0], "/"):
		return cmdline.Usagef("%q is a directory: name a file in it", c.Args[0])
	case c.Given("max-namespace") == cmdline.SourceOption:
		return cmdline.Usagef("--max-namespace goes with --capture: a FILE shares with no other")
	}
	o.File = c.Args[0]
	o.Limits.NamespaceBytes = format.Unlimited
	return nil
}
