//go:build linux

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hang is the time after which a run counts as hung: far above what any of
// them takes, far below a test's own bound.
const hang = 4 * time.Minute

// A result is one run of a tool.
type result struct {
	code           int
	stdout, stderr []byte
}

// A place is where tools run: an empty directory with a namespace below it.
type place struct {
	t   *testing.T
	dir string
	env []string
}

func newPlace(t *testing.T, env ...string) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{t: t, dir: dir, env: []string{
		"PATH=" + os.Getenv(binVariable) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + dir, "SPOOL_DIR=" + filepath.Join(dir, "ns"), "TMPDIR=" + dir,
		"GOCACHE=" + goEnv(t, "GOCACHE"), "GOPATH=" + goEnv(t, "GOPATH"), "GOFLAGS=-buildvcs=false",
	}}
	p.env = append(p.env, env...)
	return p
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// command prepares a tool's run; a hang ends it, and fails the test.
func (p *place) command(args ...string) *exec.Cmd {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	p.t.Cleanup(cancel)
	path := args[0]
	if !strings.Contains(path, "/") {
		path = filepath.Join(os.Getenv(binVariable), path)
	}
	cmd := exec.CommandContext(ctx, path, args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, p.env, time.Second
	return cmd
}

// run runs a tool to its end.
func (p *place) run(args ...string) result {
	p.t.Helper()
	var out, errs bytes.Buffer
	cmd := p.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	code := p.status(cmd.Run())
	return result{code, out.Bytes(), errs.Bytes()}
}

// status returns the exit status that err tells of.
func (p *place) status(err error) int {
	p.t.Helper()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		return exit.ExitCode()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return 0
}

// receipt is what the tests look at in one.
type receipt struct {
	ID      string
	Process struct {
		State    string
		ExitCode *int `json:"exit_code"`
		Signal   *string
	}
	Capture struct {
		State   string
		Reasons []string
	}
	Streams map[string]struct {
		EOF            *bool
		Raw            struct{ Observed, Accepted, Discarded *int64 }
		Representation struct {
			Emitted, Committed, Refused *int64
			RetainedEnd                 *int64 `json:"retained_end"`
		}
		Lines  *int64
		SHA256 *string
	}
	Preview struct {
		State        *string
		Chars, Bytes *int64
	}
}

// latest returns the receipt of the capture begun last, and its directory.
func (p *place) latest() (receipt, string) {
	p.t.Helper()
	shown := p.run("spool-receipt", "show", "--json", "latest")
	if shown.code != 0 {
		p.t.Fatalf("show: status %d: %s", shown.code, shown.stderr)
	}
	var r receipt
	if err := json.Unmarshal(shown.stdout, &r); err != nil {
		p.t.Fatalf("%v in %s", err, shown.stdout)
	}
	return r, filepath.Join(p.dir, "ns", r.ID)
}

// verify checks every capture of the namespace from its bytes.
func (p *place) verify() {
	p.t.Helper()
	if v := p.run("spool-receipt", "verify", "--all"); v.code != 0 {
		p.t.Errorf("verify: status %d: %s%s", v.code, v.stdout, v.stderr)
	}
}

// wantStored checks that a stream's file holds exactly want.
func (p *place) wantStored(dir, stream string, want []byte) {
	p.t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, stream))
	if err != nil {
		p.t.Error(err)
		return
	}
	if !bytes.Equal(got, want) {
		p.t.Errorf("%s: %d bytes stored are not the %d written; they differ at %d", stream, len(got), len(want), differ(got, want))
	}
}

// differ returns the offset of the first byte in which a and b differ.
func differ(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// wantBudget checks that what was shown lies within the default budgets: the
// characters of both streams, their bytes, and one summary line beside them.
func (p *place) wantBudget(r result) {
	p.t.Helper()
	errs := r.stderr
	if i := bytes.LastIndexByte(bytes.TrimSuffix(errs, []byte("\n")), '\n'); i >= 0 {
		errs = errs[:i+1]
	} else {
		errs = nil
	}
	chars := len([]rune(string(r.stdout))) + len([]rune(string(errs)))
	if size := len(r.stdout) + len(errs); chars > 10_000 || size > 16<<10 {
		p.t.Errorf("the preview has %d characters in %d bytes", chars, size)
	}
}
