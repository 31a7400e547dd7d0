//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// replay runs a command that writes the given files to its streams and exits
// with code, kept, and checks what must hold of every such run.
func replay(t *testing.T, out, errs []byte, code int) (result, receipt) {
	t.Helper()
	p := newPlace(t)
	for name, data := range map[string][]byte{"out": out, "err": errs} {
		if err := os.WriteFile(filepath.Join(p.dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := p.run("spool-run", "--keep", "always", "--", "sh", "-c", fmt.Sprintf("cat out; cat err >&2; exit %d", code))
	if shown.code != code {
		t.Errorf("status %d, want %d", shown.code, code)
	}
	p.wantBudget(shown)
	r, dir := p.latest()
	p.wantStored(dir, "stdout", out)
	p.wantStored(dir, "stderr", errs)
	if r.Capture.State != "complete" || r.Process.ExitCode == nil || *r.Process.ExitCode != code {
		t.Errorf("capture %v, process %+v", r.Capture, r.Process)
	}
	p.verify()
	return shown, r
}

// record runs a command without spool and returns what it wrote.
func (p *place) record(args ...string) (out, errs []byte, code int) {
	p.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, &stdout, &stderr
	code = p.status(cmd.Run())
	return stdout.Bytes(), stderr.Bytes(), code
}

func TestRunKeepsGoTestOutputExactly(t *testing.T) {
	out, errs, code := newPlace(t).record("go", "test", "-v", "-short", "strings", "bytes", "bufio", "sort", "strconv",
		"unicode/...", "encoding/...", "container/...", "text/...", "path/...", "errors", "html/...")
	if len(out) < 200_000 {
		t.Fatalf("only %d bytes of test output: not the input that this test wants", len(out))
	}
	replay(t, out, errs, code)
}

func TestRunShowsTheErrorOfAFailingCompile(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("SKIPPED: needs gcc")
	}
	p := newPlace(t)
	var source strings.Builder
	for i := range 400 {
		fmt.Fprintf(&source, "int f%d(void) { int unused_%d = %d; int t; return t + u%d; }\n", i, i, i, i%7)
		if i == 0 {
			source.Reset()
			source.WriteString("int u0, u1, u2, u3, u4, u5, u6;\n")
		}
	}
	source.WriteString("int last(void) { return 0 }\n")
	if err := os.WriteFile(filepath.Join(p.dir, "many.c"), []byte(source.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	compile := []string{"gcc", "-Wall", "-Wextra", "-fno-diagnostics-color", "-c", "many.c", "-o", "many.o"}
	_, want, code := p.record(compile...)
	if n := bytes.Count(want, []byte("warning:")); n < 300 || code == 0 {
		t.Fatalf("%d warnings, status %d: not the input that this test wants", n, code)
	}
	shown := p.run(append([]string{"spool-run", "--"}, compile...)...)
	if shown.code != code {
		t.Errorf("status %d, want %d", shown.code, code)
	}
	if !bytes.Contains(shown.stderr, []byte("error: expected")) {
		t.Errorf("the failing line is not in the preview:\n%s", shown.stderr)
	}
	p.wantBudget(shown)
	_, dir := p.latest()
	p.wantStored(dir, "stderr", want)
	p.verify()
}

// fixtures makes the six published inputs and returns their manifest.
func fixtures(t *testing.T) (dir string, manifest map[string]fixture) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: needs python3")
	}
	dir = t.TempDir()
	if out, err := exec.Command("python3", "../../testdata/fixtures/gen.py", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	return dir, manifest
}

type fixture struct {
	Exit  int
	Total int `json:"total_bytes"`
	Tasks []struct {
		Stream, Question, Answer string
		Start                    int `json:"byte_start"`
		End                      int `json:"byte_end"`
		Line                     int
	}
}

func TestRunKeepsTheFixturesExactly(t *testing.T) {
	dir, manifest := fixtures(t)
	for name, f := range manifest {
		t.Run(name, func(t *testing.T) {
			out, err := os.ReadFile(filepath.Join(dir, name+".out"))
			if err != nil {
				t.Fatal(err)
			}
			errs, err := os.ReadFile(filepath.Join(dir, name+".err"))
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			shown, _ := replay(t, out, errs, f.Exit)
			if name == "compiler" && !bytes.Contains(shown.stderr, []byte("Makefile:7: all] Error 2")) {
				t.Errorf("the last error is not in the preview:\n%s", shown.stderr)
			}
		})
	}
}

func TestRunKeepsOddEndsExactly(t *testing.T) {
	for name, in := range map[string]struct{ out, errs string }{
		"nothing":          {"", ""},
		"no final newline": {"tail", "also"},
		"newlines alone":   {"\n\n\n", "\n"},
		"NUL and CR":       {"a\x00b\r\nc\rd", "\x00"},
	} {
		t.Run(name, func(t *testing.T) { replay(t, []byte(in.out), []byte(in.errs), 0) })
	}
}

func TestFixturesAreShownWithinThePublishedBytes(t *testing.T) {
	dir, manifest := fixtures(t)
	total := 0
	for name := range manifest {
		p := newPlace(t)
		shown := p.run("spool-run", "--", "sh", filepath.Join(dir, name+".sh"))
		size := len(shown.stdout) + len(shown.stderr)
		t.Logf("%s: %d bytes inline", name, size)
		if name == "compact" && size != 19 {
			t.Errorf("compact: %d bytes inline, want its 19", size)
		}
		total += size
	}
	if total > 42_940 {
		t.Errorf("%d bytes inline over the six, want at most 42940", total)
	}
}

func TestQuotaEndsRetentionNotTheCommand(t *testing.T) {
	p := newPlace(t)
	const total, kept = 200 << 20, 32 << 20
	cmd := p.command("spool-run", "--", "sh", "-c", "yes 0123456789abcde | head -c 209715200; echo THE-END")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	peaks := watchMemory(cmd.Process.Pid)
	err := cmd.Wait()
	for name, peak := range peaks() {
		t.Logf("%s: at most %d KiB", name, peak>>10)
		if strings.HasPrefix(name, "spool-") && peak > 64<<20 {
			t.Errorf("%s took %d bytes of memory", name, peak)
		}
	}
	if p.status(err) != 0 {
		t.Errorf("status: %v", err)
	}
	if !bytes.HasSuffix(out.Bytes(), []byte("\n0123456789abcde\nTHE-END\n")) {
		t.Errorf("the preview does not end with the true tail: %q", out.Bytes()[max(0, out.Len()-60):])
	}
	r, dir := p.latest()
	s := r.Streams["stdout"]
	if r.Capture.State != "partial" || len(r.Capture.Reasons) != 1 || !strings.HasPrefix(r.Capture.Reasons[0], "quota-capture") {
		t.Errorf("capture: %+v", r.Capture)
	}
	if observed := *s.Raw.Observed; observed != total+8 {
		t.Errorf("observed %d, want %d", observed, total+8)
	}
	if *s.Representation.RetainedEnd != kept || *s.Representation.Committed != kept || *s.Representation.Refused != total+8-kept {
		t.Errorf("retained end %d, committed %d, refused %d", *s.Representation.RetainedEnd, *s.Representation.Committed, *s.Representation.Refused)
	}
	p.wantStored(dir, "stdout", bytes.Repeat([]byte("0123456789abcde\n"), kept/16))
	p.verify()
}

// watchMemory notes the peak resident memory of every process below root, by
// name, until the returned function is called, which ends the watch.
func watchMemory(root int) func() map[string]int64 {
	stop, done := make(chan struct{}), make(chan map[string]int64)
	go func() {
		peaks := map[string]int64{}
		for {
			select {
			case <-stop:
				done <- peaks
				return
			default:
				for _, pid := range append(descendants(root), root) {
					name, peak := residentPeak(pid)
					peaks[name] = max(peaks[name], peak)
				}
			}
		}
	}()
	return func() map[string]int64 { close(stop); return <-done }
}

// descendants returns the processes below pid.
func descendants(pid int) []int {
	var all []int
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		data, _ := os.ReadFile(list) // one that ended has none
		for field := range strings.FieldsSeq(string(data)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(append(all, child), descendants(child)...)
			}
		}
	}
	return all
}

// residentPeak returns a process's name and its VmHWM in bytes, see proc(5).
func residentPeak(pid int) (name string, peak int64) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // one that ended has none
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch key {
		case "Name":
			name = strings.TrimSpace(value)
		case "VmHWM":
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			peak = kib << 10
		}
	}
	return name, peak
}
