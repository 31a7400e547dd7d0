//go:build unix

// Spool-run runs a command, shows a bounded preview of what it printed, and
// keeps the whole of it, redacted, where it can be searched.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"spool/internal/cmdline"
	"spool/internal/pipeline"
)

func main() {
	os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdin, stdout, stderr *os.File) int {
	s := newSettings(args, stdin, stdout, stderr)
	t := cmdline.Tool{
		Name: "spool-run",
		Synopsis: []string{
			"[options] [--] COMMAND [ARG...]",
			"--cancel REF [--dir DIR]",
			"--doctor | --print-config [options]",
		},
		About: "Runs COMMAND, shows a bounded preview of its output, and keeps the whole output, redacted, " +
			"with a receipt. A small and complete result is shown as it is and leaves nothing behind.",
		Options: s.options(),
		Exit: []cmdline.ExitStatus{
			{Code: "COMMAND's", Meaning: "its own, exactly; 128+n if signal n ended it"},
			{Code: "75", Meaning: "--promote-after: COMMAND runs on"},
			{Code: "124", Meaning: "--timeout ended COMMAND"},
			{Code: "125", Meaning: "spool-run itself failed before COMMAND was started"},
			{Code: "126, 127", Meaning: "COMMAND cannot be executed, or was not found"},
		},
		Foreign: true,
		Run:     s.run,
	}
	return t.Main(ctx, args, stdin, stdout, stderr)
}

// run does what the options ask for.
func (s *settings) run(ctx context.Context, call *cmdline.Call) error {
	switch {
	case s.cancel != "":
		return s.runCancel(ctx, call)
	case s.printConfig:
		return s.showConfig(call)
	case s.doctor:
		return s.runDoctor(call)
	case len(call.Args) == 0:
		return cmdline.Usagef("a command is needed")
	}
	o, err := s.pipeline(call)
	if err != nil {
		return err
	}
	if s.supervisor {
		pipeline.Supervise(*o)
		return nil
	}
	begin := pipeline.Run
	if o.Detached() {
		begin = func(o pipeline.Options) (*pipeline.Result, error) {
			return pipeline.Detach(o, s.executable, s.args[1:])
		}
	}
	res, err := begin(*o)
	if err != nil {
		return err
	}
	s.show(call, res)
	return &cmdline.ExitError{Code: res.Code}
}

// show prints what came of the run. What cannot be printed does not change the
// exit status.
func (s *settings) show(call *cmdline.Call, res *pipeline.Result) {
	signal.Ignore(syscall.SIGPIPE) // a reader that has gone is an error of the write
	var err error
	switch {
	case s.json:
		err = res.PrintJSON(call.Stdout)
	case s.o.Background && res.Code == 0 && res.Cursors != nil:
		err = res.PrintRef(call.Stdout)
	default:
		err = res.Print(call.Stdout, call.Stderr)
	}
	if err != nil {
		call.Warn("%v", err)
	}
	for _, note := range res.Notes {
		call.Warn("%s", note)
	}
	if res.Summary != "" && !s.json {
		call.Warn("%s", res.Summary)
	}
}

// cancelBound is how long --cancel waits for the end that it asked for.
const cancelBound = time.Minute

// runCancel ends the command of a capture.
func (s *settings) runCancel(ctx context.Context, call *cmdline.Call) error {
	if len(call.Args) > 0 {
		return cmdline.Usagef("--cancel takes no command: %q", call.Args[0])
	}
	c, err := openRef(s.dir, s.cancel)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // nothing was written
	ctx, stop := context.WithTimeout(ctx, cancelBound)
	defer stop()
	return pipeline.Cancel(ctx, c)
}
