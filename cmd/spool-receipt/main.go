// Command spool-receipt keeps the account of captures: it begins and finishes
// them, and shows, checks and hands on what was published.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"spool/internal/cmdline"
	"spool/pkg/format"
)

func main() { os.Exit(run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)) }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	t := cmdline.Tool{
		Name:     "spool-receipt",
		Synopsis: []string{"COMMAND [options] [OPERAND…]"},
		About:    "Keeps the account of captures: begins, finishes, shows, checks and hands them on.",
		Commands: []cmdline.Tool{
			beginCommand(), processCommand(), finishCommand(),
			showCommand(), listCommand(), waitCommand(), claimCommand(), verifyCommand(), resolveCommand(),
			exportCommand(), shareCommand(),
		},
	}
	return t.Main(ctx, args, stdin, stdout, stderr)
}

// tool is who publishes.
func tool() format.Tool { return format.Tool{Name: "spool", Version: cmdline.Version()} }

// emit writes data for the caller to stdout.
func emit(c *cmdline.Call, data []byte) error {
	if _, err := c.Stdout.Write(data); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}

// noOperands refuses what follows the options of a command that takes nothing.
func noOperands(c *cmdline.Call) error {
	if len(c.Args) > 0 {
		return cmdline.Usagef("no operand is taken: %q", c.Args[0])
	}
	return nil
}
