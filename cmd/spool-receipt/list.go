package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"time"

	"spool/internal/cmdline"
	"spool/internal/receipt"
	"spool/pkg/format"
)

type listOptions struct {
	receipt.ListOptions
	dir   string
	json  bool
	since moment
}

// moment is a time, written as one or as how long ago it was.
type moment struct {
	time.Time
	text string
}

// String returns the text it was read from.
func (m moment) String() string { return m.text }

func parseMoment(text string) (moment, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return moment{t, text}, nil
	}
	d, err := cmdline.ParseDuration(text)
	if err != nil {
		return moment{}, fmt.Errorf("%q is neither a time like 2026-11-30T21:45:01Z nor a duration like 2h", text)
	}
	return moment{time.Now().Add(-d), text}, nil
}

func listCommand() cmdline.Tool {
	o := &listOptions{}
	return cmdline.Tool{
		Name:     "list",
		Synopsis: []string{"[options]"},
		About:    "Lists captures, the newest first. With --json a receipt on each line.",
		Options: []cmdline.Option{
			dirOption(&o.dir),
			jsonOption(&o.json),
			cmdline.ParsedList(&o.States, parseState, "state", "STATE", "only those in this state, of the process or the capture").OneOff(),
			cmdline.Switch(&o.Failed, "failed", "only those whose command failed").OneOff(),
			cmdline.Parsed(&o.since, parseMoment, "since", "TIME|D", "only those begun since then").OneOff(),
			cmdline.String(&o.Label, "label", "TEXT", "only those whose label holds this").OneOff(),
		},
		Run: o.run,
	}
}

func parseState(s string) (string, error) { return s, receipt.CheckState(s) }

// A list makes much garbage and keeps little: collecting at 16 MiB of it instead
// of 4 saves an eighth of the work over ten thousand captures.
const collectPercent = 400

func (o *listOptions) run(ctx context.Context, c *cmdline.Call) (err error) {
	if err := noOperands(c); err != nil {
		return err
	}
	o.Since = o.since.Time
	ns, err := openNamespace(o.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was captured yet
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ns.Close()) }()
	debug.SetGCPercent(collectPercent)
	ids, err := ns.IDs()
	if err != nil {
		return err
	}
	width := terminalWidth(c.Stdout)
	t := receipt.Table{
		Width: width, Colour: width > 0 && coloured(os.Getenv("NO_COLOR"), os.Getenv("TERM")),
		Now: time.Now(), Prefix: receipt.UniquePrefix(ids),
	}
	w := bufio.NewWriter(c.Stdout)
	rows, faults := 0, 0
	err = receipt.List(ctx, ns, o.ListOptions, func(r *format.Receipt) error {
		rows++
		return o.row(w, t, r, rows == 1)
	}, func(err error) {
		faults++
		c.Warn("%v", err)
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	if faults > 0 {
		return &cmdline.ExitError{Code: cmdline.ExitFail}
	}
	return nil
}

// coloured tells whether colours are wanted and understood by the terminal.
func coloured(noColor, term string) bool { return noColor == "" && term != "" && term != "dumb" }

// row prints one capture, and before the first one the head.
func (o *listOptions) row(w *bufio.Writer, t receipt.Table, r *format.Receipt, first bool) error {
	if o.json {
		data, err := format.EncodeReceipt(r)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
	text := t.Row(r)
	if first {
		text = t.Head() + text
	}
	_, err := w.WriteString(text)
	return err
}
