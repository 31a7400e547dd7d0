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

func TestBackgroundJobOutlivesItsCaller(t *testing.T) {
	ns, dir := namespace(t), t.TempDir()
	gate := filepath.Join(dir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	ref := begin(t, ns, "--", "sh", "-c",
		"echo first; cat "+gate+"; pwd; echo $SPOOL_PARENT; ls -l /proc/self/fd/0; exit 4")
	eventually(t, "the first line can be read live", func() bool {
		data, err := os.ReadFile(filepath.Join(ns, ref, "stdout.live"))
		return err == nil && string(data) == "first\n"
	})
	begunBy, err := os.ReadFile(filepath.Join(ns, ref, "begin.json"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := format.ParseBegin(begunBy)
	if err != nil {
		t.Fatal(err)
	}
	who, _ := b.Supervisor.Get()
	if sid, err := syscall.Getpgid(int(who.PID)); err != nil || sid != int(who.PID) {
		t.Errorf("the supervisor %d has the group %d, %v: want one of its own", who.PID, sid, err)
	}
	for fd := range 3 {
		if to, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", who.PID, fd)); err != nil || to != "/dev/null" {
			t.Errorf("descriptor %d of the supervisor is %q, %v", fd, to, err)
		}
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := await(t, ns, ref)
	out := stream(t, ns, r, "stdout")
	cwd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out, "first\n"+cwd+"\n"+ref+"\n") || !strings.Contains(out, "/dev/null") {
		t.Errorf("it printed %q", out)
	}
	if r.Process.ExitCode.Or(0) != 4 || r.Capture.State != format.CaptureComplete {
		t.Errorf("%+v, %+v", r.Process, r.Capture)
	}
}

func TestSecretsOfADescriptorReachEveryRedactorAndNotTheCommand(t *testing.T) {
	secret := "zq7-" + "Wm31x-Kp90v"
	for _, how := range []string{"--keep=auto", "--keep=always", "--keep=never", "--promote-after=9s", "--background"} {
		ns := namespace(t)
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.WriteString(secret + "\n"); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		c := call{ns: ns, before: func(cmd *exec.Cmd) { cmd.ExtraFiles = []*os.File{in} }}
		got := c.run(t, "--secrets-fd", "3", how, "--", "sh", "-c", "echo begin "+secret+" end; seq 1 3000; cat <&3")
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if how == "--background" {
			await(t, ns, strings.TrimSpace(got.stdout))
		} else if !strings.HasPrefix(got.stdout, "begin [REDACTED:secret] end\n") {
			t.Errorf("%s: %+v", how, got)
		}
		if out, err := exec.Command("grep", "-r", secret, ns).Output(); err == nil || strings.Contains(got.stdout+got.stderr, secret) {
			t.Errorf("%s: the secret is in the namespace or was shown: %s", how, out)
		}
	}
}

func TestBackgroundStartFailureIsTold(t *testing.T) {
	got := call{ns: namespace(t)}.run(t, "--background", "no-such-command")
	if got.code != 127 || got.stdout != "" || !strings.Contains(got.stderr, "no-such-command") {
		t.Errorf("%+v", got)
	}
	got = call{ns: "/proc/nowhere"}.run(t, "--background", "true")
	if got.code != 125 || got.stdout != "" || got.stderr == "" {
		t.Errorf("without a namespace there is nothing to refer to: %+v", got)
	}
}

func TestCallerThatDiesLeavesTheJob(t *testing.T) {
	ns := namespace(t)
	dir := t.TempDir()
	ready, gate := filepath.Join(dir, "ready"), filepath.Join(dir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	c := call{ns: ns, during: func(pid int) {
		eventually(t, "the command runs", func() bool { _, err := os.Stat(ready); return err == nil })
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}}
	c.run(t, "--promote-after", "15s", "--", "sh", "-c", "touch "+ready+"; cat "+gate+"; echo end")
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the job's receipt is published though its result is small", func() bool { return len(receipts(t, ns)) == 1 })
	if r := receipt(t, ns); stream(t, ns, r, "stdout") != "end\n" {
		t.Errorf("%+v", r)
	}
}

func TestCancelEndsTheJobAndSaysSo(t *testing.T) {
	ns := namespace(t)
	ref := begin(t, ns, "--kill-after", "200ms", "--", "sh", "-c", "trap '' TERM; echo begun; (setsid sleep 65 &); while :; do sleep 65; done")
	eventually(t, "it has begun", func() bool {
		data, err := os.ReadFile(filepath.Join(ns, ref, "stdout.live"))
		return err == nil && string(data) == "begun\n"
	})
	if got := (call{ns: ns}).run(t, "--cancel", ref[:20]); got != (outcome{}) {
		t.Errorf("cancel: %+v", got)
	}
	r := await(t, ns, ref)
	if r.Process.State != format.ProcessCancelled || r.Process.Signal.Or("") != "SIGKILL" || r.Capture.State != format.CaptureComplete {
		t.Errorf("%+v, %+v", r.Process, r.Capture)
	}
	if left := sleepers("65"); left != "" {
		t.Errorf("left: %s", left)
	}
	if got := (call{ns: ns}).run(t, "--cancel", ref); got.code != 1 || !strings.Contains(got.stderr, "ended") {
		t.Errorf("once more: %+v", got)
	}
	for bad, code := range map[string]int{"xx": 2, "../../etc": 2, strings.Repeat("0", format.IDLen): 1} {
		if got := (call{ns: ns}).run(t, "--cancel", bad); got.code != code || got.stderr == "" {
			t.Errorf("--cancel %q: %+v, want status %d", bad, got, code)
		}
	}
}

func TestNestedRunNamesItsParent(t *testing.T) {
	ns := namespace(t)
	spoolRun := filepath.Join(bin, "spool-run")
	got := call{ns: ns}.run(t, "--keep", "always", "--", spoolRun, "--keep", "always", "--", "sh", "-c", "echo inner; exit 6")
	if got.code != 6 || !strings.HasPrefix(got.stdout, "inner\n") {
		t.Errorf("%+v", got)
	}
	list := receipts(t, ns) // in the order of their ids: the outer one first
	if len(list) != 2 || list[1].Parent.Or("") != string(list[0].ID) || list[0].Parent.IsSet() {
		t.Errorf("%d receipts; parents %v", len(list), list)
	}
}
