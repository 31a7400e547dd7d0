package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// bin is where the tools are that the tests run.
var bin string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "spool-pipeline-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		bin = dir
		build := exec.Command("go", "build", "-o", dir, "../../cmd/...")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build the tools: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// limit is how long any one call may take; what hangs is killed then.
const limit = 20 * time.Second

// call is one call of spool-run.
type call struct {
	ns     string
	env    []string
	stdin  *os.File
	before func(*exec.Cmd)
	during func(pid int) // called once it runs
}

// outcome is what came of a call.
type outcome struct {
	code           int
	stdout, stderr string
}

// run calls spool-run.
func (c call) run(t *testing.T, args ...string) outcome {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "spool-run"), args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, &stdout, &stderr
	cmd.Env = append(os.Environ(), "SPOOL_DIR="+c.ns)
	cmd.Env = append(cmd.Env, c.env...)
	if c.before != nil {
		c.before(cmd)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if c.during != nil {
		c.during(cmd.Process.Pid)
	}
	err := cmd.Wait()
	if ctx.Err() != nil {
		t.Fatalf("%q hung for %v\nstdout: %.300s\nstderr: %.300s", args, limit, stdout.String(), stderr.String())
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(exit, err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// namespace returns a namespace of the test's own, not yet there. It is removed
// once nobody works in it.
func namespace(t *testing.T) string {
	t.Helper()
	ns := filepath.Join(t.TempDir(), "ns")
	t.Cleanup(func() {
		for deadline := time.Now().Add(limit); isBusy(ns) && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond)
		}
	})
	return ns
}

// isBusy tells whether a capture in a namespace is cared for.
func isBusy(ns string) bool {
	dirs, err := filepath.Glob(ns + "/*/begin.json")
	if err != nil {
		return false
	}
	for _, file := range dirs {
		c, err := capture.OpenPath(filepath.Dir(file))
		if err != nil {
			continue // it was discarded meanwhile
		}
		live, err := c.Live()
		if err = errors.Join(err, c.Close()); live && err == nil {
			return true
		}
	}
	return false
}

// receipts returns every receipt in a namespace.
func receipts(t *testing.T, ns string) []*format.Receipt {
	t.Helper()
	files, err := filepath.Glob(ns + "/*/receipt.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []*format.Receipt
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := format.ParseReceipt(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, r)
	}
	return list
}

// receipt returns the only receipt in a namespace.
func receipt(t *testing.T, ns string) *format.Receipt {
	t.Helper()
	list := receipts(t, ns)
	if len(list) != 1 {
		t.Fatalf("%d receipts, want 1", len(list))
	}
	return list[0]
}

// stream returns the stored bytes of a stream.
func stream(t *testing.T, ns string, r *format.Receipt, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(ns, string(r.ID), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// parse reads the object that --json printed.
func parse(t *testing.T, o outcome) (r *format.Receipt, fields map[string]any) {
	t.Helper()
	var raw struct{ Receipt json.RawMessage }
	if err := json.Unmarshal([]byte(o.stdout), &raw); err != nil {
		t.Fatalf("%v: %.300s\n%s", err, o.stdout, o.stderr)
	}
	if err := json.Unmarshal([]byte(o.stdout), &fields); err != nil {
		t.Fatal(err)
	}
	r, err := format.ParseReceipt(raw.Receipt)
	if err != nil {
		t.Fatal(err)
	}
	return r, fields
}

// isEmpty tells whether nothing of a capture is left in a namespace.
func isEmpty(t *testing.T, ns string) bool {
	t.Helper()
	entries, err := os.ReadDir(ns)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if kind, _ := capture.KindInNamespace(e.Name()); e.IsDir() || kind == capture.NameUnknown {
			return false
		}
	}
	return true
}

// stages returns the pids of the stages that work for a capture in ns, by name.
func stages(t *testing.T, ns string) map[string][]int {
	t.Helper()
	found := map[string][]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err != nil || !bytes.Contains(data, []byte(ns+"/")) {
			continue
		}
		name, _, _ := strings.Cut(string(data), "\x00")
		var pid int
		if _, err := fmt.Sscan(e.Name(), &pid); err == nil && strings.HasPrefix(name, "spool-") {
			found[name] = append(found[name], pid)
		}
	}
	return found
}

// eventually waits until ok is true, and fails where that takes too long.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("it never came to this: %s", what)
}

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
