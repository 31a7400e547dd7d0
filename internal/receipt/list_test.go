package receipt

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"spool/internal/capture"
	"spool/internal/capture/capturetest"
	"spool/pkg/format"
)

// ended is a final capture with that label and end.
func ended(tb testing.TB, ns *capture.Namespace, label string, o ProcessOptions, at time.Time) format.ID {
	tb.Helper()
	c, err := Begin(ns, BeginOptions{Label: label, Streams: []string{format.Stdout}, Tool: capturetest.Tool(), Now: func() time.Time { return at }})
	if err != nil {
		tb.Fatal(err)
	}
	defer c.Close()
	err = errors.Join(WriteEmpty(context.Background(), c, format.Stdout), c.WriteRedact(redactReport(format.Stdout, format.Known(0))),
		Process(context.Background(), c, o))
	if err != nil {
		tb.Fatal(err)
	}
	if _, _, err := Finish(context.Background(), c, FinishOptions{NoSync: true}); err != nil {
		tb.Fatal(err)
	}
	return c.ID()
}

func TestListChooses(t *testing.T) {
	ns := capturetest.Namespace(t)
	now := time.Now()
	code := func(n int64) ProcessOptions { return ProcessOptions{Exit: format.Some(n)} }
	ended(t, ns, "make test", code(0), now.Add(-3*time.Hour))
	ended(t, ns, "make all", code(2), now.Add(-2*time.Hour))
	ended(t, ns, "sleep", ProcessOptions{State: format.ProcessTimeout, Signal: "KILL"}, now.Add(-time.Hour))
	live := begin(t, ns) // labelled "make test"
	for _, tt := range []struct {
		name string
		o    ListOptions
		want []string
	}{
		{"all, the newest first", ListOptions{}, []string{"make test", "sleep", "make all", "make test"}},
		{"failed", ListOptions{Failed: true}, []string{"sleep", "make all"}},
		{"state of the process", ListOptions{States: []string{"timeout", "running"}}, []string{"make test", "sleep"}},
		{"state of the capture", ListOptions{States: []string{"complete"}}, []string{"sleep", "make all", "make test"}},
		{"since", ListOptions{Since: now.Add(-90 * time.Minute)}, []string{"make test", "sleep"}},
		{"label", ListOptions{Label: "make"}, []string{"make test", "make all", "make test"}},
		{"all of them together", ListOptions{Label: "make", Failed: true, States: []string{"exited"}}, []string{"make all"}},
	} {
		got := []string{}
		err := List(t.Context(), ns, tt.o, func(r *format.Receipt) error {
			got = append(got, r.Label.Or(""))
			return nil
		}, func(err error) { t.Error(err) })
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: want %q; got %q, %v", tt.name, tt.want, got, err)
		}
	}
	if err := os.WriteFile(filepath.Join(live.Path(), "receipt.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, faults := 0, 0
	err := List(t.Context(), ns, ListOptions{}, func(*format.Receipt) error { rows++; return nil }, func(error) { faults++ })
	if err != nil || rows != 3 || faults != 1 {
		t.Errorf("with a damaged one: %d rows, %d faults, %v", rows, faults, err)
	}
}

func TestTableFitsItsWidth(t *testing.T) {
	r := &format.Receipt{
		ID: "01kb3tq0n8e7vhw2c5rj9mxyz4", CreatedAt: format.At(time.Now().Add(-90 * time.Minute)),
		Process: format.Process{State: format.ProcessExited, ExitCode: format.Some(int64(2))},
		Capture: format.Capture{State: format.CapturePartial},
		Label:   format.Some("编译 👩‍👩‍👧‍👦 " + strings.Repeat("long ", 30)),
		Streams: map[string]format.Stream{"stdout": {Representation: format.StreamCounts{Committed: format.Known(3 << 20)}}},
	}
	for width := 1; width < 120; width++ {
		table := Table{Width: width, Now: time.Now(), Prefix: 10}
		for _, line := range []string{table.Head(), table.Row(r)} {
			if got := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); got > width || strings.Count(line, "\n") != 1 {
				t.Fatalf("%d columns in %d: %q", got, width, line)
			}
		}
	}
	narrow := Table{Width: 40, Now: time.Now(), Prefix: 10}
	if got, want := narrow.Head()+narrow.Row(r), "ID           AGE  OUTCOME      LABEL\n01kb3tq0n8    1h  2            编译 👩‍👩‍👧‍👦 …\n"; got != want {
		t.Errorf("in 40 columns: %q, want %q", got, want)
	}
	full := Table{Now: time.Now()}.Row(r)
	for _, want := range []string{"01kb3tq0n8e7vhw2c5rj9mxyz4 ", "1h", "exited", " 2 ", "partial", "3.0M", r.Label.Or("x")} {
		if !strings.Contains(full, strings.TrimRight(want, " ")) {
			t.Errorf("no %q in %q", want, full)
		}
	}
	coloured := Table{Now: time.Now(), Colour: true}.Row(r)
	if !strings.Contains(coloured, "\x1b[33mpartial") || strings.ReplaceAll(strings.ReplaceAll(coloured, "\x1b[33m", ""), "\x1b[0m", "") != full {
		t.Errorf("colour changes more than colour: %q", coloured)
	}
	if strings.Contains(full, "\x1b") {
		t.Errorf("colour that was not asked for: %q", full)
	}
}

func TestUniquePrefixTellsAllApart(t *testing.T) {
	ids := []format.ID{"01kb3tq0n8e7vhw2c5rj9mxyz4", "01kb3tq0n8e7vhw2c5rj9mxyz5", "01kb3tq0n8f7vhw2c5rj9mxyz5"}
	if n := UniquePrefix(ids); n != format.IDLen {
		t.Errorf("want all; got %d", n)
	}
	if n := UniquePrefix(ids[1:]); n != 11 {
		t.Errorf("want 11; got %d", n)
	}
	if n := UniquePrefix(nil); n != 10 {
		t.Errorf("want 10; got %d", n)
	}
}

func TestBytesAreShort(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 1023: "1023", 1024: "1.0K", 10 << 10: "10K", 999 << 10: "999K", 1000 << 10: "1.0M", 32 << 20: "32M", 5 << 40: "5.0T"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: want %s; got %s", n, want, got)
		}
	}
}

func TestWaitEndsWithTheReceipt(t *testing.T) {
	c := begin(t, capturetest.Namespace(t))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := Wait(ctx, c); !errors.Is(err, ErrNotFinal) {
		t.Fatalf("want ErrNotFinal; got %v", err)
	}
	write(t, c, format.Stdout, "x\n")
	done := make(chan error)
	go func() {
		_, err := Wait(context.Background(), c)
		done <- err
	}()
	other, err := c.Namespace().Open(c.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, _, err := Finish(t.Context(), other, FinishOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestWaitDoesNotWaitForTheDead(t *testing.T) {
	c := begin(t, capturetest.Namespace(t))
	old := time.Now().Add(-2 * Quiet)
	names, err := c.Root().Names()
	for _, name := range names {
		err = errors.Join(err, os.Chtimes(filepath.Join(c.Path(), name), old, old))
	}
	if err = errors.Join(err, c.Release()); err != nil {
		t.Fatal(err)
	}
	if _, err := Wait(t.Context(), c); !errors.Is(err, ErrAbandoned) {
		t.Errorf("want ErrAbandoned; got %v", err)
	}
}

func TestClaimDeliversOnce(t *testing.T) {
	c := begin(t, capturetest.Namespace(t))
	if _, err := Claim(c, "me"); !errors.Is(err, ErrNotFinal) {
		t.Fatalf("want ErrNotFinal; got %v", err)
	}
	write(t, c, format.Stdout, "x\n")
	if _, _, err := Finish(t.Context(), c, FinishOptions{}); err != nil {
		t.Fatal(err)
	}
	results := make(chan error)
	for range 8 {
		go func() {
			_, err := Claim(c, "me")
			results <- err
		}()
	}
	got := 0
	for range 8 {
		switch err := <-results; {
		case err == nil:
			got++
		case !errors.Is(err, capture.ErrDelivered):
			t.Error(err)
		}
	}
	if got != 1 {
		t.Errorf("delivered to %d", got)
	}
}

func TestResolveSaysWhatIsMissing(t *testing.T) {
	c := begin(t, capturetest.Namespace(t), format.Stdout, format.Stderr)
	if _, err := Resolve(c, format.Stdout); !errors.Is(err, ErrUnavailable) {
		t.Errorf("before the first byte: %v", err)
	}
	write(t, c, format.Stdout, "x\n")
	want := filepath.Join(c.Path(), "stdout")
	if got, err := Resolve(c, format.Stdout); got != want || err != nil {
		t.Errorf("want %s; got %s, %v", want, got, err)
	}
	if _, _, err := Finish(t.Context(), c, FinishOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Resolve(c, format.Stderr); !errors.Is(err, ErrUnavailable) {
		t.Errorf("of which nothing was kept: %v", err)
	}
	if err := os.Remove(want); err != nil {
		t.Fatal(err)
	}
	if _, err := Resolve(c, format.Stdout); !errors.Is(err, ErrNeedsTransfer) {
		t.Errorf("named by the receipt, and not here: %v", err)
	}
	if err := os.Symlink("/etc/passwd", want); err != nil {
		t.Fatal(err)
	}
	if got, err := Resolve(c, format.Stdout); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a link: %q, %v", got, err)
	}
}

// TestListIsFastOverManyCaptures tells how long ten thousand take.
func TestListIsFastOverManyCaptures(t *testing.T) {
	ns := capturetest.Namespace(t)
	const many = 10_000
	now := time.Now()
	model, err := ns.Open(ended(t, ns, "job", ProcessOptions{Exit: format.Some(int64(1))}, now.Add(-many*time.Second)))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	r, err := model.Receipt()
	if err != nil {
		t.Fatal(err)
	}
	s := r.Streams[format.Stdout]
	for i := range many - 1 { // their files as a finish leaves them, without its work
		id, err := format.NewID(now.Add(-time.Duration(i)*time.Second), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		r.ID = id
		s.Ref = format.Some(format.Ref{ID: id, Stream: format.Stdout}.String())
		r.Streams[format.Stdout] = s
		data, err := format.EncodeReceipt(r)
		dir := filepath.Join(ns.Path(), string(id))
		if err = errors.Join(err, os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "receipt.json"), data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	list := func(o ListOptions) (rows int, took time.Duration) {
		start := time.Now()
		err := List(t.Context(), ns, o, func(*format.Receipt) error { rows++; return nil }, func(err error) { t.Error(err) })
		if err != nil {
			t.Error(err)
		}
		return rows, time.Since(start)
	}
	rows, took := list(ListOptions{Failed: true})
	t.Logf("list of %d captures: %v", many, took)
	if rows != many || took > 20*time.Second {
		t.Errorf("%d rows in %v", rows, took)
	}
	rows, took = list(ListOptions{Since: now.Add(-time.Minute)})
	t.Logf("list of the last minute among %d: %v", many, took)
	if rows != 61 {
		t.Errorf("%d rows of the last minute", rows)
	}
}
