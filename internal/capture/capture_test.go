package capture

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

var plain = format.None[format.Compression]()

func newNamespace(t *testing.T) *Namespace {
	t.Helper()
	ns, err := CreateNamespace(filepath.Join(t.TempDir(), "ns"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ns.Close() })
	return ns
}

func launch() format.Begin {
	return format.Begin{
		Generation: 1,
		Streams:    []string{format.Stdout, format.Stderr},
		Limits:     format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: format.Unlimited},
		Upstream:   format.Upstream{State: format.UpstreamUnknown},
		Tool:       format.Tool{Name: "spool", Version: "test"},
	}
}

func begin(t *testing.T, ns *Namespace) *Capture {
	t.Helper()
	c, err := ns.Begin(launch())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func partial(c *Capture) *format.Receipt {
	stream := func(name string) format.Stream {
		return format.Stream{Ref: format.Some(c.Ref(name))}
	}
	return &format.Receipt{
		Schema: format.ReceiptSchema, ID: c.ID(), Generation: 1,
		CreatedAt: format.At(time.Now()), PublishedAt: format.At(time.Now()),
		Process:        format.Process{State: format.ProcessUnknown},
		Capture:        format.Capture{State: format.CapturePartial, Reasons: []format.Reason{format.ReasonCrash}},
		Representation: format.Representation{Transforms: []string{}},
		Streams:        map[string]format.Stream{"stdout": stream("stdout"), "stderr": stream("stderr")},
		Preview:        format.Preview{Streams: map[string]format.PreviewCounts{}},
		Upstream:       format.Upstream{State: format.UpstreamUnknown},
		Tool:           format.Tool{Name: "spool", Version: "test"},
	}
}

func tee(stream string) *format.TeeReport {
	return &format.TeeReport{
		Schema: format.TeeSchema, Stream: stream, EOF: true, Reasons: []format.Reason{},
		Tool: format.Tool{Name: "spool-tee", Version: "test"},
	}
}

// write makes a final stream of that size, charged to the allowance.
func write(t *testing.T, c *Capture, stream string, size int64) {
	t.Helper()
	f, err := c.CreateStream(stream, plain)
	if err != nil {
		t.Fatal(err)
	}
	q := c.Quota(launch().Limits)
	for q.Granted() < size {
		if _, err := q.Reserve(t.Context(), size-q.Granted()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Write(bytes.Repeat([]byte("x"), int(size))); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(q.Close(t.Context(), size), c.FinishStream(stream, plain, false), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestDirFollowsTheOrderOfTheContract(t *testing.T) {
	env := map[string]string{}
	getenv := func(k string) string { return env[k] }
	if _, err := Dir("", getenv); err == nil {
		t.Error("no HOME: want an error")
	}
	for _, step := range []struct{ key, value, want string }{
		{"HOME", "/home/u", "/home/u/.local/state/spool"},
		{"XDG_STATE_HOME", "relative", "/home/u/.local/state/spool"},
		{"XDG_STATE_HOME", "/state", "/state/spool"},
		{"SPOOL_DIR", "chosen", "chosen"},
	} {
		env[step.key] = step.value
		if got, err := Dir("", getenv); err != nil || got != step.want {
			t.Errorf("%s=%s: got %q, %v; want %q", step.key, step.value, got, err, step.want)
		}
	}
	if got, _ := Dir("given", getenv); got != "given" {
		t.Errorf("explicit: got %q", got)
	}
}

func TestBeginLeavesACaptureThatIsHeldAndPrivate(t *testing.T) {
	ns := newNamespace(t)
	c := begin(t, ns)
	if live, err := ns.live(t, c.ID()); err != nil || !live {
		t.Fatalf("live: %v, %v", live, err)
	}
	b, err := c.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if b.ID != c.ID() || !b.Owner.Is(int64(os.Geteuid())) || !b.BootID.IsSet() {
		t.Errorf("launch facts: %+v", b)
	}
	entries, err := c.Root().Entries()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Mode.Perm() != 0o600 {
			t.Errorf("%s: mode %o", e.Name, e.Mode.Perm())
		}
		if kind, _ := KindInCapture(e.Name); kind == NameUnknown {
			t.Errorf("%s: a name that no one knows", e.Name)
		}
	}
	if len(entries) != 2+2+6 {
		t.Errorf("%d entries", len(entries))
	}
	names, _ := ns.Root().Names()
	if len(names) != 3 { // and lock and allowance
		t.Errorf("namespace: %q", names)
	}
}

// live asks from outside, as another process would.
func (n *Namespace) live(t *testing.T, id format.ID) (bool, error) {
	t.Helper()
	c, err := n.Open(id)
	if err != nil {
		return false, err
	}
	defer c.Close()
	return c.Live()
}

func TestSeizeIsRefusedWhileHeldAndHoldWaitsForIt(t *testing.T) {
	ns := newNamespace(t)
	c := begin(t, ns)
	other, err := ns.Open(c.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Seize(); !errors.Is(err, fsafe.ErrLocked) {
		t.Fatalf("seize: %v", err)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	if err := other.Seize(); err != nil {
		t.Fatal(err)
	}
	held := make(chan error)
	go func() { held <- c.Hold(t.Context()) }()
	select {
	case err := <-held:
		t.Fatalf("held beside a collector: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	if err := other.Release(); err != nil {
		t.Fatal(err)
	}
	if err := <-held; err != nil {
		t.Fatal(err)
	}
}

func TestResolve(t *testing.T) {
	ns := newNamespace(t)
	pattern := func(s string) format.Pattern {
		p, err := format.ParsePattern(s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if _, err := ns.Resolve(pattern("latest")); !errors.Is(err, ErrNotFound) {
		t.Errorf("latest of none: %v", err)
	}
	var ids []format.ID
	for _, tail := range []string{"000000000000", "zzzzzzzzzzz0", "zzzzzzzzzzz1"} {
		b := launch()
		b.ID = format.ID("01kb000000" + "0000" + tail)
		c, err := ns.Begin(b)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		ids = append(ids, b.ID)
	}
	for in, want := range map[string]format.ID{
		"latest": ids[2], string(ids[0]): ids[0], string(ids[1]) + "/stdout": ids[1], "01kb0000000000zzzzzzzzzzz0": ids[1],
		"01kb00000000000": ids[0],
	} {
		got, err := ns.Resolve(pattern(in))
		if err != nil || got.ID != want {
			t.Errorf("%s: got %v, %v; want %s", in, got, err, want)
		}
	}
	_, err := ns.Resolve(pattern("01kb00"))
	var ambiguous *AmbiguousError
	if !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 3 {
		t.Errorf("ambiguous: %v", err)
	}
	for _, in := range []string{"7zzzzz", "7zzzzzzzzzzzzzzzzzzzzzzzzz"} {
		if _, err := ns.Resolve(pattern(in)); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestReportIsWrittenOnceAndNotAfterTheReceipt(t *testing.T) {
	c := begin(t, newNamespace(t))
	if _, err := c.Tee("stdout"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before: %v", err)
	}
	if err := c.WriteTee(tee("stdout")); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteTee(tee("stdout")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("twice: %v", err)
	}
	if r, err := c.Tee("stdout"); err != nil || !r.EOF {
		t.Errorf("read: %+v, %v", r, err)
	}
	if err := c.Publish(t.Context(), partial(c), true); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteTee(tee("stderr")); !errors.Is(err, ErrPublished) {
		t.Errorf("after the receipt: %v", err)
	}
	if err := c.Publish(t.Context(), partial(c), true); !errors.Is(err, ErrPublished) {
		t.Errorf("receipt twice: %v", err)
	}
	if _, err := c.CreateStream("stdout", plain); !errors.Is(err, ErrPublished) {
		t.Errorf("stream after the receipt: %v", err)
	}
	names, _ := c.Root().Names()
	if got := strings.Join(names, " "); got != "begin.json lock receipt.json" {
		t.Errorf("left: %s", got)
	}
}

func TestStreamHasOneWriterAndItsNameTellsItsState(t *testing.T) {
	c := begin(t, newNamespace(t))
	if _, err := c.OpenStream("stdout"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the first byte: %v", err)
	}
	f, err := c.CreateStream("stdout", plain)
	if err != nil {
		t.Fatal(err)
	}
	if alive, err := c.WriterAlive("stdout"); err != nil || !alive {
		t.Errorf("alive: %v, %v", alive, err)
	}
	if _, err := c.CreateStream("stdout", format.Some(format.Zstd)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second writer: %v", err)
	}
	s, err := c.OpenStream("stdout")
	if err != nil || !s.Live {
		t.Fatalf("live: %+v, %v", s, err)
	}
	s.Close()
	if err := c.FinishStream("stdout", plain, true); err != nil {
		t.Fatal(err)
	}
	f.Close()
	s, err = c.OpenStream("stdout")
	if err != nil || s.Live {
		t.Fatalf("final: %+v, %v", s, err)
	}
	s.Close()
	if alive, err := c.WriterAlive("stdout"); err != nil || alive {
		t.Errorf("alive after its end: %v, %v", alive, err)
	}
}

func TestDiscardLeavesNothing(t *testing.T) {
	ns := newNamespace(t)
	c := begin(t, ns)
	write(t, c, "stdout", 1000)
	if err := c.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	names, _ := ns.Root().Names()
	if got := strings.Join(names, " "); got != "allowance lock" {
		t.Errorf("left: %s", got)
	}
	if a := current(t, ns); a.total() != 0 || len(a.records) != 0 {
		t.Errorf("allowance: %+v", a)
	}
}

func TestClaimIsForOne(t *testing.T) {
	c := begin(t, newNamespace(t))
	if err := c.Claim("first"); err != nil {
		t.Fatal(err)
	}
	if err := c.Claim("second"); !errors.Is(err, ErrDelivered) {
		t.Errorf("second: %v", err)
	}
	if there, err := c.Delivered(); err != nil || !there {
		t.Errorf("delivered: %v, %v", there, err)
	}
}

func TestCursorRemembersPerStream(t *testing.T) {
	c := begin(t, newNamespace(t))
	for step, want := range []Position{{}, {1, 500}, {1, 7}} {
		k, err := c.Cursor(t.Context(), "ci")
		if err != nil {
			t.Fatal(err)
		}
		if p, _ := k.Position("stdout"); p != want {
			t.Errorf("step %d: got %+v, want %+v", step, p, want)
		}
		next := []Position{{1, 500}, {1, 7}, {2, 0}}[step]
		if err := errors.Join(k.Move("stdout", next), k.Move("stderr", Position{1, 3}), k.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{"", "..", "a/b", "A", "\n", strings.Repeat("a", 65)} {
		if _, err := c.Cursor(t.Context(), bad); err == nil {
			t.Errorf("consumer %q: want an error", bad)
		}
	}
}
