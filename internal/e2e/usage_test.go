//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// maxScreen is what an answer to a wrong call may take: lines of a terminal.
const maxScreen = 24

func TestEveryToolAnswersAWrongCallOnStderr(t *testing.T) {
	for _, tool := range tools(t) {
		for name, args := range map[string][]string{
			"unknown option":  {"--no-such-option"},
			"typo":            {"--versoin"},
			"attached letter": {"-Qfile"},
			"value of switch": {"--help=yes"},
			"huge option":     {"--" + strings.Repeat("x", 100_000)},
		} {
			t.Run(tool+"/"+name, func(t *testing.T) {
				code, stdout, stderr := call(t, tool, args...)
				if code != 2 || stdout != "" {
					t.Errorf("status %d, stdout %q", code, stdout)
				}
				checkMessages(t, tool, stderr)
				if !strings.Contains(stderr, tool+": hint: ") {
					t.Errorf("no hint in %q", stderr)
				}
			})
		}
	}
}

func TestEveryToolAnswersNoInputWithDataOrAMessage(t *testing.T) {
	for _, tool := range tools(t) {
		for name, args := range map[string][]string{
			"no arguments":   nil,
			"empty argument": {""},
			"missing file":   {"/no/such/file"},
			"directory":      {"/"},
			"huge argument":  {strings.Repeat("x", 100_000)},
			"control bytes":  {"\x1b]0;title\a\r\n"},
		} {
			t.Run(tool+"/"+name, func(t *testing.T) {
				code, stdout, stderr := call(t, tool, args...)
				if stdout != "" {
					t.Errorf("stdout %q", stdout)
				}
				if code != 0 || stderr != "" {
					checkMessages(t, tool, stderr)
				}
				if strings.ContainsAny(stderr, "\x1b\a\r") {
					t.Errorf("control characters in %q", stderr)
				}
			})
		}
	}
}

func TestClosedStreamsDoNotMatterToHelp(t *testing.T) {
	for _, tool := range tools(t) {
		for fd := range 3 {
			cmd := command(t, tool, "--help")
			cmd.Args = append([]string{"with-closed", strconv.Itoa(fd), cmd.Path}, cmd.Args[1:]...)
			path, err := exec.LookPath("with-closed")
			if err != nil {
				t.Fatal(err)
			}
			cmd.Path = path
			var out bytes.Buffer
			cmd.Stdout = &out
			if code := exitCode(t, cmd.Run()); code != 0 && fd != 1 {
				t.Errorf("%s: descriptor %d closed: status %d", tool, fd, code)
			}
			if fd != 1 && !strings.HasPrefix(out.String(), "usage: ") {
				t.Errorf("%s: descriptor %d closed: %q", tool, fd, out.String())
			}
		}
	}
}

func TestEveryToolAnswersHelpAndVersionOnStdout(t *testing.T) {
	for _, tool := range tools(t) {
		t.Run(tool, func(t *testing.T) {
			code, stdout, stderr := call(t, tool, "--help")
			if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "usage: "+tool) {
				t.Errorf("status %d, stdout %q, stderr %q", code, stdout, stderr)
			}
			for _, part := range []string{"\nOptions:\n", "\nExit status:\n", "  --help ", "  --version "} {
				if !strings.Contains(stdout, part) {
					t.Errorf("help lacks %q", part)
				}
			}
			code, stdout, stderr = call(t, tool, "--version")
			if code != 0 || stderr != "" || !strings.HasPrefix(stdout, tool+" ") || strings.Count(stdout, "\n") != 1 {
				t.Errorf("status %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}

func TestHelpThatCannotBeWrittenFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("SKIPPED: needs /dev/full")
	}
	defer full.Close()
	for _, tool := range tools(t) {
		cmd := command(t, tool, "--help")
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		if code := exitCode(t, cmd.Run()); code != 1 {
			t.Errorf("%s: status %d", tool, code)
		}
		checkMessages(t, tool, stderr.String())
	}
}

// command returns a tool's command with nothing of the surroundings.
func command(t *testing.T, tool string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(os.Getenv(binVariable), tool), args...)
	home := t.TempDir()
	cmd.Dir = home
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "SPOOL_DIR=" + filepath.Join(home, "ns")}
	return cmd
}

// call runs a tool with an empty stdin.
func call(t *testing.T, tool string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := command(t, tool, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	return exitCode(t, cmd.Run()), out.String(), errs.String()
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

// checkMessages fails where a line is not "tool: message" or where the answer
// is more than a screen.
func checkMessages(t *testing.T, tool, stderr string) {
	t.Helper()
	if stderr == "" || len(stderr) > maxScreen*80 || strings.Count(stderr, "\n") > maxScreen {
		t.Errorf("stderr of %d bytes", len(stderr))
	}
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, tool+": ") || !strings.HasSuffix(line, "\n") {
			t.Errorf("line %q", line)
		}
	}
}
