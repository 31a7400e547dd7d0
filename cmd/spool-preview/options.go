package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"spool/cmd/internal/budget"
	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/preview"
	"spool/pkg/format"
)

// minLimit is the least that a retrieval may be limited to: more than any
// character takes.
const minLimit = 16

type options struct {
	*budget.Options

	head, tail              int
	capture, stream, report string
	forward                 preview.Forward

	dir        string
	bytesRange bounds
	exact      bool
	lines      bounds
	match      pattern
	maxMatches int
	limit      format.Size
	from       cursor
	consumer   string
	follow     bool
	json       bool
}

func defaults() *options {
	return &options{
		Options: budget.New(),
		head:    preview.DefaultHead, tail: preview.DefaultTail, forward: preview.ForwardAll,
		maxMatches: 20, limit: preview.DefaultLimit,
	}
}

func (o *options) table() []cmdline.Option {
	return slices.Concat([]cmdline.Option{
		cmdline.Int(&o.head, 0, preview.MaxBytes, "head", "N", "filter: characters of the beginning"),
		cmdline.Int(&o.tail, 0, preview.MaxBytes, "tail", "N", "filter: characters of the end"),
		cmdline.String(&o.capture, "capture", "DIR", "be a stage of this capture").OneOff(),
		cmdline.String(&o.stream, "stream", "NAME", "the stream to report on").OneOff(),
		cmdline.String(&o.report, "report", "FILE", "write the stage report to a new file").OneOff(),
		cmdline.Choice(&o.forward, []preview.Forward{preview.ForwardAll, preview.ForwardRest}, "forward", "what the stage before passes on: all, or only what is not kept"),
		cmdline.String(&o.dir, "dir", "DIR", "the namespace that REF is in"),
		cmdline.Parsed(&o.bytesRange, parseBounds, "bytes-range", "A:B", "the bytes A to B, counted from 0, without B").OneOff(),
		cmdline.Switch(&o.exact, "exact", "do not shrink a range to whole characters").OneOff(),
		cmdline.Parsed(&o.lines, parseLines, "lines", "A:B", "the lines A to B, counted from 1").OneOff(),
		cmdline.Parsed(&o.match, parsePattern, "match", "REGEX", "where a line matches, with a window around each hit").OneOff(),
		cmdline.Int(&o.maxMatches, 1, 10_000, "max-matches", "N", "hits to show"),
		cmdline.Parsed(&o.limit, parseLimit, "limit", "SIZE", "print at most this much of a range"),
		cmdline.Parsed(&o.from, parseCursor, "from", "G:N", "what is new since this cursor: generation and offset").OneOff(),
		cmdline.Parsed(&o.consumer, parseConsumer, "consumer", "NAME", "what is new since this consumer's last poll"),
		cmdline.Switch(&o.follow, "follow", "go on until the stream is final").OneOff(),
		cmdline.Switch(&o.json, "json", "print one object, with its source"),
	}, o.Table())
}

// ways returns the names of the ways to retrieve that are asked for.
func (o *options) ways() []string {
	var names []string
	for _, w := range []struct {
		name string
		set  bool
	}{
		{"--bytes-range", o.bytesRange.set},
		{"--lines", o.lines.set},
		{"--match", o.match.Regexp != nil},
		{"--from", o.from.set},
		{"--follow", o.follow},
	} {
		if w.set {
			names = append(names, w.name)
		}
	}
	return names
}

// checkFilter tells what is wrong with a call without an operand.
func (o *options) checkFilter(c *cmdline.Call) error {
	switch ways := o.ways(); {
	case len(ways) > 0:
		return cmdline.Usagef("%s needs a REF or REF/STREAM", ways[0])
	case o.exact || o.json || c.Given("consumer") == cmdline.SourceOption:
		return cmdline.Usagef("--exact, --json and --consumer need a REF or REF/STREAM")
	case (o.capture == "") != (o.stream == ""):
		return cmdline.Usagef("--capture and --stream go together")
	case o.capture != "" && o.report != "":
		return cmdline.Usagef("--report and --capture exclude each other: a stage's report lies in its capture")
	}
	if o.stream == "" {
		return nil
	}
	if err := format.CheckStreams([]string{o.stream}); err != nil {
		return cmdline.Usagef("--stream: %v", err)
	}
	return nil
}

// checkLook tells what is wrong with a call with an operand, and reads that.
func (o *options) checkLook(c *cmdline.Call) (format.Pattern, error) {
	if len(c.Args) > 1 {
		return format.Pattern{}, cmdline.Usagef("one REF is looked at, and no more: %q", c.Args[1])
	}
	p, err := format.ParsePattern(c.Args[0])
	if err != nil {
		return p, &cmdline.UsageError{
			Message: err.Error(), Advice: "spool-receipt list shows what there is; a file is read from standard input: spool-preview <FILE",
		}
	}
	ways := o.ways()
	polls := o.from.set || o.follow
	switch {
	case o.capture != "" || o.stream != "" || o.report != "":
		return p, cmdline.Usagef("--capture, --stream and --report are for a filter: they take no operand")
	case len(ways) > 2 || len(ways) == 2 && (!o.from.set || !o.follow):
		return p, cmdline.Usagef("%s exclude each other", strings.Join(ways, " and "))
	case len(ways) > 0 && !polls && c.Given("consumer") == cmdline.SourceOption:
		return p, cmdline.Usagef("--consumer and %s exclude each other", ways[0])
	case o.from.set && o.consumer != "":
		return p, cmdline.Usagef("--from and --consumer exclude each other: a consumer's cursor tells where it was")
	case o.exact && !o.bytesRange.set:
		return p, cmdline.Usagef("--exact goes with --bytes-range")
	}
	return p, nil
}

// bounds is a range that may not have been given.
type bounds struct {
	preview.Range
	set  bool
	text string
}

func (b bounds) String() string { return b.text }

func parseBounds(text string) (bounds, error) {
	r, err := cmdline.ParseRange(text)
	return bounds{Range: preview.Range{Low: r.Low, High: r.High}, set: true, text: text}, err
}

func parseLines(text string) (bounds, error) {
	b, err := parseBounds(text)
	if low, high, _ := strings.Cut(text, ":"); err == nil && (low != "" && b.Low == 0 || high != "" && b.High == 0) {
		return b, fmt.Errorf("lines %q: they are counted from 1", text)
	}
	return b, err
}

// pattern is an expression that may not have been given.
type pattern struct{ *regexp.Regexp }

func (p pattern) String() string {
	if p.Regexp == nil {
		return ""
	}
	return preview.PatternText(p.Regexp)
}

func parsePattern(text string) (pattern, error) {
	re, err := preview.ParsePattern(text)
	return pattern{re}, err
}

// cursor is a position that may not have been given.
type cursor struct {
	at   capture.Position
	set  bool
	text string
}

func (c cursor) String() string { return c.text }

func (c cursor) position() format.Opt[capture.Position] {
	if !c.set {
		return format.None[capture.Position]()
	}
	return format.Some(c.at)
}

func parseCursor(text string) (cursor, error) {
	at, err := preview.ParseCursor(text)
	return cursor{at: at, set: true, text: text}, err
}

func parseConsumer(text string) (string, error) {
	if err := format.CheckName(text); err != nil {
		return "", fmt.Errorf("consumer %w", err)
	}
	return text, nil
}

func parseLimit(text string) (format.Size, error) {
	z, err := format.ParseSize(text)
	if err == nil && z < minLimit {
		err = fmt.Errorf("size %q is less than %d bytes", text, minLimit)
	}
	return z, err
}
