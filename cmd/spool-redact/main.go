// Command spool-redact decodes, strips and redacts a stream.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"spool/internal/cmdline"
	"spool/internal/redact"
	"spool/pkg/format"
)

func main() { os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)) }

type ansi string

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := redact.StageOptions{Source: redact.Source{Environ: os.Environ(), DefaultEnv: true}}
	window, keep, noEnv, audit, discard := format.Size(redact.DefaultWindow), ansi("strip"), false, "", false
	t := cmdline.Tool{
		Name:     "spool-redact",
		Synopsis: []string{"[options]"},
		About:    "Takes secrets out of its input while it passes: decoded, stripped of escape sequences, redacted.",
		Options: []cmdline.Option{
			cmdline.ParsedList(&o.Source.EnvGlobs, redact.ParseGlob, "secret-env", "GLOB", "redact the values of these variables too"),
			cmdline.Switch(&noEnv, "no-secret-env", "not those of variables named like secrets"),
			cmdline.Strings(&o.Source.Files, "secrets-file", "FILE", "redact the lines of this private file"),
			cmdline.Int(&o.Source.FD, 3, 1<<20, "secrets-fd", "N", "redact the lines read from this descriptor"),
			cmdline.ParsedList(&o.Disable, redact.ParseRule, "disable", "NAME", "do without this rule"),
			cmdline.ParsedList(&o.Rules.Patterns, redact.ParsePattern, "pattern", "NAME=REGEX", "redact what matches, or its first group"),
			cmdline.Strings(&o.Rules.Files, "patterns-file", "FILE", "the same, one a line"),
			cmdline.String(&o.Rules.Gitleaks, "gitleaks", "FILE", "use the rules of a gitleaks.toml"),
			cmdline.Parsed(&window, redact.ParseWindow, "window", "SIZE", "hold at most this much undecided text"),
			cmdline.Choice(&keep, []ansi{"strip", "keep"}, "ansi", "what becomes of escape sequences"),
			cmdline.Parsed(&o.Encoding, redact.ParseEncoding, "encoding", "NAME", "of the input").DefaultText("auto"),
			cmdline.Switch(&o.NoRedact, "no-redact", "decode and strip only"),
			cmdline.Switch(&o.Raw, "raw", "pass the bytes on as they come"),
			cmdline.String(&audit, "audit", "FILE", "list rule, offset and length of each hit in a new file").OneOff(),
			cmdline.Switch(&discard, "discard", "read to the end and throw everything away").OneOff(),
			cmdline.String(&o.Capture, "capture", "DIR", "be a stage of this capture").OneOff(),
			cmdline.String(&o.Stream, "stream", "NAME", "the stream to report on").OneOff(),
			cmdline.String(&o.Report, "report", "FILE", "write the stage report to a new file").OneOff(),
		},
		Commands: []cmdline.Tool{{
			Name: "rules", About: "Lists the built-in rules.",
			Run: func(_ context.Context, c *cmdline.Call) error { return rules(c) },
		}},
		Run: func(ctx context.Context, c *cmdline.Call) error {
			if len(c.Args) > 0 {
				return cmdline.Usagef("no operand is taken: %q", c.Args[0])
			}
			o.Window, o.KeepANSI = int(window), keep == "keep"
			o.Source.DefaultEnv = !noEnv
			o.Audit = audit
			o.Tool = format.Tool{Name: c.Tool, Version: cmdline.Version()}
			o.Warn = c.Warn
			switch {
			case (o.Capture == "") != (o.Stream == ""):
				return cmdline.Usagef("--capture and --stream go together")
			case o.Capture != "" && o.Report != "":
				return cmdline.Usagef("--report and --capture exclude each other: a stage's report lies in its capture")
			}
			if discard {
				return redact.Discard(c.Stdin)
			}
			ctx, stop := cmdline.StageContext(ctx)
			defer stop()
			ctx, released, stop := cmdline.ReleaseContext(ctx)
			defer stop()
			err := redact.Run(ctx, o, c.Stdin, c.Stdout)
			if setup, ok := errors.AsType[*redact.SetupError](err); ok {
				err = refuse(ctx, setup, c)
			}
			if released() {
				return drainOn(c)
			}
			return err
		},
	}
	return t.Main(ctx, args, stdin, stdout, stderr)
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
	w := bufio.NewWriter(c.Stdout)
	for _, r := range redact.Rules() {
		fmt.Fprintf(w, "%-26s%s\n", r.Name, r.About) //nolint:errcheck // Flush tells
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}
