//go:build unix

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// maxPreview bounds what a run shows on both streams together.
const maxPreview = 16 << 10

// evidence is what a command prints, and how it ends.
type evidence struct {
	stdout, stderr string
	code           int
	visible        []string // has to be in the preview
}

// evidences are shapes of output that are hard on a preview or a store.
func evidences() map[string]evidence {
	digits := func(text string, n int) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])[:n]
	}
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	tests := repeat(20_000, func(i int) string {
		if i == 13_337 {
			return fmt.Sprintf("suite/case_%05d FAILED\n", i)
		}
		return fmt.Sprintf("suite/case_%05d PASSED\n", i)
	})
	warnings := repeat(1000, func(i int) string {
		if i == 871 {
			return "src/unit_0871.c:42:17: error: expected ';' before 'return'\n"
		}
		return fmt.Sprintf("src/unit_%04d.c:%d:7: warning: unused variable 'tmp_%d'\n", i, 10+i%90, i)
	})
	return map[string]evidence{
		"compact": {stdout: "12 passed in 0.34s\n", visible: []string{"12 passed in 0.34s\n"}},
		"nothing": {},
		"one failing test of many": {
			stdout: tests + "1 failed 19999 passed\n", code: 1,
			visible: []string{"1 failed 19999 passed\n"},
		},
		"one line of JSON": {stdout: "[" + repeat(10_000, func(i int) string {
			return fmt.Sprintf(`{"id": %d, "sku": "%s"}, `, i, digits(fmt.Sprint("sku", i), 16))
		}) + "{}]\n"},
		"compiler": {
			stdout: repeat(5000, func(i int) string { return fmt.Sprintf("[%4d/5000] CC src/unit_%04d.c\n", i, i) }),
			stderr: warnings + "make: *** [Makefile:7: all] Error 2\n", code: 2,
			visible: []string{"make: *** [Makefile:7: all] Error 2\n"},
		},
		"table": {stdout: "id,name,amount\n" + repeat(30_000, func(i int) string {
			return fmt.Sprintf("%d,%s,%d\n", i, digits(fmt.Sprint("n", i), 2), i%10)
		})},
		"line of two megabytes": {
			stdout:  "BEGIN-MARKER" + strings.Repeat("x", 2<<20) + "-END-MARKER\n",
			visible: []string{"BEGIN-MARKER", "-END-MARKER\n"},
		},
		"no final newline": {stdout: "tail", stderr: "also"},
	}
}

func TestEvidenceIsStoredByteForByte(t *testing.T) {
	for name, e := range evidences() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{"out": e.stdout, "err": e.stderr} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := capture(t, "sh", "-c", fmt.Sprintf("cat %[1]s/out; cat %[1]s/err >&2; exit %[2]d", dir, e.code))
			if r.code != e.code {
				t.Errorf("status %d, want %d", r.code, e.code)
			}
			r.checkStored(t, "stdout", e.stdout)
			r.checkStored(t, "stderr", e.stderr)
			for _, text := range e.visible {
				if !strings.Contains(r.stdout+r.stderr, text) {
					t.Errorf("preview lacks %q", text)
				}
			}
			r.checkHonest(t)
		})
	}
}

func TestRealCompilerIsStoredByteForByte(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("SKIPPED: needs gcc")
	}
	var source strings.Builder
	for i := range 400 {
		fmt.Fprintf(&source, "int f%d(void) { int unused_%d; return missing_%d; }\n", i, i, i%3)
	}
	file := filepath.Join(t.TempDir(), "many.c")
	if err := os.WriteFile(file, []byte(source.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	checkAgainstPlain(t, "gcc", "-Wall", "-fsyntax-only", file)
}

func TestRealTestRunIsStoredByteForByte(t *testing.T) {
	packages := []string{"bytes", "strings", "sort", "unicode/utf8", "container/list"}
	if !testing.Short() {
		packages = append(packages, "encoding/...", "text/...", "go/...", "regexp/...", "compress/...", "math/...")
	}
	// The second run repeats what the first left in the cache, times included.
	args := append([]string{"test", "-v", "-short"}, packages...)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: needs a go that passes its own tests: %v\n%.2000s", err, out)
	}
	checkAgainstPlain(t, "go", args...)
}

// checkAgainstPlain runs a command that always prints the same, once plainly
// and once captured.
func checkAgainstPlain(t *testing.T, name string, args ...string) {
	t.Helper()
	plain := exec.Command(name, args...)
	var stdout, stderr bytes.Buffer
	plain.Stdout, plain.Stderr = &stdout, &stderr
	code := exitCode(t, plain.Run())
	r := capture(t, append([]string{name}, args...)...)
	if r.code != code {
		t.Errorf("status %d, want %d", r.code, code)
	}
	r.checkStored(t, "stdout", stdout.String())
	r.checkStored(t, "stderr", stderr.String())
	r.checkHonest(t)
}

// A run is a command captured with everything kept.
type run struct {
	namespace, dir string
	code           int
	stdout, stderr string
}

// capture runs the command under spool-run in a namespace of its own.
func capture(t *testing.T, argv ...string) run {
	t.Helper()
	cmd := command(t, "spool-run", append([]string{"--keep", "always", "--"}, argv...)...)
	namespace := filepath.Join(t.TempDir(), "ns")
	cmd.Env = append(os.Environ(), "SPOOL_DIR="+namespace)
	cmd.Dir = ""
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	code := exitCode(t, cmd.Run())
	receipts, err := filepath.Glob(filepath.Join(namespace, "*", "receipt.json"))
	if err != nil || len(receipts) != 1 {
		t.Fatalf("receipts %v, %v; stderr %.2000s", receipts, err, &stderr)
	}
	return run{namespace, filepath.Dir(receipts[0]), code, stdout.String(), stderr.String()}
}

// checkStored holds a stored stream against what the command wrote.
func (r run) checkStored(t *testing.T, stream, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(r.dir, stream))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s: %d bytes stored, %d written; they differ", stream, len(got), len(want))
	}
}

// checkHonest checks budget, completeness and what verify says.
func (r run) checkHonest(t *testing.T) {
	t.Helper()
	if n := len(r.stdout) + len(r.stderr); n > maxPreview+110 { // and the summary line
		t.Errorf("%d bytes shown", n)
	}
	receipt, err := os.ReadFile(filepath.Join(r.dir, "receipt.json"))
	if err != nil {
		t.Fatal(err)
	}
	if state, err := query(receipt, ".capture.state"); err != nil || state != "complete" {
		t.Errorf("capture is %s, %v", state, err)
	}
	if code, _, stderr := call(t, "spool-receipt", "verify", "--dir", r.namespace, "--all"); code != 0 {
		t.Errorf("verify: status %d: %s", code, stderr)
	}
}
