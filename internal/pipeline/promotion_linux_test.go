package pipeline_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"spool/pkg/format"
)

func TestPromotionGoesOnInTheSameCapture(t *testing.T) {
	ns, dir := namespace(t), t.TempDir()
	gate := filepath.Join(dir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	got := call{ns: ns}.run(t, "--json", "--promote-after", "2s", "--", "sh", "-c", "echo one; echo two >&2; cat "+gate+"; echo three")
	r, fields := parse(t, got)
	cursors, _ := fields["cursors"].(map[string]any)
	if got.code != 75 || r.Process.State != format.ProcessRunning || r.Capture.State != format.CapturePending ||
		cursors["stdout"] != "1:4" || cursors["stderr"] != "1:4" {
		t.Errorf("status %d, process %+v, capture %+v, cursors %v", got.code, r.Process, r.Capture, cursors)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	final := await(t, ns, string(r.ID))
	if out := stream(t, ns, final, "stdout"); out != "one\nthree\n" || final.Capture.State != format.CaptureComplete {
		t.Errorf("it holds %q, %+v", out, final.Capture)
	}
}

func TestResultBeforePromotionIsAsInTheForeground(t *testing.T) {
	ns := namespace(t)
	got := call{ns: ns}.run(t, "--promote-after", "15s", "--", "sh", "-c", "echo out; echo err >&2; exit 9")
	if got != (outcome{9, "out\n", "err\n"}) || !isEmpty(t, ns) {
		t.Errorf("%+v", got)
	}
	got = call{ns: ns}.run(t, "--promote-after", "15s", "--", "sh", "-c", "seq 1 9000; kill -9 $$")
	if r := receipt(t, ns); got.code != 137 || r.Process.Signal.Or("") != "SIGKILL" {
		t.Errorf("status %d, %+v", got.code, r.Process)
	}
}

func TestInterruptBeforePromotionReachesTheCommand(t *testing.T) {
	ns := namespace(t)
	ready := filepath.Join(t.TempDir(), "ready")
	c := call{ns: ns, during: func(pid int) {
		eventually(t, "the command runs", func() bool { _, err := os.Stat(ready); return err == nil })
		if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
			t.Error(err)
		}
	}}
	got := c.run(t, "--promote-after", "15s", "--", "sh", "-c", ": >"+ready+"; exec sleep 64")
	if got.code != 130 || sleepers("64") != "" {
		t.Errorf("%+v", got)
	}
}
