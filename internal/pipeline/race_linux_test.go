package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spool/pkg/format"
)

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

// TestOneOfFiftyClaimsIsServed: however many ask at the same moment, the receipt
// goes to one of them, and it is whole.
func TestOneOfFiftyClaimsIsServed(t *testing.T) {
	const callers = 50
	for i := range rounds(10, 200) {
		ns := namespace(t)
		if got := (call{ns: ns}).run(t, "--keep", "always", "--", "sh", "-c", "echo out; exit 3"); got.code != 3 {
			t.Fatalf("%+v", got)
		}
		codes := map[int]int{}
		for _, got := range atOnce(t, callers, ns, filepath.Join(bin, "spool-receipt"), "claim", "latest") {
			codes[got.code]++
			if got.code == 3 {
				if got.stdout != "" || !strings.Contains(got.stderr, "delivered") {
					t.Errorf("round %d: turned away with %+v", i, got)
				}
				continue
			}
			r, err := format.ParseReceipt([]byte(got.stdout))
			if err != nil || r.Process.ExitCode.Or(0) != 3 {
				t.Errorf("round %d: %v, %+v", i, err, got)
			}
		}
		if codes[0] != 1 || codes[3] != callers-1 {
			t.Errorf("round %d: calls by status: %v", i, codes)
		}
	}
}

// atOnce calls a tool many times, all let go at the same moment.
func atOnce(t *testing.T, n int, ns string, args ...string) []outcome {
	t.Helper()
	in, gate, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	calls := make([]*exec.Cmd, n)
	outs := make([]struct{ stdout, stderr bytes.Buffer }, n)
	for i := range calls {
		cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `read gate; exec "$@"`, "sh"}, args...)...)
		cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &outs[i].stdout, &outs[i].stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		calls[i] = cmd
	}
	if err := errors.Join(in.Close(), gate.Close()); err != nil {
		t.Fatal(err)
	}
	list := make([]outcome, n)
	for i, cmd := range calls {
		_ = cmd.Wait() // its status is looked at by the caller
		list[i] = outcome{cmd.ProcessState.ExitCode(), outs[i].stdout.String(), outs[i].stderr.String()}
	}
	return list
}
