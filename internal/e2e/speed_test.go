//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A race is one of spool's lines and the peer that does the nearest thing, both
// for sh. The figures are of time: ours may take so many times what the peer
// takes. Each is about three times the target of docs/benchmarks.md, or of what
// is usual where there is no target: far enough that a busy machine does not
// reach it, near enough that a tenfold regression does.
type race struct {
	name, ours, peer string
	times            int     // how often in one sample
	wall, cpu        float64 // what is allowed
}

var races = []race{
	{"redact", "cat log | spool-redact | cat >/dev/null", "cat log | tee /dev/null | cat >/dev/null", 1, 4, 6},
	{"tee", "rm -f ours; cat log | spool-tee --sync none --max-bytes unlimited ours >/dev/null", "rm -f peer; cat log | tee peer >/dev/null", 1, 4, 6},
	{"preview", "cat log | spool-preview >/dev/null", "cat log | tail -c 8000 >/dev/null", 1, 4, 6},
	{
		"the whole line", "rm -rf ns; spool-run --sync none --max-bytes unlimited -- cat log >/dev/null 2>&1",
		"rm -f peer; cat log | tee peer | tail -c 8000 >/dev/null", 1, 6, 8,
	},
	{"a compact run", "spool-run -- printf hi", "sh -c 'printf hi | tee peer'", 10, 6, 8},
	{"a kept run", "spool-run --sync none --keep always -- true 2>/dev/null", "sh -c 'printf hi | tee peer'", 10, 10, 10},
}

// TestSpeedIsWithinSightOfItsPeers compares ratios, never times: medians of
// alternating samples, wall clock and processor time each for itself. What fails
// is measured once more, since a machine may have something else to do for the
// length of one race.
func TestSpeedIsWithinSightOfItsPeers(t *testing.T) {
	dir := t.TempDir()
	size := 256 << 20
	if testing.Short() {
		size = 32 << 20
	}
	if err := os.WriteFile(filepath.Join(dir, "log"), cleanLog(size), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, r := range races {
		t.Run(r.name, func(t *testing.T) {
			wall, cpu := r.run(t, dir)
			if wall > r.wall || cpu > r.cpu {
				t.Logf("once more: %.2f × the peer's time, %.2f × its processor time", wall, cpu)
				wall, cpu = r.run(t, dir)
			}
			t.Logf("%.2f × the peer's time, %.2f × its processor time", wall, cpu)
			if wall > r.wall || cpu > r.cpu {
				t.Errorf("%.2f × the peer's time (allowed %g), %.2f × its processor time (allowed %g)", wall, r.wall, cpu, r.cpu)
			}
		})
	}
}

// run runs both sides in turn and returns what ours takes in relation to the peer.
func (r race) run(t *testing.T, dir string) (wall, cpu float64) {
	t.Helper()
	const samples = 5
	var walls, cpus [2][]time.Duration
	for i := range 2 * (samples + 1) {
		side := (i + i/2) % 2 // ours, peer, peer, ours, …
		w, c := r.sample(t, dir, []string{r.ours, r.peer}[side])
		if i > 1 { // the first of each is to warm up
			walls[side], cpus[side] = append(walls[side], w), append(cpus[side], c)
		}
	}
	return ratio(walls), ratio(cpus)
}

// sample runs one side and returns what it took, of its descendants too.
func (r race) sample(t *testing.T, dir, line string) (wall, cpu time.Duration) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", strings.Repeat(line+"\n", r.times))
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv(binVariable) + ":" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C.UTF-8",
		"SPOOL_DIR=" + filepath.Join(dir, "ns"), "SPOOL_MAX_NAMESPACE=unlimited",
	}
	begin := time.Now()
	out, err := cmd.Output()
	wall = time.Since(begin)
	if err != nil {
		t.Fatalf("%s: %v: %s", line, err, out)
	}
	return wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// ratio returns the first median in relation to the second.
func ratio(sides [2][]time.Duration) float64 {
	var median [2]time.Duration
	for i, s := range sides {
		slices.Sort(s)
		median[i] = s[len(s)/2]
	}
	return float64(median[0]) / float64(max(median[1], time.Microsecond))
}

// cleanLog returns lines of a log in which there is nothing to redact.
func cleanLog(size int) []byte {
	log := make([]byte, 0, size+200)
	for i := 0; len(log) < size; i++ {
		log = fmt.Appendf(log, "2026-11-30T%02d:%02d:%02d.%03dZ INFO [worker-%d] request handled path=/srv/app/%d.go:%d took=%dms\n",
			i/3600000%24, i/60000%60, i/1000%60, i%1000, i%16, i%977, i%881, i*7%4999)
	}
	return log[:size]
}
