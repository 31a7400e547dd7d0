package pipeline_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"spool/pkg/format"
)

// supervisors returns the processes that serve runs whose arguments hold mark.
func supervisors(mark string) string {
	out, _ := exec.Command("pgrep", "-f", mark).Output() // it fails where there is none
	return strings.Join(strings.Fields(string(out)), " ")
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
