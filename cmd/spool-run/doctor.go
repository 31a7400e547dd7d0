package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/pipeline"
)

// printConfig shows every option in force and where it comes from.
func printConfig(call *cmdline.Call) error {
	w := tabwriter.NewWriter(call.Stdout, 0, 0, 2, ' ', 0)
	for _, set := range call.Settings() {
		value := set.Value
		if value == "" {
			value = "-"
		}
		from := string(set.Source)
		if set.Source == cmdline.SourceEnvironment {
			from = set.Env
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", set.Name, strings.ReplaceAll(value, "\n", " "), from) //nolint:errcheck // Flush tells
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}

// runDoctor checks the surroundings and says what would not work, and why.
func (s *settings) runDoctor(call *cmdline.Call) error {
	var o pipeline.CheckOptions
	o.Dir, o.NoDir = capture.Dir(s.dir, os.Getenv)
	o.Executable, o.Path, o.Version = s.executable, os.Getenv("PATH"), cmdline.Version()
	o.Stdin, o.Stderr, o.Term = s.o.Stdin, s.o.Stderr, os.Getenv("TERM")
	sick := false
	for _, f := range pipeline.Check(o) {
		sick = sick || f.Grade == pipeline.GradeFail
		if _, err := io.WriteString(call.Stdout, fmt.Sprintf("%-4s  %-11s %s\n", f.Grade, f.Subject, f.Text)); err != nil {
			return fmt.Errorf("write standard output: %w", err)
		}
	}
	if sick {
		return &cmdline.ExitError{Code: cmdline.ExitFail}
	}
	return nil
}
