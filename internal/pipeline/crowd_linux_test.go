package pipeline_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"spool/pkg/format"
)

// workers returns the processes that were started for runs in a namespace, by
// their environment: stages, supervisors, commands and what those left.
func workers(t *testing.T, ns string) (pids []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
		if err == nil && bytes.Contains(env, []byte("SPOOL_DIR="+ns+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestCrowdLosesNothing: short commands of every kind, fifty at a time, in one
// namespace. Each has its own status, and nothing of them stays but what is to
// be kept.
func TestCrowdLosesNothing(t *testing.T) {
	const atATime = 50
	ns := namespace(t)
	n := rounds(50, 500)
	kinds := [][]string{{"--keep", "always"}, {"--keep", "auto"}, {"--background"}, {"--promote-after", "60s"}}
	places := make(chan struct{}, atATime)
	var all sync.WaitGroup
	for i := range n {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			kind := kinds[i%len(kinds)]
			args := append(slices.Clone(kind), "--label", "number "+strconv.Itoa(i), "--", "sh", "-c", fmt.Sprintf("seq 1 %d; exit %d", i, i%200))
			cmd := exec.Command("timeout", append([]string{"60", filepath.Join(bin, "spool-run")}, args...)...)
			cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns)
			out, _ := cmd.CombinedOutput() // its status is looked at
			want := i % 200
			if kind[0] == "--background" {
				want = 0
			}
			if code := cmd.ProcessState.ExitCode(); code != want {
				t.Errorf("%q: status %d, want %d: %.200s", args, code, want, out)
			}
		})
	}
	all.Wait()
	eventually(t, "no process is left", func() bool { return len(workers(t, ns)) == 0 })
	kept := 0
	for _, r := range receipts(t, ns) {
		var i int64
		if _, err := fmt.Sscanf(r.Label.Or(""), "number %d", &i); err != nil {
			t.Fatalf("label %q: %v", r.Label.Or(""), err)
		}
		if r.Process.ExitCode.Or(-1) != i%200 || r.Capture.State != format.CaptureComplete || r.Streams["stdout"].Lines != format.Known(i) {
			t.Errorf("number %d: %+v, %+v, %v lines", i, r.Process, r.Capture, r.Streams["stdout"].Lines)
		}
		kept++
	}
	if kept != n/2 {
		t.Errorf("%d captures were kept, want %d", kept, n/2)
	}
	if dirs, err := filepath.Glob(ns + "/*/begin.json"); err != nil || len(dirs) != kept {
		t.Errorf("%d captures lie there, %d have a receipt: %v", len(dirs), kept, err)
	}
}

// TestCommandHasNoDescriptorOfOurs: it sees those that it would have without
// spool, and detached the first three alone, however it is run.
func TestCommandHasNoDescriptorOfOurs(t *testing.T) {
	// ls has the directory itself open.
	const look = "ls -l /proc/self/fd | sed -n 's/.* \\([0-9]*\\) -> \\(.*\\)/\\1 \\2/p' | grep -v ' /proc/' | cut -d' ' -f1 | tr '\\n' ' '"
	direct, err := exec.Command("sh", "-c", look).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--keep", "auto"},
		{"--keep", "always"},
		{"--keep", "never"},
		{"--live"},
		{"--merge", "--keep", "always"},
		{"--promote-after", "15s"},
		{"--background"},
		{"--secrets-fd", "3", "--keep", "always"},
	} {
		ns := namespace(t)
		c := call{ns: ns}
		if args[0] == "--secrets-fd" {
			c.before = func(cmd *exec.Cmd) { cmd.ExtraFiles = []*os.File{secrets(t, "zq7-"+"Wm31x-Kp90v")} }
		}
		got := c.run(t, append(args, "--", "sh", "-c", look)...)
		if args[0] == "--background" {
			got.stdout = stream(t, ns, await(t, ns, strings.TrimSpace(got.stdout)), "stdout")
		}
		want := string(direct)
		if args[0] == "--background" || args[0] == "--promote-after" {
			want = "0 1 2 "
		}
		if got.code != 0 || got.stdout != want {
			t.Errorf("%v: the command has the descriptors %q, want %q: %+v", args, got.stdout, want, got)
		}
	}
}

// secrets returns a descriptor out of which a secret can be read.
func secrets(t *testing.T, secret string) *os.File {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() }) // it was read
	_, err = out.WriteString(secret + "\n")
	if err := errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
	return in
}

// TestBackgroundJobHoldsNothingOfItsCaller: a pipe of the caller comes to its
// end when the caller has gone, while the job goes on.
func TestBackgroundJobHoldsNothingOfItsCaller(t *testing.T) {
	ns := namespace(t)
	gate := gateIn(t, t.TempDir(), "gate")
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close() //nolint:errcheck // only read
	c := call{ns: ns, stdin: out, before: func(cmd *exec.Cmd) { cmd.ExtraFiles = []*os.File{out, out} }}
	got := c.run(t, "--background", "--", "sh", "-c", "echo begun; cat "+gate)
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(in); err != nil || len(data) > 0 { // it ends only when nobody holds it
		t.Errorf("%q, %v", data, err)
	}
	if n := len(workers(t, ns)); n == 0 {
		t.Error("the job has ended: nothing was tested")
	}
	open(t, gate)
	await(t, ns, strings.TrimSpace(got.stdout))
	eventually(t, "no process is left", func() bool { return len(workers(t, ns)) == 0 })
}
