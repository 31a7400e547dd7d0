package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// command is the process whose output is captured.
type command struct {
	*child
	// A group of its own: its id is the command's pid, and belongs to it as
	// long as the command is not reaped or the group has members.
	foreground bool // it has the terminal
}

// StartError says that the command could not be started.
type StartError struct {
	Name string // the command as it was given, redacted
	Code int    // 126: found, but cannot be executed; 127: not found; as env(1)
	Err  error
}

func (e *StartError) Error() string { return fmt.Sprintf("start %q: %v", e.Name, e.Err) }

func (e *StartError) Unwrap() error { return e.Err }

// ExitCode returns the exit status.
func (e *StartError) ExitCode() int { return e.Code }

// defaultPath is searched where PATH is not set, as by the C library.
const defaultPath = "/bin:/usr/bin"

// candidates returns the files that name may mean, in the order of PATH.
func candidates(name, path string, isSet bool) []string {
	if strings.Contains(name, "/") {
		return []string{name}
	}
	if name == "" {
		return nil
	}
	if !isSet {
		path = defaultPath
	}
	var list []string
	for dir := range strings.SplitSeq(path, ":") {
		if dir == "" {
			dir = "."
		}
		file := strings.TrimSuffix(dir, "/") + "/" + name
		if unix.Access(file, unix.F_OK) == nil {
			list = append(list, file)
		}
	}
	return list
}

// execute starts argv as execvp(3) would: the first file on PATH that can be
// executed, by the shell if it has no format that the kernel knows.
func execute(k *children, argv []string, path string, pathSet bool, attr *syscall.ProcAttr, changed func(*child)) (*child, *StartError) {
	failure := &StartError{Name: argv[0], Code: 127, Err: syscall.ENOENT}
	for _, file := range candidates(argv[0], path, pathSet) {
		c, err := k.start(argv[0], file, argv, attr, changed)
		if errors.Is(err, syscall.ENOEXEC) {
			c, err = k.start(argv[0], "/bin/sh", append([]string{"sh", file}, argv[1:]...), attr, changed)
		}
		switch {
		case err == nil:
			return c, nil
		case errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ENOTDIR):
		case errors.Is(err, syscall.EACCES):
			failure.Code, failure.Err = 126, err
		default:
			failure.Code, failure.Err = 126, err
			return nil, failure
		}
	}
	return nil, failure
}

// signalGroup sends sig to the command's group, if it is certain that the
// number still means that group.
func (c *command) signalGroup(sig syscall.Signal) {
	if c.alive() {
		_ = syscall.Kill(-c.pid, sig)
	}
}

// lookup returns the last value of name in an environment.
func lookup(env []string, name string) (value string, ok bool) {
	for _, e := range env {
		if v, found := strings.CutPrefix(e, name+"="); found {
			value, ok = v, true
		}
	}
	return value, ok
}

// withVariable returns env with name set to value alone; env stays as it is.
func withVariable(env []string, name, value string) []string {
	out := make([]string, 0, len(env)+1)
	for _, e := range env {
		if !strings.HasPrefix(e, name+"=") {
			out = append(out, e)
		}
	}
	return append(out, name+"="+value)
}
