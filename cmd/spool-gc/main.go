// Command spool-gc turns what a crash left behind into honest, partial captures,
// and deletes captures when told to.
package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/sweep"
	"spool/pkg/format"
)

func main() { os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)) }

// options of one call. Deleting, pruning and sweeping exclude each other.
type options struct {
	sweep.Options
	dir                 string
	json, delete, prune bool
	olderThan           time.Duration
	maxTotal            format.Size
	keepFailed          bool
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := &options{Options: sweep.Options{Grace: sweep.DefaultGrace}}
	t := cmdline.Tool{
		Name:     "spool-gc",
		Synopsis: []string{"[options]", "--delete REF…", "--prune --older-than D|--max-total SIZE [--keep-failed]"},
		About:    "Publishes the captures that a crash left, as partial, and removes abandoned temporaries. Final captures are deleted only when asked for.",
		Options: []cmdline.Option{
			cmdline.String(&o.dir, "dir", "DIR", "the namespace").DefaultText("$XDG_STATE_HOME/spool or ~/.local/state/spool"),
			cmdline.Duration(&o.Grace, "grace", "D", "leave alone what has changed within this time"),
			cmdline.Switch(&o.DryRun, "dry-run", "change nothing, tell what would be done"),
			cmdline.Switch(&o.json, "json", "print JSON"),
			cmdline.Switch(&o.delete, "delete", "delete these captures, and do nothing else").OneOff(),
			cmdline.Switch(&o.prune, "prune", "delete final captures by rule, and do nothing else").OneOff(),
			cmdline.Duration(&o.olderThan, "older-than", "D", "with --prune: those published longer ago than this").OneOff(),
			cmdline.Parsed(&o.maxTotal, format.ParseSize, "max-total", "SIZE", "with --prune: the oldest, until all hold at most this much").OneOff(),
			cmdline.Switch(&o.keepFailed, "keep-failed", "with --prune: not those whose command did not succeed").OneOff(),
		},
		Run: o.run,
	}
	return t.Main(ctx, args, stdin, stdout, stderr)
}

func (o *options) run(ctx context.Context, c *cmdline.Call) (err error) {
	patterns, err := o.check(c)
	if err != nil {
		return err
	}
	o.Tool = format.Tool{Name: "spool", Version: cmdline.Version()}
	dir, err := capture.Dir(o.dir, os.Getenv)
	if err != nil {
		return err
	}
	ns, err := capture.OpenNamespace(dir)
	if errors.Is(err, fs.ErrNotExist) && !o.delete {
		return o.print(c, &sweep.Report{DryRun: o.DryRun, Items: []sweep.Item{}}) // nothing was ever captured
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ns.Close()) }()
	report, err := o.work(ctx, c, ns, patterns)
	if undependable, ok := errors.AsType[*sweep.UndependableError](err); ok {
		c.Warn("%v", undependable)
		err = nil
	}
	if report == nil {
		return err
	}
	return errors.Join(o.print(c, report), err)
}
