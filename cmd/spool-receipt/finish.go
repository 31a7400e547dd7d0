package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/receipt"
	"spool/pkg/format"
)

// openCapture opens the capture that --capture names.
func openCapture(c *cmdline.Call, dir string) (*capture.Capture, error) {
	if err := noOperands(c); err != nil {
		return nil, err
	}
	if dir == "" {
		return nil, cmdline.Usagef("--capture DIR is needed: the directory that begin printed")
	}
	return capture.OpenPath(dir)
}

func captureOption(dir *string) cmdline.Option {
	return cmdline.String(dir, "capture", "DIR", "the capture, as begin printed it").OneOff()
}

func processCommand() cmdline.Tool {
	var dir, exit string
	var o receipt.ProcessOptions
	return cmdline.Tool{
		Name:     "process",
		Synopsis: []string{"--capture DIR --exit N | --signal NAME | --state STATE"},
		About:    "Records how the command ended, once.",
		Options: []cmdline.Option{
			captureOption(&dir),
			cmdline.String(&exit, "exit", "N", "its exit code, 0 to 255").OneOff(),
			cmdline.String(&o.Signal, "signal", "NAME", "the signal that ended it: SIGKILL").OneOff(),
			cmdline.Choice(&o.State, []format.ProcessState{
				format.ProcessExited, format.ProcessCancelled, format.ProcessTimeout, format.ProcessNotStarted, format.ProcessUnknown,
			}, "state", "exited if a code or signal is given").OneOff(),
		},
		Run: func(ctx context.Context, c *cmdline.Call) (err error) {
			if o.State == "" && exit == "" && o.Signal == "" {
				return cmdline.Usagef("how it ended is needed: --exit, --signal or --state")
			}
			if exit != "" {
				n, err := strconv.ParseUint(exit, 10, 8)
				if err != nil {
					return cmdline.Usagef("option --exit: %q is not between 0 and %d", exit, math.MaxUint8)
				}
				o.Exit = format.Some(int64(n)) //nolint:gosec // eight bits
			}
			if err := o.Check(); err != nil {
				return cmdline.Usagef("%v", err)
			}
			k, err := openCapture(c, dir)
			if err != nil {
				return err
			}
			return errors.Join(receipt.Process(ctx, k, o), k.Close())
		},
	}
}

func finishCommand() cmdline.Tool {
	var dir string
	return cmdline.Tool{
		Name:     "finish",
		Synopsis: []string{"--capture DIR"},
		About:    "Folds the stages' reports, checks them against each other and the files, and publishes the receipt.",
		Options:  []cmdline.Option{captureOption(&dir)},
		Run: func(ctx context.Context, c *cmdline.Call) (err error) {
			k, err := openCapture(c, dir)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, k.Close()) }()
			r, already, err := receipt.Finish(ctx, k, receipt.FinishOptions{
				Tool: tool(), Warn: func(err error) { c.Warn("counts as missing: %v", err) },
			})
			switch {
			case errors.Is(err, account.ErrWriting):
				return cmdline.WithHint(err, "finish when the stages have ended")
			case r == nil:
				return err
			case already && r.Capture.Crashed():
				return fmt.Errorf("capture %s is final already: spool-gc took it for abandoned and published its receipt", r.ID)
			case already:
				c.Warn("capture %s is final already: nothing was done", r.ID)
			case r.Capture.State != format.CaptureComplete:
				c.Warn("capture %s is %v", r.ID, r.Capture)
			}
			if err != nil {
				return fmt.Errorf("capture %s: %w", r.ID, err)
			}
			return nil
		},
	}
}
