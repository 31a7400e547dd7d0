package main

import (
	"io"
	"os"
	"strconv"

	"spool/internal/cmdline"
	"spool/internal/pipeline"
	"spool/internal/preview"
	"spool/internal/redact"
	"spool/internal/spool"
	"spool/pkg/format"
)

// passed is an option's value that a stage gets as well, in the same words.
type passed struct {
	cmdline.Value
	option cmdline.Option
	to     *[]string
}

// Set implements [cmdline.Value].
func (p *passed) Set(text string) error {
	if err := p.Value.Set(text); err != nil {
		return err
	}
	switch {
	case p.option.Arg != "":
		*p.to = append(*p.to, "--"+p.option.Name+"="+text)
	case p.String() == "true":
		*p.to = append(*p.to, "--"+p.option.Name)
	}
	return nil
}

// pass makes each option of a table one that a stage gets as well.
func pass(to *[]string, table ...cmdline.Option) []cmdline.Option {
	for i, o := range table {
		table[i].Value = &passed{Value: o.Value, option: o, to: to}
	}
	return table
}

// captureOptions are those of begin.
func (s *settings) captureOptions() []cmdline.Option {
	f := &s.o.Facts
	return []cmdline.Option{
		cmdline.String(&s.dir, "dir", "DIR", "the namespace"),
		cmdline.String(&f.Label, "label", "TEXT", "label of the capture; the command line by default"),
		cmdline.Switch(&f.NoLabel, "no-label", "leave the label out"),
		cmdline.String(&f.CallID, "call-id", "X", "the caller's name for this call"),
		cmdline.String(&f.JobID, "job-id", "X", "the caller's name for the job"),
		cmdline.String(&s.upstream, "upstream", "complete|truncated|unknown[:NOTE]", "what COMMAND declares of its own output"),
	}
}

// teeOptions are those of spool-tee.
func (s *settings) teeOptions() []cmdline.Option {
	limits := &s.o.Facts.Limits
	return pass(
		&s.o.StageArgs.Tee,
		cmdline.Parsed(&limits.CaptureBytes, format.ParseSize, "max-bytes", "SIZE", "keep at most this much, over all streams"),
		cmdline.Parsed(&limits.NamespaceBytes, format.ParseSize, "max-namespace", "SIZE", "keep at most this much, over all captures of the namespace"),
		cmdline.Duration(&s.stall, "stall", "D", "wait at most this long for the disk, in all"),
		cmdline.Choice(&s.compress, []spool.Compress{spool.CompressNone, spool.CompressZstd}, "compress", "form of the files"),
		cmdline.Choice(&s.sync, []spool.Sync{spool.SyncNone, spool.SyncEnd, spool.SyncAlways}, "sync", "when what is kept is made durable"),
	)
}

// redactOptions are those of spool-redact.
func (s *settings) redactOptions() []cmdline.Option {
	o := &s.redact
	table := pass(
		&s.o.StageArgs.Redact,
		cmdline.ParsedList(&o.Source.EnvGlobs, redact.ParseGlob, "secret-env", "GLOB", "redact the values of these variables too"),
		cmdline.Switch(&s.noSecretEnv, "no-secret-env", "not those of variables named like secrets"),
		cmdline.Strings(&o.Source.Files, "secrets-file", "FILE", "redact the lines of this private file"),
		cmdline.ParsedList(&o.Disable, redact.ParseRule, "disable", "NAME", "do without this rule; spool-redact rules lists them"),
		cmdline.ParsedList(&o.Rules.Patterns, redact.ParsePattern, "pattern", "NAME=REGEX", "redact what matches, or its first group"),
		cmdline.Strings(&o.Rules.Files, "patterns-file", "FILE", "the same, one a line"),
		cmdline.String(&o.Rules.Gitleaks, "gitleaks", "FILE", "use the rules of a gitleaks.toml"),
		cmdline.Parsed(&s.window, redact.ParseWindow, "window", "SIZE", "hold at most this much undecided text"),
		cmdline.Choice(&s.ansi, []string{"strip", "keep"}, "ansi", "what becomes of escape sequences"),
		cmdline.Parsed(&o.Encoding, redact.ParseEncoding, "encoding", "NAME", "of what COMMAND writes").DefaultText("auto"),
		cmdline.Switch(&o.NoRedact, "no-redact", "decode and strip only"),
		cmdline.Switch(&o.Raw, "raw", "keep the bytes as they come"),
	)
	return append(
		table,
		cmdline.Int(&s.secretsFD, 3, 1<<20, "secrets-fd", "N", "redact the lines read from this descriptor"),
		cmdline.String(&s.o.Audit, "audit", "FILE", "list each hit in new files FILE.STREAM").OneOff(),
	)
}

// previewOptions bound what is shown.
func (s *settings) previewOptions() []cmdline.Option {
	b := &s.o.Budget
	return []cmdline.Option{
		cmdline.Int(&b.StdoutChars, 1, preview.MaxBytes, "stdout-chars", "N", "characters of stdout shown; the sum with stderr's is shared"),
		cmdline.Int(&b.StderrChars, 1, preview.MaxBytes, "stderr-chars", "N", "characters of stderr shown"),
		cmdline.Parsed(&s.previewBytes, format.ParseSize, "bytes", "SIZE", "ceiling on all that is shown, 64 to 1M"),
		cmdline.Parsed(&s.o.Highlight, preview.ParseHighlighting, "highlight", "auto|off|REGEX", "lines of the omitted middle to show; auto: the likely cause of a failure"),
	}
}

// stageArgs completes what the stages are started with.
func (s *settings) stageArgs(o *pipeline.Options) {
	o.Budget.Bytes = int(s.previewBytes)
	o.StageArgs.Preview = []string{
		"--stdout-chars=" + strconv.Itoa(o.Budget.StdoutChars),
		"--stderr-chars=" + strconv.Itoa(o.Budget.StderrChars),
		"--bytes=" + strconv.Itoa(o.Budget.Bytes),
	}
	o.NoSync = s.sync == spool.SyncNone
}

// redaction prepares what redacts in this process, in the same way as the
// stages do.
func (s *settings) redaction(o *pipeline.Options) error {
	if s.secretsFD != 0 {
		data, err := s.readSecrets()
		if err != nil {
			return err
		}
		o.Secrets, s.redact.Source.Data = data, data
	}
	s.redact.Source.Environ, s.redact.Source.DefaultEnv = o.Env, !s.noSecretEnv
	s.redact.Window, s.redact.KeepANSI = int(s.window), s.ansi == "keep"
	o.Sanitizer = func() (*redact.Set, []string, error) { return s.redact.Prepare(nil) }
	return nil
}

// readSecrets reads the descriptor of secrets to its end and closes it, so that
// COMMAND does not inherit it.
func (s *settings) readSecrets() ([]byte, error) {
	if s.supervisor {
		return pipeline.HandedSecrets()
	}
	const most = 4 << 20
	f := os.NewFile(uintptr(s.secretsFD), "secrets")
	defer f.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, cmdline.Usagef("option --secrets-fd: descriptor %d cannot be read: %v", s.secretsFD, err)
	case len(data) > most:
		return nil, cmdline.Usagef("option --secrets-fd: descriptor %d holds more than %d bytes", s.secretsFD, most)
	}
	return data, nil
}
