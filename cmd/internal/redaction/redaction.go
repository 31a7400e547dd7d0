// Package redaction is the redactor's options, for every tool that takes them.
package redaction

import (
	"os"

	"spool/internal/cmdline"
	"spool/internal/redact"
	"spool/pkg/format"
)

type ansi string

// Options are the redactor's, as a command line fills them.
type Options struct {
	stage  redact.StageOptions
	noEnv  bool
	window format.Size
	ansi   ansi
}

// New returns the defaults.
func New() *Options {
	return &Options{
		stage:  redact.StageOptions{Source: redact.Source{Environ: os.Environ()}},
		window: redact.DefaultWindow, ansi: "strip",
	}
}

// Stage returns what the table has filled.
func (o *Options) Stage() redact.StageOptions {
	s := o.stage
	s.Source.DefaultEnv = !o.noEnv
	s.Window, s.KeepANSI = int(o.window), o.ansi == "keep"
	return s
}

// Secrets is the table of what is taken out: literals and rules.
func (o *Options) Secrets() []cmdline.Option {
	s := &o.stage
	return []cmdline.Option{
		cmdline.ParsedList(&s.Source.EnvGlobs, redact.ParseGlob, "secret-env", "GLOB", "redact the values of these variables too"),
		cmdline.Switch(&o.noEnv, "no-secret-env", "not those of variables named like secrets"),
		cmdline.Strings(&s.Source.Files, "secrets-file", "FILE", "redact the lines of this private file"),
		cmdline.ParsedList(&s.Disable, redact.ParseRule, "disable", "NAME", "do without this rule; spool-redact rules lists them"),
		cmdline.ParsedList(&s.Rules.Patterns, redact.ParsePattern, "pattern", "NAME=REGEX", "redact what matches, or its first group"),
		cmdline.Strings(&s.Rules.Files, "patterns-file", "FILE", "the same, one a line"),
		cmdline.String(&s.Rules.Gitleaks, "gitleaks", "FILE", "use the rules of a gitleaks.toml"),
	}
}

// Descriptor is the row of the one source of secrets that only the process that
// was given it can read.
func (o *Options) Descriptor() cmdline.Option {
	return cmdline.Int(&o.stage.Source.FD, 3, 1<<20, "secrets-fd", "N", "redact the lines read from this descriptor")
}

// Text is the table of what the input is, and what becomes of it beside.
func (o *Options) Text() []cmdline.Option {
	s := &o.stage
	return []cmdline.Option{
		cmdline.Parsed(&o.window, redact.ParseWindow, "window", "SIZE", "hold at most this much undecided text"),
		cmdline.Choice(&o.ansi, []ansi{"strip", "keep"}, "ansi", "what becomes of escape sequences"),
		cmdline.Parsed(&s.Encoding, redact.ParseEncoding, "encoding", "NAME", "of the input").DefaultText("auto"),
		cmdline.Switch(&s.NoRedact, "no-redact", "decode and strip only"),
		cmdline.Switch(&s.Raw, "raw", "take the bytes as they come"),
	}
}
