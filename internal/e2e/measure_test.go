//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
)

// The evidence table is run anew with every build: each stored stream exact,
// each answer right and cheap, the inline bytes within their bound.
func TestMeasureHolds(t *testing.T) {
	for _, need := range []string{"python3", "jq"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("SKIPPED: needs %s", need)
		}
	}
	cmd := exec.CommandContext(t.Context(), "../../scripts/measure", "--quick", "--json", "--bin", os.Getenv(binVariable))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("scripts/measure: %v\n%s", err, out)
	}
	var result struct {
		Fixtures []struct {
			Fixture string
			Exact   bool
		}
		Tasks []struct {
			Question string
			Right    bool
		}
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("what it printed: %v", err)
	}
	if len(result.Fixtures) != 6 || len(result.Tasks) != 8 {
		t.Errorf("%d fixtures and %d questions, want 6 and 8", len(result.Fixtures), len(result.Tasks))
	}
	for _, f := range result.Fixtures {
		if !f.Exact {
			t.Errorf("%s is not exact", f.Fixture)
		}
	}
	for _, q := range result.Tasks {
		if !q.Right {
			t.Errorf("%s is answered wrongly", q.Question)
		}
	}
}
