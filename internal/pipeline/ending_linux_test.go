package pipeline_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"spool/pkg/format"
)

func TestDrainWindowEndsAndOrphansLiveOn(t *testing.T) {
	ns, dir := namespace(t), t.TempDir()
	late := filepath.Join(dir, "late")
	// The orphan writes after the window, and marks that it outlived that.
	gate := gateIn(t, dir, "gate")
	script := fmt.Sprintf("(cat %s; echo late; echo late >&2; touch %s) & echo ok", gate, late)
	got := call{ns: ns}.run(t, "--drain", "100ms", "--", "sh", "-c", script)
	r := receipt(t, ns)
	if got.code != 0 || got.stdout != "ok\n" || len(r.Capture.Reasons) != 1 || r.Capture.Reasons[0] != format.ReasonDrainTimeout {
		t.Errorf("%+v, %v", got, r.Capture)
	}
	open(t, gate)
	eventually(t, "the orphan outlives its writes", func() bool { _, err := os.Stat(late); return err == nil })
	if s := stream(t, ns, r, "stdout"); s != "ok\n" {
		t.Errorf("a final stream has grown: %q", s)
	}
}

func TestNoDrainWindowIsNoWait(t *testing.T) {
	for _, args := range [][]string{{"--drain", "0"}, {"--drain", "0", "--keep", "always"}, {"--drain", "0", "--keep", "never"}, {"--drain", "0", "--live"}} {
		dir := t.TempDir()
		gate := gateIn(t, dir, "gate")
		got := call{ns: namespace(t)}.run(t, append(args, "--", "sh", "-c", "cat "+gate+" & echo ok; exit 3")...)
		if got.code != 3 || got.stdout != "ok\n" {
			t.Errorf("%v: %+v", args, got)
		}
		open(t, gate)
	}
}

func TestOrphansAreEndedWhereAsked(t *testing.T) {
	ns := namespace(t)
	got := call{ns: ns}.run(t, "--orphans", "kill", "--drain", "50ms", "--", "sh", "-c",
		"sleep 61 & (setsid sleep 61 </dev/null >/dev/null 2>&1 &); sh -c 'trap \"\" TERM; sleep 61' & echo ok")
	if got.code != 0 || got.stdout != "ok\n" {
		t.Errorf("%+v", got)
	}
	if left := sleepers("61"); left != "" {
		t.Errorf("left: %s", left)
	}
}

// sleepers returns the processes that sleep for that long.
func sleepers(seconds string) string {
	out, _ := exec.Command("pgrep", "-fx", "sleep "+seconds).Output() // it fails where there is none
	return strings.TrimSpace(string(out))
}

func TestTimeoutEndsEveryDescendant(t *testing.T) {
	for name, script := range map[string]string{
		"plain":         "echo P; sleep 62.1",
		"ignores TERM":  "trap '' TERM; echo P; sleep 62.2",
		"wrapped":       "bash -c 'bash -c \"echo P; sleep 62.3; true\"; true'; true",
		"double forked": "(setsid sleep 62.4 &); echo P; sleep 62.4",
		"hidden":        "(setsid sh -c 'trap \"\" TERM; sleep 62.5; sleep 62.5' >/dev/null 2>&1 &); echo P; sleep 62.5",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := call{ns: namespace(t)}.run(t, "--json", "--timeout", "1500ms", "--kill-after", "200ms", "--", "sh", "-c", script)
			r, fields := parse(t, got) // it is there: nobody waited for a sleeper
			text := fields["preview"].(map[string]any)["stdout"].(map[string]any)["text"]
			if got.code != 124 || text != "P\n" || r.Process.State != format.ProcessTimeout {
				t.Errorf("status %d, shown %q, process %+v", got.code, text, r.Process)
			}
			_, rest, _ := strings.Cut(script, "sleep ")
			if left := sleepers(rest[:len("62.1")]); left != "" {
				t.Errorf("left: %s", left)
			}
		})
	}
}

func TestSignalsAreForwardedAndToldFromOurOwn(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2} {
		ns, dir := namespace(t), t.TempDir()
		ready := filepath.Join(dir, "ready")
		c := call{ns: ns, during: func(pid int) {
			eventually(t, "the command runs", func() bool { _, err := os.Stat(ready); return err == nil })
			if err := syscall.Kill(pid, sig); err != nil {
				t.Error(err)
			}
		}}
		got := c.run(t, "--json", "--", "sh", "-c", "ulimit -c 0; : >"+ready+"; exec sleep 63")
		r, _ := parse(t, got)
		if got.code != 128+int(sig) || r.Process.State != format.ProcessExited || r.Process.Signal.Or("") == "" {
			t.Errorf("%v: status %d, process %+v", sig, got.code, r.Process)
		}
	}
	if left := sleepers("63"); left != "" {
		t.Errorf("left: %s", left)
	}
}

func TestIgnoredHangUpStaysIgnored(t *testing.T) {
	ns := namespace(t)
	got := call{ns: ns}.run(t, "--", "sh", "-c", "kill -HUP $$; echo died not")
	if got.code != 129 {
		t.Fatalf("without nohup: %+v", got)
	}
	cmd := exec.Command("nohup", filepath.Join(bin, "spool-run"), "--", "sh", "-c", "kill -HUP $$; echo alive")
	cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns)
	if out, err := cmd.Output(); err != nil || string(out) != "alive\n" {
		t.Errorf("with nohup: %q, %v", out, err)
	}
}

func TestReapsAsInit(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: needs root for a pid namespace")
	}
	probe := exec.Command("unshare", "-pf", "--mount-proc", "true")
	if err := probe.Run(); err != nil {
		t.Skip("SKIPPED: needs unshare with pid namespaces")
	}
	ns := namespace(t)
	n := rounds(200, 1000)
	cmd := exec.Command("timeout", "60", "unshare", "-pf", "--mount-proc", filepath.Join(bin, "spool-run"), "--", "sh", "-c", fmt.Sprintf(
		"i=0; while [ $i -lt %d ]; do (sleep 0.5 &); i=$((i+1)); done; while grep -qs '^Name:.sleep' /proc/[0-9]*/status; do :; done; echo $i; exit 5", n))
	cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns)
	out, _ := cmd.Output() // its status is looked at below
	if cmd.ProcessState.ExitCode() != 5 || string(out) != fmt.Sprintln(n) {
		t.Errorf("status %d, it says %q", cmd.ProcessState.ExitCode(), out)
	}
}
