package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// rounds is how often a race is run.
func rounds(short, long int) int {
	if testing.Short() {
		return short
	}
	return long
}

// begin starts a background run and returns its reference.
func begin(t *testing.T, ns string, args ...string) string {
	t.Helper()
	got := call{ns: ns}.run(t, append([]string{"--background"}, args...)...)
	ref := strings.TrimSuffix(got.stdout, "\n")
	if _, err := format.ParseID(ref); err != nil || got.code != 0 {
		t.Fatalf("--background: %+v", got)
	}
	return ref
}

// await waits for the receipt of a capture.
func await(t *testing.T, ns, ref string) *format.Receipt {
	t.Helper()
	file := filepath.Join(ns, ref, "receipt.json")
	eventually(t, "the receipt is published", func() bool { _, err := os.Stat(file); return err == nil })
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := format.ParseReceipt(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// supervisors returns the processes that serve runs whose arguments hold mark.
func supervisors(mark string) string {
	out, _ := exec.Command("pgrep", "-f", mark).Output() // it fails where there is none
	return strings.Join(strings.Fields(string(out)), " ")
}

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

// TestCancelRacesTheEnd: whoever wins, there is one receipt and it is right.
func TestCancelRacesTheEnd(t *testing.T) {
	for i := range rounds(10, 200) {
		ns := namespace(t)
		mark := fmt.Sprintf("0.0%d", 10+rand.IntN(80))
		ref := begin(t, ns, "--", "sh", "-c", "sleep "+mark+"; echo end; exit 3")
		time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond) // the moment is random
		cancel := call{ns: ns}.run(t, "--cancel", ref)
		r := await(t, ns, ref)
		switch r.Process.State {
		case format.ProcessExited:
			if r.Process.ExitCode.Or(0) != 3 || stream(t, ns, r, "stdout") != "end\n" {
				t.Errorf("round %d: %+v", i, r.Process)
			}
		case format.ProcessCancelled:
			if cancel.code != 0 {
				t.Errorf("round %d: cancelled, but the caller was told %+v", i, cancel)
			}
		default:
			t.Errorf("round %d: %+v", i, r.Process)
		}
		if r.Capture.State != format.CaptureComplete {
			t.Errorf("round %d: %+v", i, r.Capture)
		}
	}
}

// TestPromotionRacesTheEnd: either the caller gets the end, or the reference.
func TestPromotionRacesTheEnd(t *testing.T) {
	for i := range rounds(10, 200) {
		ns := namespace(t)
		after := fmt.Sprintf("%dms", 20+rand.IntN(60))
		got := call{ns: ns}.run(t, "--promote-after", after, "--", "sh", "-c", "echo begin; sleep 0.05; echo end; exit 3")
		switch got.code {
		case 3:
			if got.stdout != "begin\nend\n" || !isEmpty(t, ns) {
				t.Errorf("round %d: %+v", i, got)
			}
		case 75:
			eventually(t, "the receipt is published", func() bool { return len(receipts(t, ns)) == 1 })
			r := receipt(t, ns)
			if r.Process.ExitCode.Or(0) != 3 || stream(t, ns, r, "stdout") != "begin\nend\n" || !strings.Contains(got.stderr, string(r.ID)) {
				t.Errorf("round %d: %+v", i, got)
			}
		default:
			t.Errorf("round %d: %+v", i, got)
		}
	}
}

// TestTimeoutRacesTheEnd: the status tells which it was, and so does the receipt.
func TestTimeoutRacesTheEnd(t *testing.T) {
	for i := range rounds(10, 200) {
		ns := namespace(t)
		after := fmt.Sprintf("%dms", 30+rand.IntN(40))
		got := call{ns: ns}.run(t, "--keep", "always", "--timeout", after, "--", "sh", "-c", "sleep 0.05; exit 3")
		r := receipt(t, ns)
		want := map[format.ProcessState]int{format.ProcessExited: 3, format.ProcessTimeout: 124}[r.Process.State]
		if got.code != want || r.Capture.State != format.CaptureComplete {
			t.Errorf("round %d: status %d, %+v, %+v", i, got.code, r.Process, r.Capture)
		}
	}
}

// TestDeathOfTheSupervisorHarmsNeitherCommandNorStages: they run to their own
// end, and nothing that was written is lost.
func TestDeathOfTheSupervisorHarmsNeitherCommandNorStages(t *testing.T) {
	for i := range rounds(4, 50) {
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
		eventually(t, "the stages come to theirs", func() bool { return len(stages(t, ns)) == 0 })
		ids, err := filepath.Glob(ns + "/*/begin.json")
		if err != nil || len(ids) != 1 {
			t.Fatalf("round %d: %v, %v", i, ids, err)
		}
		cap, err := capture.OpenPath(filepath.Dir(ids[0]))
		if err != nil {
			t.Fatal(err)
		}
		for name, size := range map[string]int64{"stdout": 6 * 8893, "stderr": 4} {
			tee, err := cap.Tee(name)
			red, err2 := cap.Redact(name)
			if err != nil || err2 != nil || !tee.Observed.Is(size) || !tee.EOF || !red.EOF {
				t.Errorf("round %d: %s: %+v, %v; %v", i, name, tee, err, err2)
			}
		}
		// A process that has gone from view closes its descriptors a moment later.
		eventually(t, "nobody cares for the capture", func() bool { live, err := cap.Live(); return !live && err == nil })
		if err := cap.Close(); err != nil {
			t.Error(err)
		}
		if out, err := exec.Command(filepath.Join(bin, "spool-gc"), "--dir", ns, "--grace", "0s").CombinedOutput(); err != nil {
			t.Fatalf("round %d: spool-gc: %v\n%s", i, err, out)
		}
		r := receipt(t, ns)
		if r.Process.State != format.ProcessUnknown || r.Capture.State != format.CapturePartial || r.Capture.Reasons[0].Code() != format.ReasonCrash {
			t.Errorf("round %d: %+v, %+v", i, r.Process, r.Capture)
		}
	}
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	ns := namespace(t)
	n := rounds(20, 50)
	results := make(chan error, n)
	for i := range n {
		go func() {
			cmd := exec.Command("timeout", "60", filepath.Join(bin, "spool-run"), "--keep", "always", "--", "sh", "-c", fmt.Sprintf("seq 1 3000; exit %d", i))
			cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns)
			_ = cmd.Run() // its status is looked at
			if code := cmd.ProcessState.ExitCode(); code != i {
				results <- fmt.Errorf("status %d, want %d", code, i)
				return
			}
			results <- nil
		}()
	}
	for range n {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	seen := map[int64]bool{}
	for _, r := range receipts(t, ns) {
		seen[r.Process.ExitCode.Or(-1)] = true
		if r.Capture.State != format.CaptureComplete {
			t.Errorf("%s: %+v", r.ID, r.Capture)
		}
	}
	if len(seen) != n {
		t.Errorf("%d receipts, want %d", len(seen), n)
	}
	if left := supervisors("^spool-.*" + ns); left != "" {
		t.Errorf("left: %s", left)
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
