package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

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
	redact       redact.StageOptions // its options for secrets and rules
	noEnv        bool
}

func beginCommand() cmdline.Tool {
	o := &beginOptions{streams: "stdout,stderr"}
	o.redact.Source.Environ = os.Environ()
	o.Limits = format.Limits{CaptureBytes: 32 << 20, NamespaceBytes: 128 << 20}
	o.Upstream.State = format.UpstreamUnknown
	return cmdline.Tool{
		Name:     "begin",
		Synopsis: []string{"[options] [--] [COMMAND [ARG…]]"},
		About:    "Makes a capture and prints its directory. COMMAND is its label and is not run.",
		Options: []cmdline.Option{
			dirOption(&o.dir),
			cmdline.String(&o.Label, "label", "TEXT", "label of the capture").DefaultText("the command line"),
			cmdline.Switch(&o.NoLabel, "no-label", "leave the label out"),
			cmdline.String(&o.CallID, "call-id", "X", "the caller's name for this call"),
			cmdline.String(&o.JobID, "job-id", "X", "the caller's name for the job"),
			cmdline.String(&o.Parent, "parent", "REF", "the capture whose command begins this one"),
			cmdline.String(&o.streams, "streams", "LIST", "stdout,stderr, one of them, or output alone"),
			cmdline.Parsed(&o.Upstream, format.ParseUpstream, "upstream", "complete|truncated|unknown[:NOTE]", "what the producer declares of its own output"),
			cmdline.Parsed(&o.Limits.CaptureBytes, format.ParseSize, "max-bytes", "SIZE", "what the capture may keep, over all of its streams"),
			cmdline.Parsed(&o.Limits.NamespaceBytes, format.ParseSize, "max-namespace", "SIZE", "what all captures of the namespace may keep"),
			cmdline.ParsedList(&o.redact.Source.EnvGlobs, redact.ParseGlob, "secret-env", "GLOB", "redact the values of these variables too"),
			cmdline.Switch(&o.noEnv, "no-secret-env", "not those of variables named like secrets"),
			cmdline.Strings(&o.redact.Source.Files, "secrets-file", "FILE", "redact the lines of this private file"),
			cmdline.Int(&o.redact.Source.FD, 3, 1<<20, "secrets-fd", "N", "redact the lines read from this descriptor"),
			cmdline.ParsedList(&o.redact.Disable, redact.ParseRule, "disable", "NAME", "do without this rule"),
			cmdline.ParsedList(&o.redact.Rules.Patterns, redact.ParsePattern, "pattern", "NAME=REGEX", "redact what matches, or its first group"),
			cmdline.Strings(&o.redact.Rules.Files, "patterns-file", "FILE", "the same, one a line"),
			cmdline.String(&o.redact.Rules.Gitleaks, "gitleaks", "FILE", "use the rules of a gitleaks.toml"),
		},
		Run: o.run,
	}
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
	o.redact.Source.DefaultEnv = !o.noEnv
	set, warnings, err := o.redact.Prepare(nil)
	for _, w := range warnings {
		c.Warn("%s", w)
	}
	return set, err
}
