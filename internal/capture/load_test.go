package capture

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"spool/pkg/format"
)

// beginners tells a process of this test to begin captures in that namespace.
const beginners = "SPOOL_TEST_BEGIN"

// TestMain is also the process that begins captures as fast as it can.
func TestMain(m *testing.M) {
	if dir := os.Getenv(beginners); dir != "" {
		if err := beginMany(dir, 50); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// beginMany begins captures that all claim the same moment, and prints their IDs.
func beginMany(dir string, n int) error {
	ns, err := CreateNamespace(dir)
	if err != nil {
		return err
	}
	defer ns.Close()
	for range n {
		b := launch()
		b.CreatedAt = format.At(time.UnixMilli(1))
		c, err := ns.Begin(b)
		if err != nil {
			return err
		}
		fmt.Println(c.ID())
		if err := c.Close(); err != nil {
			return err
		}
	}
	return nil
}

func TestCapturesOfOneMillisecondAreAllThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ns")
	var ids []format.ID
	var running []*exec.Cmd
	var outs []*bufio.Scanner
	for range 8 {
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stderr = append(os.Environ(), beginners+"="+dir), t.Output()
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running, outs = append(running, cmd), append(outs, bufio.NewScanner(out))
	}
	for i, cmd := range running {
		for outs[i].Scan() {
			ids = append(ids, format.ID(outs[i].Text()))
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(ids)
	ns, err := OpenNamespace(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ns.Close()
	got, err := ns.IDs()
	if err != nil || !slices.Equal(got, ids) || len(ids) != 400 || len(slices.Compact(ids)) != 400 {
		t.Errorf("%d begun, %d there, %v", len(ids), len(got), err)
	}
	names, err := ns.Root().Names()
	if err != nil || len(names) != 402 {
		t.Errorf("%d names, %v", len(names), err)
	}
}

// quickNamespace makes a namespace in memory, where there is such a place.
func quickNamespace(t *testing.T) *Namespace {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "spool-")
	if err != nil {
		return newNamespace(t)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ns, err := OpenNamespace(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ns.Close() })
	return ns
}

// finished makes what a capture leaves in the end.
func finished(t *testing.T, ns *Namespace) {
	t.Helper()
	id, err := format.NewID(time.Now(), ns.random)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := ns.dir.Mkdir(string(id))
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := format.EncodeReceipt(partial(&Capture{id: id}))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{lockFile: nil, "stdout": []byte("text\n"), receiptFile: receipt} {
		if err := dir.Publish(name, data, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := dir.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCostDoesNotGrowWithTheNumberOfCaptures looks at 10,000 final ones.
func TestCostDoesNotGrowWithTheNumberOfCaptures(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: needs time for 10,000 captures")
	}
	ns := quickNamespace(t)
	measure := func() (begin, reserve time.Duration) {
		var begins, reserves []time.Duration
		for range 30 {
			start := time.Now()
			c, err := ns.Begin(launch())
			begins = append(begins, time.Since(start))
			if err != nil {
				t.Fatal(err)
			}
			q := c.Quota(format.Limits{CaptureBytes: 1 << 20, NamespaceBytes: 1 << 40})
			start = time.Now()
			if _, err = q.Reserve(t.Context(), 1000); err != nil {
				t.Fatal(err)
			}
			reserves = append(reserves, time.Since(start))
			if err := errors.Join(q.Close(t.Context(), 0), c.Discard(t.Context()), c.Close()); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(begins)
		slices.Sort(reserves)
		return begins[len(begins)/2], reserves[len(reserves)/2]
	}
	beginFew, reserveFew := measure()
	for range 10_000 {
		finished(t, ns)
	}
	beginMany, reserveMany := measure()
	start := time.Now()
	ids, err := ns.IDs()
	list := time.Since(start)
	if err != nil || len(ids) != 10_000 {
		t.Fatalf("%d captures, %v", len(ids), err)
	}
	start = time.Now()
	if err := ns.Recount(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	recount := time.Since(start)
	t.Logf("begin %v, with 10,000 captures %v; reserve %v, %v; list %v; recount %v", beginFew, beginMany, reserveFew, reserveMany, list, recount)
	if beginMany > 5*beginFew+5*time.Millisecond || reserveMany > 5*reserveFew+5*time.Millisecond {
		t.Error("the cost grows")
	}
	if list > time.Second || recount > 20*time.Second {
		t.Error("too slow")
	}
}
