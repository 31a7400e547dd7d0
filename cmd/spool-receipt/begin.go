package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"spool/cmd/internal/redaction"
	"spool/cmd/internal/retention"
	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/receipt"
	"spool/internal/redact"
	"spool/pkg/format"
)

// beginOptions are receipt's, and what has to be read before they are known.
type beginOptions struct {
	receipt.BeginOptions
	dir, streams string
	redact       *redaction.Options // of it those for secrets and rules
}

func beginCommand() cmdline.Tool {
	o := &beginOptions{streams: "stdout,stderr", redact: redaction.New()}
	o.Limits = retention.DefaultLimits()
	o.Upstream.State = format.UpstreamUnknown
	return cmdline.Tool{
		Name:     "begin",
		Synopsis: []string{"[options] [--] [COMMAND [ARG…]]"},
		About:    "Makes a capture and prints its directory. COMMAND is its label and is not run.",
		Options:  o.table(),
		Run:      o.run,
	}
}

func (o *beginOptions) table() []cmdline.Option {
	return slices.Concat(
		[]cmdline.Option{
			dirOption(&o.dir),
			cmdline.String(&o.Label, "label", "TEXT", "label of the capture").DefaultText("the command line"),
			cmdline.Switch(&o.NoLabel, "no-label", "leave the label out"),
			cmdline.String(&o.CallID, "call-id", "X", "the caller's name for this call"),
			cmdline.String(&o.JobID, "job-id", "X", "the caller's name for the job"),
			cmdline.String(&o.Parent, "parent", "REF", "the capture whose command begins this one"),
			cmdline.String(&o.streams, "streams", "LIST", "stdout,stderr, one of them, or output alone"),
			cmdline.Parsed(&o.Upstream, format.ParseUpstream, "upstream", "complete|truncated|unknown[:NOTE]", "what the producer declares of its own output"),
		},
		retention.Limits(&o.Limits),
		o.redact.Secrets(),
		[]cmdline.Option{o.redact.Descriptor()},
	)
}

func (o *beginOptions) run(_ context.Context, c *cmdline.Call) (err error) {
	if o.Streams, err = format.ParseStreams(o.streams); err != nil {
		return cmdline.Usagef("--streams: %v", err)
	}
	if o.Parent != "" {
		if _, err := format.ParseRef(o.Parent); err != nil {
			return cmdline.Usagef("--parent: %v", err)
		}
	}
	set, err := o.redactor(c)
	if err != nil {
		return err
	}
	o.Args, o.Sanitize, o.Tool = c.Args, set.String, tool()
	dir, err := capture.Dir(o.dir, os.Getenv)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil { // it is printed, and may be used from elsewhere
		return err
	}
	ns, err := capture.CreateNamespace(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ns.Close()) }()
	made, err := receipt.Begin(ns, o.BeginOptions)
	if err != nil {
		return err
	}
	return errors.Join(emit(c, []byte(made.Path()+"\n")), made.Close())
}

// redactor prepares what takes secrets out of the metadata.
func (o *beginOptions) redactor(c *cmdline.Call) (*redact.Set, error) {
	stage := o.redact.Stage()
	set, warnings, err := stage.Prepare(nil)
	for _, w := range warnings {
		c.Warn("%s", w)
	}
	return set, err
}
