//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A gated run is a command that has written its first half and waits.
type gated struct {
	*place
	done   chan error
	pid    int
	out    *bytes.Buffer
	opener *os.File // the gate's writing end: closing it lets the command go on
}

// startGated starts a command of two halves with a gate between: it writes
// first, waits for the gate, writes the same again and exits with 7. It returns
// once the first half is written.
func startGated(t *testing.T) *gated {
	t.Helper()
	g := &gated{place: newPlace(t), done: make(chan error, 1), out: new(bytes.Buffer)}
	for _, fifo := range []string{"gate", "reached"} {
		if err := syscall.Mkfifo(filepath.Join(g.dir, fifo), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := g.command("spool-run", "--keep", "always", "--", "sh", "-c",
		"seq 1 200000; echo half >reached; read go <gate; seq 1 200000; echo END; exit 7")
	cmd.Stdout = g.out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	g.pid = cmd.Process.Pid
	go func() { g.done <- cmd.Wait() }()
	if _, err := os.ReadFile(filepath.Join(g.dir, "reached")); err != nil { // blocks until the half is written
		t.Fatal(err)
	}
	var err error
	if g.opener, err = os.OpenFile(filepath.Join(g.dir, "gate"), os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	return g
}

// stage returns the process of a stage of stdout.
func (g *gated) stage(name string) int {
	g.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		for _, pid := range descendants(g.pid) {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // one that ended has none
			args := strings.Split(string(line), "\x00")
			if filepath.Base(args[0]) == name && strings.Contains(string(line), "stdout") {
				return pid
			}
		}
	}
	g.t.Fatalf("no %s below the driver", name)
	return 0
}

// finish lets the command go on and checks that its status comes through.
func (g *gated) finish() {
	g.t.Helper()
	if _, err := g.opener.WriteString("go\n"); err != nil {
		g.t.Fatal(err)
	}
	if err := g.opener.Close(); err != nil {
		g.t.Fatal(err)
	}
	if code := g.status(<-g.done); code != 7 {
		g.t.Errorf("status %d, want the command's 7", code)
	}
}

func TestAKilledStageHarmsNothingButTheCapture(t *testing.T) {
	for stage, partial := range map[string]bool{"spool-redact": true, "spool-tee": true, "spool-preview": false} {
		t.Run(stage, func(t *testing.T) {
			g := startGated(t)
			if err := syscall.Kill(g.stage(stage), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			g.finish()
			r, dir := g.latest()
			if r.Process.ExitCode == nil || *r.Process.ExitCode != 7 || r.Process.State != "exited" {
				t.Errorf("process: %+v", r.Process)
			}
			lost := strings.Contains(strings.Join(r.Capture.Reasons, " "), "stage-lost")
			if partial && (r.Capture.State == "complete" || !lost) {
				t.Errorf("capture: %+v", r.Capture)
			}
			if !partial {
				if r.Capture.State != "complete" {
					t.Errorf("capture %+v: a lost preview takes nothing from it", r.Capture)
				}
				if info, err := os.Stat(filepath.Join(dir, "stdout")); err != nil || info.Size() != 2*1288895+4 {
					t.Errorf("stdout: %v, %v", info, err)
				}
			}
			g.verify()
		})
	}
}

func TestAStoppedStageHarmsNothingButTheCapture(t *testing.T) {
	for _, stage := range []string{"spool-redact", "spool-tee", "spool-preview"} {
		t.Run(stage, func(t *testing.T) {
			g := startGated(t)
			if err := syscall.Kill(g.stage(stage), syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			g.finish()
			r, _ := g.latest()
			if stage != "spool-preview" && r.Capture.State == "complete" {
				t.Errorf("capture: %+v", r.Capture)
			}
			g.verify()
		})
	}
}
