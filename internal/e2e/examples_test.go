//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExampleHarnessesRunFollowAndFetch runs the examples against the tools:
// a command that prints more than a preview shows, and more than one poll
// brings, and fails.
func TestExampleHarnessesRunFollowAndFetch(t *testing.T) {
	const command = "seq 1 20000; exit 3" // 108894 bytes
	want := regexp.MustCompile(`^status 3 exited complete
preview [0-9]+ omitted 10[0-9]{4}
lines 2 3
background 108894
$`)
	for language, example := range map[string]string{
		"python3": "../../docs/examples/harness.py",
		"node":    "../../docs/examples/harness.mjs",
	} {
		t.Run(language, func(t *testing.T) {
			if _, err := exec.LookPath(language); err != nil {
				t.Skip("SKIPPED: needs " + language)
			}
			out := runExample(t, language, example, "sh", "-c", command)
			if !want.MatchString(out) {
				t.Errorf("got %q, want a match of %q", out, want)
			}
		})
	}
}

// runExample runs a program of the repository with the tools first on PATH and
// a namespace of its own, and returns what it printed.
func runExample(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = surroundings(t)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.String() != "" {
		t.Errorf("%v: %v\n%s", args, err, complaints.String())
	}
	return string(out)
}

// surroundings returns an environment with the tools first on PATH and a
// namespace that is not there yet.
func surroundings(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	return []string{
		"PATH=" + os.Getenv(binVariable) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + home,
		"SPOOL_DIR=" + filepath.Join(home, "ns"),
		"LC_ALL=C.UTF-8",
	}
}
