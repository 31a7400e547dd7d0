// Command spool-redact decodes, strips and redacts a stream.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"spool/cmd/internal/redaction"
	"spool/internal/cmdline"
	"spool/internal/redact"
	"spool/pkg/format"
)

func main() { os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)) }

// options are the redactor's and those of a stage.
type options struct {
	*redaction.Options
	audit, capture, stream, report string
	discard                        bool
}

func (o *options) table() []cmdline.Option {
	return slices.Concat(
		o.Secrets(),
		[]cmdline.Option{o.Descriptor()},
		o.Text(),
		[]cmdline.Option{
			cmdline.String(&o.audit, "audit", "FILE", "list rule, offset and length of each hit in a new file").OneOff(),
			cmdline.Switch(&o.discard, "discard", "read to the end and throw everything away").OneOff(),
			cmdline.String(&o.capture, "capture", "DIR", "be a stage of this capture").OneOff(),
			cmdline.String(&o.stream, "stream", "NAME", "the stream to report on").OneOff(),
			cmdline.String(&o.report, "report", "FILE", "write the stage report to a new file").OneOff(),
		},
	)
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := options{Options: redaction.New()}
	t := cmdline.Tool{
		Name:     "spool-redact",
		Synopsis: []string{"[options]"},
		About:    "Takes secrets out of its input while it passes: decoded, stripped of escape sequences, redacted.",
		Options:  o.table(),
		Commands: []cmdline.Tool{{
			Name: "rules", About: "Lists the built-in rules.",
			Run: func(_ context.Context, c *cmdline.Call) error { return rules(c) },
		}},
		Run: o.run,
	}
	return t.Main(ctx, args, stdin, stdout, stderr)
}

func (o *options) run(ctx context.Context, c *cmdline.Call) error {
	switch {
	case len(c.Args) > 0:
		return &cmdline.UsageError{
			Message: fmt.Sprintf("no operand is taken: %q", c.Args[0]),
			Advice:  "a file is read from standard input: spool-redact <FILE; the one command is rules",
		}
	case (o.capture == "") != (o.stream == ""):
		return cmdline.Usagef("--capture and --stream go together")
	case o.capture != "" && o.report != "":
		return cmdline.Usagef("--report and --capture exclude each other: a stage's report lies in its capture")
	case o.discard:
		return redact.Discard(c.Stdin)
	}
	stage := o.Stage()
	stage.Audit, stage.Capture, stage.Stream, stage.Report = o.audit, o.capture, o.stream, o.report
	stage.Tool = format.Tool{Name: c.Tool, Version: cmdline.Version()}
	stage.Warn = c.Warn
	ctx, stop := cmdline.StageContext(ctx)
	defer stop()
	ctx, released, stop := cmdline.ReleaseContext(ctx)
	defer stop()
	err := redact.Run(ctx, stage, c.Stdin, c.Stdout)
	if setup, ok := errors.AsType[*redact.SetupError](err); ok {
		err = refuse(ctx, setup, c)
	}
	if released() {
		return drainOn(c)
	}
	return err
}

// refuse tells why nothing is passed on, at once, and reads the input to its end
// all the same.
func refuse(ctx context.Context, reason error, c *cmdline.Call) error {
	c.Warn("%v", reason)
	return &cmdline.ExitError{Code: cmdline.ExitCode(reason), Err: redact.Refuse(ctx, c.Stdin)}
}

// drainOn reads on for nobody, in a process that holds nothing else.
func drainOn(c *cmdline.Call) error {
	executable, err := os.Executable()
	if err == nil {
		err = redact.BecomeDrainer(executable, c.Tool)
	}
	return errors.Join(err, redact.Discard(c.Stdin))
}

// rules prints a line for each rule: its name and what it finds.
func rules(c *cmdline.Call) error {
	if len(c.Args) > 0 {
		return cmdline.Usagef("no operand is taken: %q", c.Args[0])
	}
	w := bufio.NewWriter(c.Stdout)
	for _, r := range redact.Rules() {
		fmt.Fprintf(w, "%-26s%s\n", r.Name, r.About) //nolint:errcheck // Flush tells
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}
