package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/internal/capture/capturetest"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// begin begins a capture; it is cared for until Release.
func begin(t *testing.T, ns *capture.Namespace, boot string) *capture.Capture {
	t.Helper()
	c, err := ns.Begin(format.Begin{
		Generation: 1, Streams: []string{format.Stdout}, BootID: format.SomeText(boot), Tool: capturetest.Tool(),
		Limits:   capturetest.Limits(),
		Upstream: format.Upstream{State: format.UpstreamUnknown},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// orphan is a capture of text whose writer died.
func orphan(t *testing.T, ns *capture.Namespace, text string) *capture.Capture {
	t.Helper()
	c := begin(t, ns, "")
	capturetest.Write(t, c, format.Stdout, text)
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	return c
}

// final is a final capture of text, published at that time, with that exit code.
func final(t *testing.T, ns *capture.Namespace, text string, at time.Time, code int64) *capture.Capture {
	t.Helper()
	c := orphan(t, ns, text)
	err := errors.Join(c.Hold(t.Context()), account.Settle(c, []string{format.Stdout}, false), c.WriteProcess(&format.ProcessFacts{
		Schema: format.ProcessSchema, Process: format.Process{State: format.ProcessExited, ExitCode: format.Some(code)}, Reasons: []format.Reason{},
	}))
	if err != nil {
		t.Fatal(err)
	}
	f, err := account.Gather(c, true)
	if err != nil {
		t.Fatal(err)
	}
	r := account.Fold(f, account.Options{Now: at, Tool: capturetest.Tool()})
	if err := errors.Join(c.Publish(t.Context(), r, false), c.Release()); err != nil {
		t.Fatal(err)
	}
	return c
}

// mustSweep sweeps, and returns "action name" of everything that was met.
func mustSweep(t *testing.T, ns *capture.Namespace, o Options) (*Report, []string) {
	t.Helper()
	o.Tool = capturetest.Tool()
	r, err := Sweep(t.Context(), ns, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, lines(r)
}

func lines(r *Report) []string {
	list := []string{}
	for _, i := range r.Items {
		list = append(list, string(i.Action)+" "+i.Name)
	}
	return list
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestSweepPublishesWhatACrashLeft(t *testing.T) {
	ns := capturetest.Namespace(t)
	c := orphan(t, ns, "one\ntwo")
	_, did := mustSweep(t, ns, Options{})
	if want := []string{"published " + string(c.ID())}; !slices.Equal(did, want) {
		t.Fatalf("want %q; got %q", want, did)
	}
	r, err := c.Receipt()
	if err != nil {
		t.Fatal(err)
	}
	s := r.Streams[format.Stdout]
	if r.Capture.State != format.CapturePartial || !slices.Equal(r.Capture.Reasons, []format.Reason{format.ReasonCrash}) ||
		r.Process.State != format.ProcessUnknown || s.Raw != (format.RawCounts{}) || !s.Representation.RetainedEnd.Is(7) || !s.Lines.Is(1) ||
		s.FinalNewline.Or(true) || !s.SHA256.IsSet() || s.EOF.IsSet() {
		t.Errorf("%+v", r)
	}
	if got, want := names(t, c.Path()), []string{"begin.json", "lock", "receipt.json", "stdout"}; !slices.Equal(got, want) {
		t.Errorf("left: %q, want %q", got, want)
	}
	if _, did := mustSweep(t, ns, Options{}); len(did) > 0 {
		t.Errorf("a second sweep still finds %q", did)
	}
}

func TestSweepKnowsTheLivingByTheirLockAlone(t *testing.T) {
	ns := capturetest.Namespace(t)
	c := begin(t, ns, "a boot that is over")
	r, did := mustSweep(t, ns, Options{})
	if len(did) > 0 || r.Live != 1 {
		t.Errorf("a capture that is cared for: %q, live %d", did, r.Live)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	// Nobody holds it any more. The boot is over, so the grace is waived.
	if _, did := mustSweep(t, ns, Options{Grace: time.Hour}); len(did) != 1 {
		t.Errorf("of a boot that is over: %q", did)
	}
	if got, err := c.Receipt(); err != nil || got.Capture.State != format.CaptureFailed {
		t.Errorf("a capture that died before it had a stream has failed; got %+v, %v", got, err)
	}
}

func TestSweepGivesGraceByTheLastChange(t *testing.T) {
	ns := capturetest.Namespace(t)
	c := orphan(t, ns, "x")
	r, did := mustSweep(t, ns, Options{Grace: time.Minute})
	if len(did) > 0 || r.Young != 1 {
		t.Fatalf("within the grace: %q, young %d", did, r.Young)
	}
	later := func() time.Time { return time.Now().Add(61 * time.Second) }
	if _, did := mustSweep(t, ns, Options{Grace: time.Minute, Now: later}); len(did) != 1 {
		t.Errorf("behind the grace: %q", did)
	}
	if _, err := c.Receipt(); err != nil {
		t.Error(err)
	}
}

func TestSweepLeavesAStreamThatIsBeingWritten(t *testing.T) {
	ns := capturetest.Namespace(t)
	c := begin(t, ns, "")
	f, err := c.CreateStream(format.Stdout, capturetest.Plain())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	if r, did := mustSweep(t, ns, Options{}); len(did) > 0 || r.Live != 1 {
		t.Errorf("%q, live %d", did, r.Live)
	}
}

func TestSweepNeverCallsACrashComplete(t *testing.T) {
	// All reports are there, and all of them fit: only finish was missing.
	ns := capturetest.Namespace(t)
	c := begin(t, ns, "")
	f, err := c.CreateStream(format.Stdout, capturetest.Plain())
	if err != nil {
		t.Fatal(err)
	}
	zero := format.Known(0)
	nothing, err := account.Read(strings.NewReader(""))
	err = errors.Join(err, c.FinishStream(format.Stdout, capturetest.Plain(), false), f.Close(), c.WriteRedact(&format.RedactReport{
		Schema: format.RedactSchema, Stream: format.Stdout, EOF: true, Kind: format.KindRedacted, Transforms: []string{"redacted"},
		Raw: format.RawCounts{Observed: zero, Accepted: zero, Pending: zero, Discarded: zero}, Emitted: zero,
		Redactions: map[string]int64{}, Omissions: format.Omissions{Spans: zero, Bytes: zero}, Replaced: zero, Tool: capturetest.Tool(),
	}), c.WriteTee(&format.TeeReport{
		Schema: format.TeeSchema, Stream: format.Stdout, EOF: true, Observed: zero,
		Counts:    format.StreamCounts{Emitted: zero, Committed: zero, Refused: zero, RetainedStart: zero, RetainedEnd: zero},
		Forwarded: zero, Lines: zero, FinalNewline: format.Some(true), SHA256: format.Some(nothing.SHA256), Reasons: []format.Reason{}, Tool: capturetest.Tool(),
	}), c.Release())
	if err != nil {
		t.Fatal(err)
	}
	mustSweep(t, ns, Options{})
	r, err := c.Receipt()
	if err != nil || r.Capture.State != format.CapturePartial || !r.Streams[format.Stdout].Raw.Observed.Is(0) || !r.Streams[format.Stdout].EOF.Or(false) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSweepRemovesWhatWasOfAMoment(t *testing.T) {
	ns := capturetest.Namespace(t)
	id := format.ID("01kb3tq0n8e7vhw2c5rj9mxyz4")
	other := format.ID("01kb3tq0n8e7vhw2c5rj9mxyz5")
	temp := fsafe.TempName()
	old := time.Now().Add(-time.Hour)
	err := errors.Join(
		os.MkdirAll(filepath.Join(ns.Path(), capture.PendingName(id)), 0o700),
		os.MkdirAll(filepath.Join(ns.Path(), capture.DeletedName(id), "cursors"), 0o700),
		os.WriteFile(filepath.Join(ns.Path(), capture.DeletedName(id), "stdout"), []byte("x"), 0o600),
		os.MkdirAll(filepath.Join(ns.Path(), string(other)), 0o700), // no begin.json
		os.WriteFile(filepath.Join(ns.Path(), temp), nil, 0o600), os.Chtimes(filepath.Join(ns.Path(), temp), old, old),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"removed " + capture.DeletedName(id), "removed " + capture.PendingName(id), "removed " + temp, "removed " + string(other)}
	_, dry := mustSweep(t, ns, Options{DryRun: true})
	if slices.Sort(dry); !slices.Equal(dry, want) {
		t.Errorf("would have: %q, want %q", dry, want)
	}
	_, did := mustSweep(t, ns, Options{})
	if slices.Sort(did); !slices.Equal(did, want) {
		t.Errorf("did: %q, want %q", did, want)
	}
	if got, want := names(t, ns.Path()), []string{"allowance", "lock"}; !slices.Equal(got, want) {
		t.Errorf("left: %q, want %q", got, want)
	}
}

func TestSweepDryRunChangesNothing(t *testing.T) {
	ns := capturetest.Namespace(t)
	c := orphan(t, ns, "x")
	before := names(t, c.Path())
	r, did := mustSweep(t, ns, Options{DryRun: true})
	if !r.DryRun || len(did) != 1 {
		t.Errorf("%+v", r)
	}
	if got := names(t, c.Path()); !slices.Equal(got, before) {
		t.Errorf("%q became %q", before, got)
	}
}

func TestSweepLeavesAndTellsWhatIsForeign(t *testing.T) {
	ns := capturetest.Namespace(t)
	c := orphan(t, ns, "x")
	elsewhere := t.TempDir()
	link := "01kb3tq0n8e7vhw2c5rj9mxyz4"
	file := "01kb3tq0n8e7vhw2c5rj9mxyz5"
	deleted := capture.DeletedName("01kb3tq0n8e7vhw2c5rj9mxyz6")
	err := errors.Join(
		os.Symlink(elsewhere, filepath.Join(ns.Path(), link)),
		os.WriteFile(filepath.Join(ns.Path(), file), nil, 0o600),
		os.WriteFile(filepath.Join(ns.Path(), "a\nb"), nil, 0o600),
		os.WriteFile(filepath.Join(c.Path(), "notes"), nil, 0o600),
		os.WriteFile(filepath.Join(elsewhere, "precious"), nil, 0o600),
		os.Mkdir(filepath.Join(ns.Path(), deleted), 0o700),
		os.WriteFile(filepath.Join(ns.Path(), deleted, "notes"), nil, 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, did := mustSweep(t, ns, Options{})
		for _, want := range []string{"left " + link, "left " + file, `left "a\nb"`, "left " + string(c.ID()) + `/"notes"`, `left "` + deleted + `"`} {
			if !slices.Contains(did, want) {
				t.Errorf("no %q in %q", want, did)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "precious")); err != nil {
		t.Errorf("followed a link: %v", err)
	}
	if _, err := c.Receipt(); err != nil {
		t.Errorf("a stray kept the capture from its receipt: %v", err)
	}
}

func TestSweepFinishesAPublicationThatWasCutOff(t *testing.T) {
	ns := capturetest.Namespace(t)
	c := final(t, ns, "x\n", time.Now(), 0)
	for _, name := range []string{"process.json", ".reserved-receipt.json", "stdout.tee.json"} {
		if err := os.WriteFile(filepath.Join(c.Path(), name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, did := mustSweep(t, ns, Options{}); len(did) != 3 {
		t.Errorf("%q", did)
	}
	if got, want := names(t, c.Path()), []string{"begin.json", "lock", "receipt.json", "stdout"}; !slices.Equal(got, want) {
		t.Errorf("left: %q, want %q", got, want)
	}
}

func TestSweepTellsADamagedFileAndGoesOn(t *testing.T) {
	ns := capturetest.Namespace(t)
	bad, good := orphan(t, ns, "x"), orphan(t, ns, "y")
	if err := os.WriteFile(filepath.Join(bad.Path(), "begin.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Sweep(t.Context(), ns, Options{Tool: capturetest.Tool()})
	if err == nil || !strings.Contains(err.Error(), string(bad.ID())) {
		t.Errorf("want the damaged capture named; got %v", err)
	}
	if !slices.Contains(lines(r), "published "+string(good.ID())) {
		t.Errorf("the other one was forgotten: %q", lines(r))
	}
	if _, err := bad.Receipt(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a damaged capture was promoted: %v", err)
	}
}

func TestManySweepsPublishOnce(t *testing.T) {
	ns := capturetest.Namespace(t)
	for range 20 {
		orphan(t, ns, "some text\n")
	}
	published := make(chan int)
	for range 4 {
		go func() {
			own, err := capture.OpenNamespace(ns.Path())
			if err != nil {
				t.Error(err)
				published <- 0
				return
			}
			defer own.Close()
			r, err := Sweep(context.Background(), own, Options{Tool: capturetest.Tool()})
			if err != nil {
				t.Error(err)
			}
			published <- len(r.Items)
		}()
	}
	sum := 0
	for range 4 {
		sum += <-published
	}
	if sum != 20 {
		t.Errorf("20 captures were published %d times", sum)
	}
}

func TestReportIsJSON(t *testing.T) {
	data, err := json.Marshal(&newSweeper(nil, Options{}).report)
	if want := `{"dry_run":false,"items":[],"live":0,"young":0,"bytes":0}`; err != nil || string(data) != want {
		t.Errorf("want %s; got %s, %v", want, data, err)
	}
}
