package redact

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"spool/pkg/format"
)

// Options are read from text here, so that a bad one is told before anything is
// started, in every tool in the same words. The name of the option is put before
// the error by who parses the arguments.

// ParseEncoding takes the name of an encoding, "auto" among them.
func ParseEncoding(name string) (string, error) {
	_, err := encodingByName(name)
	return name, err
}

// ParseRule takes the name of a built-in rule.
func ParseRule(name string) (string, error) {
	for r := range builtins() {
		if r.name == name {
			return name, nil
		}
	}
	return "", fmt.Errorf("no rule %q: \"spool-redact rules\" lists them", name)
}

// ParseGlob takes a pattern for the names of variables.
func ParseGlob(glob string) (string, error) {
	if _, err := path.Match(glob, ""); errors.Is(err, path.ErrBadPattern) {
		return "", fmt.Errorf("pattern %q: want *, ? and [a-z] as a shell has them", glob)
	}
	return glob, nil
}

// MaxWindow is the largest window: what is held is bounded, whatever the input.
const MaxWindow = 64 << 20

// ParseWindow takes a size from [MinWindow] to [MaxWindow].
func ParseWindow(text string) (format.Size, error) {
	n, err := format.ParseSize(text)
	if err == nil && (n < MinWindow || n > MaxWindow) {
		err = fmt.Errorf("window of %v: want %v to %v", n, format.Size(MinWindow), format.Size(MaxWindow))
	}
	return n, err
}

// A SetupError says why nothing of the input can be passed on: an option's file
// or descriptor cannot be used. Nothing has been read then.
type SetupError struct{ Err error }

func (e *SetupError) Error() string { return e.Err.Error() }

func (e *SetupError) Unwrap() error { return e.Err }

// produced tells whether somebody writes what in reads, who would be harmed if
// it were not read to its end. A terminal is no such one.
func produced(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}

// A usageError is the caller's fault, though it only shows when the option is
// put to use.
type usageError struct{ error }

// ExitCode returns the status of a wrong call.
func (e *usageError) ExitCode() int { return 2 }
