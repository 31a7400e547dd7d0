//go:build unix

package main

import (
	"os"
	"time"

	"spool/cmd/internal/budget"
	"spool/cmd/internal/redaction"
	"spool/cmd/internal/retention"
	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/pipeline"
	"spool/internal/preview"
	"spool/internal/spool"
	"spool/pkg/format"
)

// settings are the options, as they are filled from the command line.
type settings struct {
	o          pipeline.Options
	args       []string
	executable string // this program; "" if that cannot be known
	supervisor bool   // this process is the supervisor of a detached run

	dir, cancel         string
	json                bool
	doctor, printConfig bool
	progress            pipeline.Progress
	upstream            string

	// Options of the stages that this process has to know as well.
	keep   spool.Options
	redact *redaction.Options
	budget *budget.Options
}

func newSettings(args []string, stdin, stdout, stderr *os.File) *settings {
	executable, err := os.Executable()
	if err != nil {
		executable = ""
	}
	return &settings{
		args: args, executable: executable,
		supervisor: len(args) > 0 && args[0] == pipeline.SupervisorName,
		progress:   pipeline.ProgressAuto,
		upstream:   string(format.UpstreamUnknown),
		keep:       retention.Defaults(), redact: redaction.New(), budget: budget.New(),
		o: pipeline.Options{
			Stdin: stdin, Stdout: stdout, Stderr: stderr,
			Input: pipeline.StdinInherit, Keep: pipeline.KeepAuto, Orphans: pipeline.OrphansLeave,
			KillAfter: 2 * time.Second, Drain: time.Second,
		},
	}
}

// options is the table.
func (s *settings) options() []cmdline.Option {
	table := s.runOptions()
	table = append(table, s.captureOptions()...)
	return append(table, s.stageOptions()...)
}

// runOptions are the driver's own.
func (s *settings) runOptions() []cmdline.Option {
	o := &s.o
	return []cmdline.Option{
		cmdline.Choice(&o.Keep, pipeline.Keeps(), "keep", "which captures stay"),
		cmdline.Switch(&s.json, "json", "print one JSON object instead of the previews"),
		cmdline.Switch(&o.Live, "live", "pass the sanitised output through as it comes"),
		cmdline.Switch(&o.Merge, "merge", "give COMMAND one pipe for stdout and stderr"),
		cmdline.String(&o.Input, "stdin", "inherit|null|FILE", "what COMMAND reads"),
		cmdline.Switch(&o.Background, "background", "print the reference at once; COMMAND runs on").OneOff(),
		cmdline.Duration(&o.PromoteAfter, "promote-after", "D", "return after this time with status 75; COMMAND runs on"),
		cmdline.Duration(&o.Timeout, "timeout", "D", "end COMMAND and its descendants after this time; 0 for never"),
		cmdline.Duration(&o.KillAfter, "kill-after", "D", "time from TERM to KILL"),
		cmdline.Duration(&o.Drain, "drain", "D", "how long descendants may hold the pipes after COMMAND's end"),
		cmdline.Choice(&o.Orphans, pipeline.OrphanFates(), "orphans", "what becomes of descendants that COMMAND leaves"),
		cmdline.Switch(&o.RequireCapture, "require-capture", "fail before the start if nothing can be kept"),
		cmdline.Choice(&s.progress, pipeline.ProgressModes(), "progress", "a status line on the terminal while COMMAND is silent"),
		cmdline.String(&s.cancel, "cancel", "REF", "end the command of a running capture").OneOff(),
		cmdline.Switch(&s.doctor, "doctor", "check the surroundings").OneOff(),
		cmdline.Switch(&s.printConfig, "print-config", "show every option in force and where it comes from").OneOff(),
	}
}

// pipeline returns the options of a run.
func (s *settings) pipeline(call *cmdline.Call) (*pipeline.Options, error) {
	o := s.o
	if err := s.check(); err != nil {
		return nil, err
	}
	o.Command, o.Env = call.Args, os.Environ()
	o.Dir, o.NoDir = capture.Dir(s.dir, os.Getenv)
	o.WantReceipt = s.json
	o.StatusLine = s.statusLine()
	o.Facts.Tool = format.Tool{Name: "spool", Version: cmdline.Version()}
	var err error
	if o.Facts.Upstream, err = format.ParseUpstream(s.upstream); err != nil {
		return nil, cmdline.Usagef("option --upstream: %v", err)
	}
	if o.Stages, err = pipeline.FindStages(s.executable, os.Getenv("PATH")); err != nil {
		return nil, &pipeline.SetupError{Err: err}
	}
	s.fill(&o)
	return &o, s.redaction(&o)
}

// check refuses what does not go together.
func (s *settings) check() error {
	o := &s.o
	switch {
	case o.Live && s.json:
		return cmdline.Usagef("--live and --json exclude each other: both write to stdout")
	case o.Live && o.Detached():
		return cmdline.Usagef("--live needs a caller that waits: it excludes --background and --promote-after")
	case o.Keep == pipeline.KeepNever && o.Detached():
		return cmdline.Usagef("--keep never excludes --background and --promote-after: nothing could be referred to")
	case o.Keep == pipeline.KeepNever && o.RequireCapture:
		return cmdline.Usagef("--keep never and --require-capture exclude each other")
	}
	return nil
}

// statusLine tells whether a status line is to be shown.
func (s *settings) statusLine() bool {
	if s.progress != pipeline.ProgressAuto {
		return s.progress == pipeline.ProgressAlways
	}
	return preview.IsTerminal(s.o.Stderr) && pipeline.Capable(os.Getenv("TERM"))
}

// openRef opens the capture that a reference names.
func openRef(dir, ref string) (*capture.Capture, error) {
	p, err := format.ParsePattern(ref)
	if err != nil {
		return nil, &cmdline.UsageError{Message: err.Error()}
	}
	if dir, err = capture.Dir(dir, os.Getenv); err != nil {
		return nil, err
	}
	ns, err := capture.OpenNamespace(dir)
	if err != nil {
		return nil, err
	}
	r, err := ns.Resolve(p)
	if err != nil {
		return nil, err
	}
	return ns.Open(r.ID)
}
