//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// wholeVariable makes the sessions run scripts/test too, where they name it.
// scripts/test --long sets it.
const wholeVariable = "E2E_WHOLE"

// A typed command of a session, and what the document says that it prints.
type typed struct{ command, prints string }

// commands returns the commands of a session in their order.
func (b block) commands(t *testing.T) (all []typed) {
	t.Helper()
	open := false // the last line was a command's
	for line := range strings.Lines(b.text) {
		command, starts := strings.CutPrefix(line, "$ ")
		more, goesOn := strings.CutPrefix(line, "> ")
		switch {
		case starts:
			all = append(all, typed{command: command})
		case len(all) == 0:
			t.Fatalf("%s:%d: %q is before the first command", b.file, b.line, line)
		case goesOn && open:
			all[len(all)-1].command += more
		default:
			all[len(all)-1].prints += line
		}
		open = starts || goesOn && open
	}
	return all
}

// session makes a program for sh of the commands: they share a shell, as in a
// terminal, stderr goes where stdout goes, and a mark stands before the output
// of each.
func session(all []typed) string {
	var b strings.Builder
	b.WriteString("exec 2>&1\nmark() { set -- $? \"$1\"; printf '\\036%s\\036' \"$2\"; return \"$1\"; }\n")
	for i, c := range all {
		fmt.Fprintf(&b, "mark %d\n%s", i, c.command)
	}
	fmt.Fprintf(&b, "mark %d\n", len(all))
	return b.String()
}

// outputs takes apart what a session printed.
func outputs(t *testing.T, all []typed, printed string) (each []string) {
	t.Helper()
	for i := range all {
		_, rest, begun := strings.Cut(printed, fmt.Sprintf("\036%d\036", i))
		out, _, ended := strings.Cut(rest, fmt.Sprintf("\036%d\036", i+1))
		if !begun || !ended {
			t.Fatalf("the session ended at %q:\n%s", all[i].command, printed)
		}
		each = append(each, out)
	}
	return each
}

// What differs from one run to the next, and nothing else.
var (
	identity = regexp.MustCompile(`\b[0-9a-hjkmnp-tv-z]{26}\b`)
	moment   = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)
	duration = regexp.MustCompile(`\bafter \d+(\.\d+)?(ms|s)\b`)
	counts   = regexp.MustCompile(`\b\d+ passed, 0 failed, \d+ skipped\b`)
)

// A normaliser names identities in their order, so that two that are the same
// stay the same.
type normaliser map[string]string

func (n normaliser) text(s string) string {
	s = identity.ReplaceAllStringFunc(s, func(id string) string {
		if n[id] == "" {
			n[id] = fmt.Sprintf("ID%d", len(n)+1)
		}
		return n[id]
	})
	s = moment.ReplaceAllString(s, "MOMENT")
	s = duration.ReplaceAllString(s, "after DURATION")
	return counts.ReplaceAllString(s, "N passed, 0 failed, N skipped")
}

// TestSessionsOfTheDocumentsPrintWhatTheySay runs the sessions of each document
// in a fresh clone, with an empty home. Those of the README have nothing but
// what is in the clone; the other documents take it that the tools are on PATH.
func TestSessionsOfTheDocumentsPrintWhatTheySay(t *testing.T) {
	clone := freshClone(t)
	for _, file := range documents(t, clone) {
		var all []typed
		for _, b := range blocks(t, file) {
			if b.kind == "console" {
				all = append(all, b.commands(t)...)
			}
		}
		if len(all) == 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			path := os.Getenv("PATH")
			if filepath.Base(file) != "README.md" {
				path = os.Getenv(binVariable) + string(os.PathListSeparator) + path
			}
			playSession(t, clone, path, all)
		})
	}
}

// sessionNeeds are programs that a session calls and that need not be there.
var sessionNeeds = map[string]string{"make": "make", "zstd": "zstd", "scripts/bench": "python3"}

// playSession runs a session and compares what each command prints.
func playSession(t *testing.T, dir, path string, all []typed) {
	t.Helper()
	runs := make([]typed, len(all))
	for i, c := range all {
		runs[i] = c
		if program, _, _ := strings.Cut(c.command, " "); sessionNeeds[program] != "" {
			needPrograms(t, sessionNeeds[program])
		}
		// Within scripts/test this very run is that command.
		if strings.HasPrefix(c.command, "scripts/test") && os.Getenv(wholeVariable) == "" {
			runs[i].command = fmt.Sprintf("printf '%%s' '%s'\n", c.prints)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", session(runs))
	cmd.Dir = dir
	cmd.Env = emptyHome(t, path)
	cmd.WaitDelay = time.Minute
	printed, err := cmd.Output()
	if err != nil {
		t.Errorf("the last command: %v", err)
	}
	said, got := normaliser{}, normaliser{}
	for i, out := range outputs(t, all, string(printed)) {
		want := said.text(strings.TrimSuffix(all[i].prints, "\n"))
		if diff := cmp.Diff(want, got.text(strings.TrimSuffix(out, "\n"))); diff != "" {
			t.Errorf("$ %sdocument (-) and run (+) differ:\n%s", all[i].command, diff)
		}
	}
}

// needPrograms skips the test where a program is not there.
func needPrograms(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skip("SKIPPED: needs " + p)
		}
	}
}

// emptyHome returns an environment with a home in which nothing is, and Go's
// caches, so that no test needs the network.
func emptyHome(t *testing.T, path string) []string {
	t.Helper()
	env := []string{"PATH=" + path, "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8"}
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	caches := strings.Fields(string(out))
	if err != nil || len(caches) != 2 {
		t.Fatalf("go env: %v: %q", err, out)
	}
	return append(env, "GOMODCACHE="+caches[0], "GOCACHE="+caches[1], "GOFLAGS=-modcacherw")
}

// freshClone clones the repository, and brings over what is changed but not
// committed yet.
func freshClone(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	// Git does not read what belongs to another user, unless it is told to.
	config := filepath.Join(t.TempDir(), "gitconfig")
	if err := os.WriteFile(config, []byte("[safe]\n\tdirectory = *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(t.TempDir(), "spool")
	git := func(args ...string) []byte {
		cmd := exec.Command("git", args...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+config)
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("SKIPPED: needs a git repository: git %q: %v", args, err)
		}
		return out
	}
	git("clone", "--quiet", "--no-hardlinks", root, clone)
	if changes := git("-C", root, "diff", "--binary", "HEAD"); len(changes) > 0 {
		apply := exec.Command("git", "-C", clone, "apply", "-")
		apply.Stdin = strings.NewReader(string(changes))
		if out, err := apply.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v\n%s", err, out)
		}
	}
	return clone
}
