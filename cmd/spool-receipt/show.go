package main

import (
	"context"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/receipt"
	"spool/pkg/format"
)

func jsonOption(on *bool) cmdline.Option { return cmdline.Switch(on, "json", "print JSON") }

func showCommand() cmdline.Tool {
	var dir string
	var asJSON bool
	return cmdline.Tool{
		Name:     "show",
		Synopsis: []string{"[--json] REF"},
		About:    "Prints the receipt of a capture. Of one that is not final, what can be seen now.",
		Options:  []cmdline.Option{dirOption(&dir), jsonOption(&asJSON)},
		Run: func(ctx context.Context, c *cmdline.Call) error {
			return withReference(c, dir, func(k *capture.Capture, _ format.Ref) error {
				r, err := receipt.Show(ctx, k)
				if err != nil {
					return err
				}
				return emitReceipt(c, r, asJSON)
			})
		},
	}
}

// emitReceipt prints a receipt, for programs or for people.
func emitReceipt(c *cmdline.Call, r *format.Receipt, asJSON bool) error {
	if !asJSON {
		return emit(c, []byte(receipt.Text(r)))
	}
	data, err := format.EncodeReceipt(r)
	if err != nil {
		return err
	}
	return emit(c, data)
}
