package pipeline_test

import (
	"fmt"
	"math/rand/v2"
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
