package main

import (
	"context"
	"errors"
	"time"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/receipt"
	"spool/pkg/format"
)

// exitNotYet is the status of what is not final yet, or was delivered before.
const exitNotYet = 3

func waitCommand() cmdline.Tool {
	var dir string
	var timeout time.Duration
	return cmdline.Tool{
		Name:     "wait",
		Synopsis: []string{"[--timeout D] REF"},
		About:    "Waits until a capture is final.",
		Options: []cmdline.Option{
			dirOption(&dir),
			cmdline.Duration(&timeout, "timeout", "D", "wait at most this long").DefaultText("as long as it takes").OneOff(),
		},
		Exit: []cmdline.ExitStatus{{Code: "3", Meaning: "it is not final yet"}},
		Run: func(ctx context.Context, c *cmdline.Call) error {
			if c.Given("timeout") == cmdline.SourceOption {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, timeout)
				defer cancel()
			}
			err := withReference(c, dir, func(k *capture.Capture, _ format.Ref) error {
				_, err := receipt.Wait(ctx, k)
				return err
			})
			switch {
			case errors.Is(err, receipt.ErrNotFinal):
				return &cmdline.ExitError{Code: exitNotYet, Err: err}
			case errors.Is(err, receipt.ErrAbandoned):
				return cmdline.WithHint(err, "spool-gc publishes what is left of it")
			}
			return err
		},
	}
}

func claimCommand() cmdline.Tool {
	var dir string
	var asJSON bool
	return cmdline.Tool{
		Name:     "claim",
		Synopsis: []string{"[--json] REF"},
		About:    "Prints the final receipt to exactly one caller: JSON, and on a terminal text unless asked for JSON.",
		Options:  []cmdline.Option{dirOption(&dir), jsonOption(&asJSON)},
		Exit:     []cmdline.ExitStatus{{Code: "3", Meaning: "it was delivered before, or is not final yet"}},
		Run: func(_ context.Context, c *cmdline.Call) error {
			err := withReference(c, dir, func(k *capture.Capture, _ format.Ref) error {
				r, err := receipt.Claim(k, "claimed at "+format.At(time.Now()).String())
				if err != nil {
					return err
				}
				return emitReceipt(c, r, asJSON || terminalWidth(c.Stdout) == 0)
			})
			if errors.Is(err, capture.ErrDelivered) || errors.Is(err, receipt.ErrNotFinal) {
				return &cmdline.ExitError{Code: exitNotYet, Err: err}
			}
			return err
		},
	}
}
