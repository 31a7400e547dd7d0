package capture

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"spool/pkg/format"
)

// current reads the allowance as it lies there.
func current(t *testing.T, ns *Namespace) *allowance {
	t.Helper()
	var got *allowance
	if err := ns.withAllowance(t.Context(), func(a *allowance) error { got = a; return nil }); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestOneBusyStreamGetsExactlyTheCapturesLimit(t *testing.T) {
	for _, limit := range []format.Size{1, 2, 255, 4096, 1 << 20, 33554432, 33554433} {
		c := begin(t, newNamespace(t))
		q := c.Quota(format.Limits{CaptureBytes: limit, NamespaceBytes: format.Unlimited})
		var sum, calls int64
		var err error
		for {
			var n int64
			if n, err = q.Reserve(t.Context(), 64<<10); err != nil {
				break
			}
			sum += n
			calls++
		}
		if !errors.Is(err, ErrQuotaCapture) || sum != int64(limit) || sum != q.Granted() {
			t.Errorf("limit %d: granted %d in %d calls, %v", limit, sum, calls, err)
		}
		if calls > 100 {
			t.Errorf("limit %d: %d calls", limit, calls)
		}
	}
}

func TestStreamsOfACaptureShareItsLimit(t *testing.T) {
	c := begin(t, newNamespace(t))
	l := format.Limits{CaptureBytes: 1000, NamespaceBytes: format.Unlimited}
	out, err := c.Quota(l), c.Quota(l)
	if n, e := out.Reserve(t.Context(), 900); n != 900 || e != nil {
		t.Fatalf("first: %d, %v", n, e)
	}
	if n, e := err.Reserve(t.Context(), 900); n != 100 || e != nil {
		t.Fatalf("second: %d, %v", n, e)
	}
	if _, e := out.Reserve(t.Context(), 1); !errors.Is(e, ErrQuotaCapture) {
		t.Fatalf("third: %v", e)
	}
	if e := err.Trim(t.Context(), 40); e != nil {
		t.Fatal(e)
	}
	if n, e := out.Reserve(t.Context(), 100); n != 60 || e != nil {
		t.Fatalf("what was given back: %d, %v", n, e)
	}
}

func TestNamespaceLimitSpansCapturesAndReturnsWhatIsDiscarded(t *testing.T) {
	ns := newNamespace(t)
	l := format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: 10_000}
	first := begin(t, ns)
	write(t, first, "stdout", 4000)
	if err := first.Publish(t.Context(), partial(first), false); err != nil {
		t.Fatal(err)
	}
	second := begin(t, ns)
	write(t, second, "stdout", 5000)
	third := begin(t, ns)
	q := third.Quota(l)
	if n, err := q.Reserve(t.Context(), 4000); n != 1000 || err != nil {
		t.Fatalf("rest: %d, %v", n, err)
	}
	if _, err := q.Reserve(t.Context(), 1); !errors.Is(err, ErrQuotaNamespace) {
		t.Fatalf("beyond: %v", err)
	}
	if err := second.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := q.Reserve(t.Context(), 9000); n != 5000 || err != nil {
		t.Fatalf("after a discard: %d, %v", n, err)
	}
	if err := first.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := q.Reserve(t.Context(), 9000); n != 4000 || err != nil {
		t.Fatalf("after a final one was discarded: %d, %v", n, err)
	}
}

func TestDeadWritersGrantIsCountedAnewFromItsFiles(t *testing.T) {
	ns := newNamespace(t)
	l := format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: 10_000}
	dead := begin(t, ns)
	f, err := dead.CreateStream("stdout", plain)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := dead.Quota(l).Reserve(t.Context(), 10_000); n != 10_000 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := f.WriteString("0123456789"); err != nil {
		t.Fatal(err)
	}
	q := begin(t, ns).Quota(l)
	if _, err := q.Reserve(t.Context(), 100); !errors.Is(err, ErrQuotaNamespace) {
		t.Fatalf("while it lives: %v", err)
	}
	f.Close()
	dead.Release()
	if n, err := q.Reserve(t.Context(), 10_000); n != 9_990 || err != nil {
		t.Fatalf("after its death: %d, %v", n, err)
	}
}

func TestAllowanceThatCannotBeTrustedIsCountedFromTheFiles(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"missing":  os.Remove,
		"empty":    func(p string) error { return os.Truncate(p, 0) },
		"cut":      func(p string) error { return os.Truncate(p, 40) },
		"garbage":  func(p string) error { return os.WriteFile(p, []byte("spool.allowance/v1 00000000\n"), 0o600) },
		"too long": func(p string) error { return os.Truncate(p, maxAllowance+1) },
		"old boot": func(p string) error {
			a := &allowance{boot: "another", final: 1}
			return os.WriteFile(p, a.encode(), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ns := newNamespace(t)
			for i := range 3 {
				c := begin(t, ns)
				write(t, c, "stdout", 100)
				if i == 0 {
					continue
				}
				if err := c.Publish(t.Context(), partial(c), false); err != nil {
					t.Fatal(err)
				}
			}
			if a := current(t, ns); a.final != 200 || a.total() != 300 || a.fresh {
				t.Fatalf("before: %+v", a)
			}
			if err := spoil(filepath.Join(ns.Path(), "allowance")); err != nil {
				t.Fatal(err)
			}
			if a := current(t, ns); a.final != 200 || a.total() != 300 || !a.fresh {
				t.Errorf("after: %+v", a)
			}
			if err := ns.Recount(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if a := current(t, ns); a.final != 200 || a.total() != 300 || a.fresh {
				t.Errorf("recounted: %+v", a)
			}
		})
	}
}

func TestStalledNamespaceLockIsToldWithinABound(t *testing.T) {
	ns := newNamespace(t)
	l, err := ns.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Unlock()
	_, err = begin(t, ns).Quota(launch().Limits).Reserve(t.Context(), 1)
	if !errors.Is(err, ErrLockStalled) {
		t.Errorf("got %v", err)
	}
}

func FuzzParseAllowance(f *testing.F) {
	a := &allowance{boot: "b", final: 7, records: map[format.ID]record{"01kb0000000000000000000000": {1, 2}}}
	f.Add(a.encode())
	f.Add([]byte(fmt.Sprintf("%s %08x\n", allowanceHead, 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := parseAllowance(data)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("an error of no name: %v", err)
			}
			return
		}
		if a.total() < 0 {
			t.Errorf("total %d", a.total())
		}
		if b, err := parseAllowance(a.encode()); err != nil || b.total() != a.total() {
			t.Errorf("does not survive: %v", err)
		}
	})
}

func FuzzParseCursor(f *testing.F) {
	f.Add(encodeCursor(map[string]Position{"stdout": {1, 2}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		at, err := parseCursor(data)
		if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("an error of no name: %v", err)
		}
		for stream, p := range at {
			if p.Generation < 1 || p.Offset < 0 || format.CheckStreams([]string{stream}) != nil {
				t.Errorf("%q at %+v", stream, p)
			}
		}
	})
}

func TestCheckAllowanceTellsWhatCountsTooLittle(t *testing.T) {
	ns := newNamespace(t)
	for i := range 2 {
		c := begin(t, ns)
		write(t, c, "stdout", 100)
		if i == 0 {
			continue
		}
		if err := c.Publish(t.Context(), partial(c), false); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(ns.Path(), "allowance")
	for _, row := range []struct {
		final   int64
		corrupt bool
	}{{100, false}, {101, false}, {99, true}} {
		a := current(t, ns)
		a.final = row.final
		if err := os.WriteFile(path, a.encode(), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := ns.CheckAllowance(t.Context()); errors.Is(err, ErrCorrupt) != row.corrupt || !row.corrupt && err != nil {
			t.Errorf("final %d of 100: %v", row.final, err)
		}
	}
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ns.CheckAllowance(t.Context()); !errors.Is(err, ErrCorrupt) {
		t.Errorf("garbage: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := ns.CheckAllowance(t.Context()); err != nil {
		t.Errorf("missing, which is counted anew: %v", err)
	}
}

func TestCheckAllowanceKnowsAWriterThatHasNotWritten(t *testing.T) {
	ns := newNamespace(t)
	c := begin(t, ns)
	if err := os.WriteFile(filepath.Join(ns.Path(), "allowance"), (&allowance{boot: bootID()}).encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := c.CreateStream("stdout", format.None[format.Compression]())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if alive, err := c.WriterAlive("stdout"); !alive || err != nil {
		t.Fatalf("the stream has no writer: %v", err)
	}
	if err := ns.CheckAllowance(t.Context()); err != nil {
		t.Error(err)
	}
}
