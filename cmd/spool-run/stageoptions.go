//go:build unix

package main

import (
	"io"
	"os"
	"slices"
	"strconv"

	"spool/cmd/internal/retention"
	"spool/internal/cmdline"
	"spool/internal/pipeline"
	"spool/internal/redact"
	"spool/internal/spool"
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

// stageOptions are those that a stage gets as well.
func (s *settings) stageOptions() []cmdline.Option {
	args := &s.o.StageArgs
	return slices.Concat(
		pass(&args.Tee, slices.Concat(retention.Limits(&s.keep.Limits), retention.Writing(&s.keep))...),
		pass(&args.Redact, slices.Concat(s.redact.Secrets(), s.redact.Text())...),
		[]cmdline.Option{
			s.redact.Descriptor(),
			cmdline.String(&s.o.Audit, "audit", "FILE", "list each hit in new files FILE.STREAM").OneOff(),
		},
		s.budget.Table(),
	)
}

// fill completes the options of a run by what the stages' tables have filled.
func (s *settings) fill(o *pipeline.Options) {
	o.Facts.Limits, o.NoSync = s.keep.Limits, s.keep.Sync == spool.SyncNone
	o.Budget, o.Highlight = s.budget.Budget(), s.budget.Highlight()
	o.StageArgs.Preview = []string{
		"--stdout-chars=" + strconv.Itoa(o.Budget.StdoutChars),
		"--stderr-chars=" + strconv.Itoa(o.Budget.StderrChars),
		"--bytes=" + strconv.Itoa(o.Budget.Bytes),
	}
}

// redaction prepares what redacts in this process, in the same way as the
// stages do.
func (s *settings) redaction(o *pipeline.Options) error {
	stage := s.redact.Stage()
	if fd := stage.Source.FD; fd != 0 {
		data, err := s.readSecrets(fd)
		if err != nil {
			return err
		}
		o.Secrets, stage.Source.Data, stage.Source.FD = data, data, 0
	}
	o.Sanitizer = func() (*redact.Set, []string, error) { return stage.Prepare(nil) }
	return nil
}

// readSecrets reads the descriptor of secrets to its end and closes it, so that
// COMMAND does not inherit it.
func (s *settings) readSecrets(fd int) ([]byte, error) {
	if s.supervisor {
		return pipeline.HandedSecrets()
	}
	const most = 4 << 20
	f := os.NewFile(uintptr(fd), "secrets")
	defer f.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, cmdline.Usagef("option --secrets-fd: descriptor %d cannot be read: %v", fd, err)
	case len(data) > most:
		return nil, cmdline.Usagef("option --secrets-fd: descriptor %d holds more than %d bytes", fd, most)
	}
	return data, nil
}
