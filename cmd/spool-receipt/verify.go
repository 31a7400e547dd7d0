package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/receipt"
	"spool/pkg/format"
)

func verifyCommand() cmdline.Tool {
	var dir string
	var all bool
	return cmdline.Tool{
		Name:     "verify",
		Synopsis: []string{"REF…", "--all"},
		About:    "Holds captures against their bytes: sizes, hashes, names, modes, rules. One line for each fault.",
		Options:  []cmdline.Option{dirOption(&dir), cmdline.Switch(&all, "all", "every capture, and the namespace itself").OneOff()},
		Run: func(ctx context.Context, c *cmdline.Call) (err error) {
			patterns, err := parsePatterns(c.Args)
			switch {
			case err != nil:
				return err
			case all == (len(patterns) > 0):
				return cmdline.Usagef("either REF or --all is needed")
			}
			ns, err := openNamespace(dir)
			if all && errors.Is(err, fs.ErrNotExist) {
				return nil // nothing was captured yet, and all of it is right
			}
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, ns.Close()) }()
			w := &verification{call: c, ns: ns}
			if all {
				return w.all(ctx)
			}
			for _, p := range patterns {
				if err := open(ns, p, func(k *capture.Capture, _ format.Ref) error { return w.capture(ctx, k, true) }); err != nil {
					return err
				}
			}
			return w.verdict()
		},
	}
}

// verification is one run of verify.
type verification struct {
	call   *cmdline.Call
	ns     *capture.Namespace
	faults int
}

// all verifies the namespace and every capture in it.
func (w *verification) all(ctx context.Context) error {
	faults, err := receipt.VerifyNamespace(w.ns)
	if err == nil {
		err = w.tell(faults)
	}
	if err != nil {
		return err
	}
	ids, err := w.ns.IDs()
	if err != nil {
		return err
	}
	for _, id := range ids {
		k, err := w.ns.Open(id)
		if errors.Is(err, capture.ErrNotFound) {
			continue // removed meanwhile
		}
		if err != nil {
			if err := w.tell([]receipt.Fault{{Where: string(id), Problem: err.Error()}}); err != nil {
				return err
			}
			continue
		}
		if err := errors.Join(w.capture(ctx, k, false), k.Close()); err != nil {
			return err
		}
	}
	faults, err = receipt.VerifyAllowance(ctx, w.ns)
	if err == nil {
		err = w.tell(faults)
	}
	if err != nil {
		return err
	}
	return w.verdict()
}

// capture verifies one capture; named says that it was asked for.
func (w *verification) capture(ctx context.Context, k *capture.Capture, named bool) error {
	v, err := receipt.Verify(ctx, k)
	if err != nil {
		return err
	}
	if v.Live && named {
		w.call.Warn("capture %s is not final: not verified", k.ID())
	}
	return w.tell(v.Faults)
}

func (w *verification) tell(faults []receipt.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	w.faults += len(faults)
	var b strings.Builder
	for _, f := range faults {
		b.WriteString(f.String() + "\n")
	}
	return emit(w.call, []byte(b.String()))
}

// verdict is the exit status; the lines are the message.
func (w *verification) verdict() error {
	if w.faults > 0 {
		return &cmdline.ExitError{Code: cmdline.ExitFail}
	}
	return nil
}
