package pipeline_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"spool/pkg/format"
)

func TestCompactResultIsExactAndLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		script, stdout, stderr string
		code                   int
	}{
		{"printf hi", "hi", "", 0},
		{"true", "", "", 0},
		{"echo out; echo err >&2; exit 9", "out\n", "err\n", 9},
		{"printf 'a\\0b\\r\\n'", "a\x00b\r\n", "", 0},
		{"kill -TERM $$", "", "", 143},
	} {
		ns := namespace(t)
		got := call{ns: ns}.run(t, "--", "sh", "-c", c.script)
		if want := (outcome{c.code, c.stdout, c.stderr}); got != want {
			t.Errorf("%q: got %+v, want %+v", c.script, got, want)
		}
		if _, err := os.Stat(ns); !os.IsNotExist(err) {
			t.Errorf("%q: the namespace was made", c.script)
		}
	}
}

func TestStartFailuresAreThoseOfEnv(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(plain, []byte("echo no\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, []byte("echo ran $1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command string
		code    int
	}{{"no-such-command", 127}, {"/no/such/file", 127}, {plain, 126}, {"/", 126}} {
		got := call{ns: namespace(t)}.run(t, "--", c.command)
		if got.code != c.code || got.stdout != "" || !strings.HasPrefix(got.stderr, "spool-run: ") {
			t.Errorf("%q: %+v, want status %d and a message", c.command, got, c.code)
		}
	}
	if got := (call{ns: namespace(t)}).run(t, "--", script, "it"); got.stdout != "ran it\n" {
		t.Errorf("a script without an interpreter line: %+v", got)
	}
}

func TestWhatCannotBeReadStopsTheRunBeforeItsStart(t *testing.T) {
	ns := namespace(t)
	for _, args := range [][]string{
		{"--stdin", "/no/such/file"},
		{"--secrets-file", "/no/such/file"},
	} {
		got := call{ns: ns}.run(t, append(append([]string{"--keep", "always"}, args...), "--", "echo", "ran")...)
		if got.code != 125 || got.stdout != "" || !strings.HasPrefix(got.stderr, "spool-run: ") || !isEmpty(t, ns) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func TestStreamsAreStoredExactlyAndShownWithinBudget(t *testing.T) {
	ns := namespace(t)
	const script = "seq 1 100000; seq 1 5000 >&2; exit 3"
	got := call{ns: ns}.run(t, "--", "sh", "-c", script)
	if got.code != 3 || len(got.stdout)+len(got.stderr) > 10000+111 {
		t.Errorf("status %d, %d bytes shown", got.code, len(got.stdout)+len(got.stderr))
	}
	r := receipt(t, ns)
	if r.Capture.State != format.CaptureComplete || !r.Process.ExitCode.IsSet() || r.Process.ExitCode.Or(0) != 3 {
		t.Errorf("capture %v, process %+v", r.Capture, r.Process)
	}
	for name, n := range map[string]string{"stdout": "100000", "stderr": "5000"} {
		want, err := exec.Command("seq", "1", n).Output()
		if err != nil {
			t.Fatal(err)
		}
		if stream(t, ns, r, name) != string(want) {
			t.Errorf("%s is not what was written", name)
		}
	}
	summary := got.stderr[strings.LastIndex(strings.TrimSuffix(got.stderr, "\n"), "\n")+1:]
	if len(summary) > 110 || !strings.Contains(summary, string(r.ID)) || !strings.Contains(summary, "complete") {
		t.Errorf("summary %q", summary)
	}
}

func TestKeepRules(t *testing.T) {
	const small, big = "echo x", "seq 1 9000"
	for _, c := range []struct {
		keep, script string
		kept         bool
	}{
		{"auto", small, false},
		{"auto", small + "; exit 1", false},
		{"auto", big, true},
		{"failed", small, false},
		{"failed", small + "; exit 1", true},
		{"always", small, true},
		{"always", "true", true},
		{"never", big, false},
		{"never", small, false},
	} {
		ns := namespace(t)
		got := call{ns: ns}.run(t, "--keep", c.keep, "--", "sh", "-c", c.script)
		if kept := !isEmpty(t, ns); kept != c.kept {
			t.Errorf("--keep %s %q: kept is %v; %+v", c.keep, c.script, kept, got)
		}
		if c.kept {
			r := receipt(t, ns)
			if r.Capture.State != format.CaptureComplete || !r.Preview.State.IsSet() {
				t.Errorf("--keep %s %q: %v, %v", c.keep, c.script, r.Capture, r.Preview)
			}
		}
	}
}

func TestWholeResultThatNeededStagesLeavesNothing(t *testing.T) {
	ns := namespace(t)
	got := call{ns: ns}.run(t, "--", "sh", "-c", "echo begin; sleep 0.4; echo end")
	if got != (outcome{0, "begin\nend\n", ""}) || !isEmpty(t, ns) {
		t.Errorf("%+v, empty: %v", got, isEmpty(t, ns))
	}
}

func TestJSONSpeaksOfEveryRun(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []string
		state format.CaptureState
		path  bool
	}{
		{"inline", []string{"echo", "x"}, format.CaptureDisabled, false},
		{"kept", []string{"--keep", "always", "echo", "x"}, format.CaptureComplete, true},
		{"never", []string{"--keep", "never", "seq", "1", "9000"}, format.CaptureDisabled, false},
		{"unusable", []string{"--dir", "/proc/nowhere", "seq", "1", "9000"}, format.CaptureUnavailable, false},
		{"not started", []string{"no-such-command"}, format.CaptureDisabled, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := call{ns: namespace(t)}.run(t, append([]string{"--json"}, c.args...)...)
			r, fields := parse(t, got)
			if r.Capture.State != c.state || (fields["path"] != nil) != c.path {
				t.Errorf("capture %v, path %v", r.Capture, fields["path"])
			}
			stdout := fields["preview"].(map[string]any)["stdout"].(map[string]any)
			for _, key := range []string{"head", "tail", "text", "omitted_bytes"} {
				if _, ok := stdout[key]; !ok {
					t.Errorf("preview.stdout lacks %q", key)
				}
			}
		})
	}
}

func TestUnusableNamespaceDoesNotStopTheCommand(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nowhere", link); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil { //nolint:gosec // it is to be refused
		t.Fatal(err)
	}
	for _, ns := range []string{file, file + "/below", link, open, "/proc/nowhere"} {
		for _, script := range []string{"echo shown; exit 4", "seq 1 9000; exit 4"} {
			if ns == "/proc/nowhere" && strings.HasPrefix(script, "echo") && os.Geteuid() == 0 {
				continue // nothing but the attempt tells root that this cannot be made
			}
			got := call{ns: ns}.run(t, "--", "sh", "-c", script)
			if got.code != 4 || got.stdout == "" || strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("%s, %q: status %d, %d bytes shown, stderr %q", ns, script, got.code, len(got.stdout), got.stderr)
			}
		}
		got := call{ns: ns}.run(t, "--require-capture", "--", "sh", "-c", "echo ran")
		if got.code != 125 || got.stdout != "" {
			t.Errorf("%s: --require-capture: %+v", ns, got)
		}
	}
}

func TestLiveShowsEverythingAndCaptures(t *testing.T) {
	ns := namespace(t)
	got := call{ns: ns}.run(t, "--live", "--", "sh", "-c", "seq 1 50000; echo err >&2")
	want, err := exec.Command("seq", "1", "50000").Output()
	if err != nil {
		t.Fatal(err)
	}
	r := receipt(t, ns)
	if got.stdout != string(want) || !strings.HasPrefix(got.stderr, "err\n") || stream(t, ns, r, "stdout") != string(want) {
		t.Errorf("%d bytes shown, %q on stderr", len(got.stdout), got.stderr)
	}
	if r.Capture.State != format.CaptureComplete || r.Preview.State.Or("") != format.PreviewComplete {
		t.Errorf("capture %v, preview %+v", r.Capture, r.Preview)
	}
}

func TestClosedStdoutDoesNotChangeTheStatus(t *testing.T) {
	for _, args := range [][]string{{"--"}, {"--live", "--"}, {"--json", "--"}, {"--keep", "always", "--"}} {
		for _, out := range []string{"| head -c 1 >/dev/null", "| true", ">/dev/full", ">&-"} {
			ns := namespace(t)
			status := filepath.Join(filepath.Dir(ns), "status")
			cmd := exec.Command("timeout", "20", "bash", "-c", fmt.Sprintf(
				`{ %s/spool-run %s sh -c 'seq 1 99999; exit 6'; echo $? >%s; } %s`, bin, strings.Join(args, " "), status, out))
			cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns)
			_ = cmd.Run() // what the shell makes of it is not asked
			data, err := os.ReadFile(status)
			if err != nil || string(data) != "6\n" {
				t.Errorf("%v %s: status %q, %v", args, out, data, err)
			}
		}
	}
}

// TestTimesAreInOrder: a capture is never younger than its command, and what is
// known of a running command is told.
func TestTimesAreInOrder(t *testing.T) {
	for name, args := range map[string][]string{
		"inline":      {"--", "echo", "x"},
		"discarded":   {"--", "sh", "-c", "echo x; sleep 0.3"},
		"kept":        {"--keep", "always", "--", "echo", "x"},
		"late":        {"--", "sh", "-c", "sleep 0.1; seq 1 9000"},
		"not kept":    {"--keep", "never", "--", "seq", "1", "9000"},
		"not usable":  {"--dir", "/proc/nowhere", "--", "seq", "1", "9000"},
		"background":  {"--background", "--", "echo", "x"},
		"promoted":    {"--promote-after", "50ms", "--", "sleep", "0.3"},
		"not started": {"--", "/no/such/command"},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := parse(t, call{ns: namespace(t)}.run(t, append([]string{"--json"}, args...)...))
			started := name != "not started"
			if r.StartedAt.IsKnown() != started || started && r.CreatedAt.Time().After(r.StartedAt.Time()) {
				t.Errorf("created %v, started %v", r.CreatedAt, r.StartedAt)
			}
			over := started && r.Process.State == format.ProcessExited
			if r.EndedAt.IsKnown() != over || over && r.EndedAt.Time().Before(r.StartedAt.Time()) {
				t.Errorf("started %v, ended %v", r.StartedAt, r.EndedAt)
			}
			if r.PublishedAt.IsKnown() && over && r.PublishedAt.Time().Before(r.EndedAt.Time()) {
				t.Errorf("ended %v, published %v", r.EndedAt, r.PublishedAt)
			}
		})
	}
}
