//go:build unix

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/pipeline"
)

// showConfig shows every option in force and where it comes from: default, an
// environment variable's name, or option.
func (s *settings) showConfig(call *cmdline.Call) error {
	w := tabwriter.NewWriter(call.Stdout, 0, 0, 2, ' ', 0)
	for _, set := range call.Settings() {
		switch set.Name {
		case "cancel", "doctor", "print-config": // they are calls of their own
			continue
		case "dir":
			set = s.placeSetting(set)
		}
		from := string(set.Source)
		if set.Source == cmdline.SourceEnvironment {
			from = set.Env
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", set.Name, shown(set.Value), from) //nolint:errcheck // Flush tells
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}

// placeSetting returns the namespace as it is in force where no option names it.
func (s *settings) placeSetting(set cmdline.Setting) cmdline.Setting {
	dir, err := capture.Dir(s.dir, os.Getenv)
	if err != nil || set.Source != cmdline.SourceDefault {
		return set
	}
	set.Value, set.Source, set.Env = dir, cmdline.SourceEnvironment, "HOME"
	if state := os.Getenv("XDG_STATE_HOME"); state != "" && strings.HasPrefix(dir, state) {
		set.Env = "XDG_STATE_HOME"
	}
	return set
}

// shown returns a value as one word that a terminal does not act on, "-" for none.
func shown(value string) string {
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' || r == '"' }
	switch {
	case value == "":
		return "-"
	case strings.ContainsFunc(value, odd):
		return strconv.Quote(value)
	}
	return value
}

// runDoctor checks the surroundings and says what would not work, and why.
func (s *settings) runDoctor(call *cmdline.Call) error {
	list := []pipeline.Finding{s.checkOptions(call), s.checkRedaction()}
	var o pipeline.CheckOptions
	o.Dir, o.NoDir = capture.Dir(s.dir, os.Getenv)
	o.Limits = s.keep.Limits
	o.Executable, o.Path, o.Version = s.executable, os.Getenv("PATH"), cmdline.Version()
	o.Stdin, o.Stderr, o.Term = s.o.Stdin, s.o.Stderr, os.Getenv("TERM")
	sick := false
	w := tabwriter.NewWriter(call.Stdout, 0, 0, 2, ' ', 0)
	for _, f := range append(list, pipeline.Check(o)...) {
		sick = sick || f.Grade == pipeline.GradeFail
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Grade, f.Subject, f.Text) //nolint:errcheck // Flush tells
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	if sick {
		return &cmdline.ExitError{Code: cmdline.ExitFail}
	}
	return nil
}

// checkOptions tells whether what is in force goes together.
func (s *settings) checkOptions(call *cmdline.Call) pipeline.Finding {
	const subject = "options"
	if err := s.check(); err != nil {
		return pipeline.Finding{Grade: pipeline.GradeFail, Subject: subject, Text: err.Error()}
	}
	var set []string
	for _, one := range call.Settings() {
		if one.Source == cmdline.SourceEnvironment {
			set = append(set, one.Env)
		}
	}
	text := "none from the environment"
	if set != nil {
		text = "from the environment: " + strings.Join(set, ", ")
	}
	return pipeline.Finding{Grade: pipeline.GradeOK, Subject: subject, Text: text}
}

// checkRedaction tells whether secrets and rules can be read. The descriptor of
// --secrets-fd is left to a run.
func (s *settings) checkRedaction() pipeline.Finding {
	const subject = "redaction"
	stage := s.redact.Stage()
	stage.Source.FD = 0
	_, warnings, err := stage.Prepare(nil)
	switch {
	case err != nil:
		return pipeline.Finding{Grade: pipeline.GradeFail, Subject: subject, Text: err.Error()}
	case len(warnings) > 0:
		return pipeline.Finding{Grade: pipeline.GradeWarn, Subject: subject, Text: strings.Join(warnings, "; ")}
	case stage.Raw || stage.NoRedact:
		return pipeline.Finding{Grade: pipeline.GradeWarn, Subject: subject, Text: "off: secrets are kept and shown"}
	}
	return pipeline.Finding{Grade: pipeline.GradeOK, Subject: subject, Text: "secrets and rules can be read"}
}
