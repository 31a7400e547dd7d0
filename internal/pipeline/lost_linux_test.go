package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// TestLostStageHarmsNobody kills or stops a stage at a random moment.
func TestLostStageHarmsNobody(t *testing.T) {
	for i := range rounds(12, 100) {
		stage := []string{"spool-redact", "spool-tee", "spool-preview"}[i%3]
		sig := []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP}[i/3%2]
		t.Run(fmt.Sprintf("%d %s %v", i, stage, sig), func(t *testing.T) {
			t.Parallel()
			ns, seen := namespace(t), filepath.Join(t.TempDir(), "seen")
			if err := syscall.Mkfifo(seen, 0o600); err != nil {
				t.Fatal(err)
			}
			c := call{ns: ns, during: func(int) {
				eventually(t, "the stage runs", func() bool { return len(stages(t, ns)[stage]) > 0 })
				if err := os.WriteFile(seen, nil, 0); err != nil { // the command waits for it
					t.Error(err)
				}
				time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond) // the moment is random
				for _, pid := range stages(t, ns)[stage] {
					_ = syscall.Kill(pid, sig) // it may have ended
				}
			}}
			got := c.run(t, "--", "sh", "-c", "seq 1 30000; cat '"+seen+"'; for i in 2 3 4 5 6 7 8; do seq 1 30000; sleep 0.05; done; echo end >&2; exit 7")
			if got.code != 7 {
				t.Fatalf("status %d, want 7\n%s", got.code, got.stderr)
			}
			if strings.Count(got.stderr, "\n") > 4 {
				t.Errorf("stderr: %s", got.stderr)
			}
			for _, r := range receipts(t, ns) {
				out := r.Streams["stdout"]
				observed, _ := out.Raw.Observed.Value()
				if r.Capture.State == format.CaptureComplete && observed != 8*168894 {
					t.Errorf("complete, though %d bytes were observed", observed)
				}
			}
			if left := stages(t, ns); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			eventually(t, "no process is left", func() bool { return len(workers(t, ns)) == 0 })
		})
	}
}

// TestStalledStageHarmsNobody puts a program that never reads in the place of a
// stage.
func TestStalledStageHarmsNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: waits for the bound; needs a run without -short")
	}
	for _, stage := range []string{"spool-redact", "spool-tee", "spool-preview"} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"spool-run", "spool-redact", "spool-tee", "spool-preview"} {
				if err := os.Link(filepath.Join(bin, name), filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Remove(filepath.Join(dir, stage)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, stage), []byte("#!/bin/sh\nexec sleep 67\n"), 0o755); err != nil { //nolint:gosec // it is to be executed
				t.Fatal(err)
			}
			ns := namespace(t)
			cmd := exec.Command("timeout", "60", filepath.Join(dir, "spool-run"), "--max-bytes=100K", "--", "sh", "-c", "seq 1 500000; echo end >&2; exit 7")
			cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns)
			out, _ := cmd.CombinedOutput() // its status is looked at
			if code := cmd.ProcessState.ExitCode(); code != 7 {
				t.Fatalf("status %d, want 7\n%.500s", code, out)
			}
			if r := receipt(t, ns); r.Capture.State == format.CaptureComplete {
				t.Errorf("%+v", r.Capture)
			}
		})
	}
}

// TestDeathOfTheSupervisorHarmsNeitherCommandNorStages: they run to their own
// end, and nothing that was written is lost.
func TestDeathOfTheSupervisorHarmsNeitherCommandNorStages(t *testing.T) {
	for i := range rounds(10, 100) {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			killSupervisor(t)
		})
	}
}

// killSupervisor kills one at a random moment, and looks at what comes of it.
func killSupervisor(t *testing.T) {
	t.Helper()
	ns := namespace(t)
	done := filepath.Join(t.TempDir(), "done")
	c := call{ns: ns, during: func(pid int) {
		eventually(t, "the stages run", func() bool {
			found := stages(t, ns)
			return len(found["spool-preview"]) == 2
		})
		time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond) // the moment is random
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}}
	c.run(t, "--", "sh", "-c", "for i in 1 2 3 4 5 6; do seq 1 2000; sleep 0.1; done; echo end >&2 && touch "+done)
	eventually(t, "the command comes to its own end", func() bool { _, err := os.Stat(done); return err == nil })
	eventually(t, "the stages come to theirs, and nothing lingers", func() bool { return len(workers(t, ns)) == 0 })
	ids, err := filepath.Glob(ns + "/*/begin.json")
	if err != nil || len(ids) != 1 {
		t.Fatalf("%v, %v", ids, err)
	}
	cap, err := capture.OpenPath(filepath.Dir(ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"stdout": 6 * 8893, "stderr": 4} {
		tee, err := cap.Tee(name)
		red, err2 := cap.Redact(name)
		if err != nil || err2 != nil || !tee.Observed.Is(size) || !tee.EOF || !red.EOF {
			t.Errorf("%s: %+v, %v; %v", name, tee, err, err2)
		}
	}
	// A process that has gone from view closes its descriptors a moment later.
	eventually(t, "nobody cares for the capture", func() bool { live, err := cap.Live(); return !live && err == nil })
	if err := cap.Close(); err != nil {
		t.Error(err)
	}
	if out, err := exec.Command(filepath.Join(bin, "spool-gc"), "--dir", ns, "--grace", "0s").CombinedOutput(); err != nil {
		t.Fatalf("spool-gc: %v\n%s", err, out)
	}
	r := receipt(t, ns)
	if r.Process.State != format.ProcessUnknown || r.Capture.State != format.CapturePartial || r.Capture.Reasons[0].Code() != format.ReasonCrash {
		t.Errorf("%+v, %+v", r.Process, r.Capture)
	}
}

// TestDeathOfTheSupervisorOfASilentJob: from the moment in which its reference
// is known a job needs nobody, though it has written nothing yet.
func TestDeathOfTheSupervisorOfASilentJob(t *testing.T) {
	for name, args := range map[string][]string{"background": {"--background"}, "promoted": {"--json", "--promote-after", "50ms"}} {
		t.Run(name, func(t *testing.T) {
			ns, dir := namespace(t), t.TempDir()
			gate, done := gateIn(t, dir, "gate"), filepath.Join(dir, "done")
			got := call{ns: ns}.run(t, append(args, "--", "sh", "-c", "read x <"+gate+"; echo out; echo err >&2; touch "+done)...)
			ids, err := filepath.Glob(ns + "/*/begin.json")
			if err != nil || len(ids) != 1 {
				t.Fatalf("%v, %v, %+v", ids, err, got)
			}
			data, err := os.ReadFile(ids[0])
			if err != nil {
				t.Fatal(err)
			}
			b, err := format.ParseBegin(data)
			if err != nil {
				t.Fatal(err)
			}
			who, _ := b.Supervisor.Get()
			if err := syscall.Kill(int(who.PID), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			open(t, gate)
			eventually(t, "the command comes to its own end", func() bool { _, err := os.Stat(done); return err == nil })
			eventually(t, "nothing lingers", func() bool { return len(workers(t, ns)) == 0 })
			tool(t, ns, "spool-gc", "--grace", "0s")
			r := receipt(t, ns)
			if stream(t, ns, r, "stdout") != "out\n" || stream(t, ns, r, "stderr") != "err\n" {
				t.Errorf("%+v", r.Streams)
			}
		})
	}
}
