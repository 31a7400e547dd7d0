package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/receipt"
	"spool/pkg/format"
)

func resolveCommand() cmdline.Tool {
	var dir string
	return cmdline.Tool{
		Name:     "resolve",
		Synopsis: []string{"REF"},
		About:    "Prints the local path of a capture or stream, if it is there. Else says unavailable or needs-transfer.",
		Options:  []cmdline.Option{dirOption(&dir)},
		Run: func(_ context.Context, c *cmdline.Call) error {
			err := withReference(c, dir, func(k *capture.Capture, ref format.Ref) error {
				path, err := receipt.Resolve(k, ref.Stream)
				if err != nil {
					return err
				}
				return emit(c, []byte(path+"\n"))
			})
			if errors.Is(err, capture.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w: %w", receipt.ErrUnavailable, err)
			}
			return err
		},
	}
}
