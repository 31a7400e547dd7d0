package receipt

import (
	"context"
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
)

func begin(t *testing.T, ns *capture.Namespace, streams ...string) *capture.Capture {
	t.Helper()
	if len(streams) == 0 {
		streams = []string{format.Stdout}
	}
	c, err := Begin(ns, BeginOptions{
		Args: []string{"make", "test"}, Streams: streams, Tool: capturetest.Tool(),
		Limits: capturetest.Limits(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// write leaves what a redact and a tee leave of text.
func write(t *testing.T, c *capture.Capture, stream, text string) {
	t.Helper()
	capturetest.Write(t, c, stream, text)
	if err := c.FinishStream(stream, capturetest.Plain(), false); err != nil {
		t.Fatal(err)
	}
	got, err := account.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	n, zero := format.Known(got.Size), format.Known(0)
	err = errors.Join(c.WriteRedact(redactReport(stream, n)), c.WriteTee(&format.TeeReport{
		Schema: format.TeeSchema, Stream: stream, EOF: true, Observed: n,
		Counts:    format.StreamCounts{Emitted: n, Committed: n, Refused: zero, RetainedStart: zero, RetainedEnd: n},
		Forwarded: n, Lines: format.Known(got.Lines), FinalNewline: format.Some(got.FinalNewline), SHA256: format.Some(got.SHA256),
		Limits: capturetest.Limits(), Reasons: []format.Reason{}, Tool: capturetest.Tool(),
	}))
	if err != nil {
		t.Fatal(err)
	}
}

func redactReport(stream string, n format.Count) *format.RedactReport {
	zero := format.Known(0)
	return &format.RedactReport{
		Schema: format.RedactSchema, Stream: stream, EOF: true, Kind: format.KindRedacted, Transforms: []string{"redacted"},
		Raw: format.RawCounts{Observed: n, Accepted: n, Pending: zero, Discarded: zero}, Emitted: n,
		Redactions: map[string]int64{}, Omissions: format.Omissions{Spans: zero, Bytes: zero}, Replaced: zero, Tool: capturetest.Tool(),
	}
}

func TestLabelIsSanitizedPieceByPieceAndWhole(t *testing.T) {
	hide := func(s string) string {
		if s == "hunter2-whole" {
			return "[REDACTED:literal]"
		}
		return strings.ReplaceAll(s, "--password next", "--password [REDACTED:flag]")
	}
	for _, tt := range []struct {
		name string
		o    BeginOptions
		want format.Opt[string]
	}{
		{"command line", BeginOptions{Args: []string{"make", "test"}}, format.Some("make test")},
		{"an argument that is a secret", BeginOptions{Args: []string{"x", "hunter2-whole"}}, format.Some("x [REDACTED:literal]")},
		{"an argument that announces one", BeginOptions{Args: []string{"x", "--password", "next"}}, format.Some("x --password [REDACTED:flag]")},
		{"own words", BeginOptions{Args: []string{"x"}, Label: "--password next"}, format.Some("--password [REDACTED:flag]")},
		{"none wanted", BeginOptions{Args: []string{"x"}, Label: "y", NoLabel: true}, format.None[string]()},
		{"nothing to say", BeginOptions{}, format.None[string]()},
		{"control characters", BeginOptions{Label: "a\x1b[31mb\nc"}, format.Some("a [31mb c")},
	} {
		tt.o.Sanitize = hide
		if got := tt.o.facts().Label; got != tt.want {
			t.Errorf("%s: want %v; got %v", tt.name, tt.want, got)
		}
	}
}

func TestLabelIsRedactedBeforeItIsCut(t *testing.T) {
	secret := strings.Repeat("s", 40)
	o := BeginOptions{
		Label:    strings.Repeat("x", format.MaxLabel-10) + secret,
		Sanitize: func(s string) string { return strings.ReplaceAll(s, secret, "[R]") },
	}
	got := o.facts().Label.Or("")
	if strings.Contains(got, "ss") || !strings.HasSuffix(got, "[R]") {
		t.Errorf("a piece of the secret is left: %q", got)
	}
}

func TestFinishPublishesOnceAndFoldsReports(t *testing.T) {
	ctx := t.Context()
	c := begin(t, capturetest.Namespace(t))
	write(t, c, format.Stdout, "one\ntwo\n")
	if err := Process(ctx, c, ProcessOptions{Exit: format.Some(int64(3))}); err != nil {
		t.Fatal(err)
	}
	r, already, err := Finish(ctx, c, FinishOptions{})
	if err != nil || already {
		t.Fatal(err, already)
	}
	if r.Capture.State != format.CaptureComplete || !r.Process.ExitCode.IsSet() || r.Label.Or("") != "make test" || r.Tool != capturetest.Tool() {
		t.Errorf("%+v", r)
	}
	got, err := c.Receipt()
	if err != nil || got.PublishedAt != r.PublishedAt {
		t.Errorf("what lies there is %+v, %v", got, err)
	}
	again, already, err := Finish(ctx, c, FinishOptions{})
	if err != nil || !already || again.PublishedAt != r.PublishedAt {
		t.Errorf("twice: %v, %v, %v", again, already, err)
	}
	left, err := os.ReadDir(c.Path())
	names := []string{}
	for _, e := range left {
		names = append(names, e.Name())
	}
	if want := []string{"begin.json", "lock", "receipt.json", "stdout"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("left: %q, want %q", names, want)
	}
}

func TestFinishRefusesWhileAWriterLives(t *testing.T) {
	ctx := t.Context()
	c := begin(t, capturetest.Namespace(t))
	f, err := c.CreateStream(format.Stdout, capturetest.Plain())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Finish(ctx, c, FinishOptions{}); !errors.Is(err, account.ErrWriting) {
		t.Fatalf("want ErrWriting; got %v", err)
	}
	if _, err := c.Receipt(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a receipt of a live stream: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	r, _, err := Finish(ctx, c, FinishOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []format.Reason{format.ReasonStageLost}; r.Capture.State != format.CapturePartial || !slices.Equal(r.Capture.Reasons, want) {
		t.Errorf("a dead writer: %+v", r.Capture)
	}
	if _, err := os.Stat(filepath.Join(c.Path(), format.Stdout)); err != nil {
		t.Errorf("the stream has no final name: %v", err)
	}
}

func TestFinishCutsATornCharacterOfText(t *testing.T) {
	for _, tt := range []struct {
		kind       format.Kind
		transforms []string
		want       string
	}{
		{format.KindRedacted, []string{"redacted"}, "a"},
		{format.KindBinary, []string{}, "a\xe2\x80"},
	} {
		c := begin(t, capturetest.Namespace(t))
		f, err := c.CreateStream(format.Stdout, capturetest.Plain())
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("a\xe2\x80")
		report := redactReport(format.Stdout, format.Known(4))
		report.Kind, report.Transforms = tt.kind, tt.transforms
		if err := errors.Join(err, f.Close(), c.WriteRedact(report)); err != nil {
			t.Fatal(err)
		}
		r, _, err := Finish(t.Context(), c, FinishOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(c.Path(), format.Stdout))
		if err != nil || string(got) != tt.want || !r.Streams[format.Stdout].Representation.Committed.Is(int64(len(tt.want))) {
			t.Errorf("%s: file %q, receipt %+v, %v", tt.kind, got, r.Streams[format.Stdout].Representation, err)
		}
	}
}

func TestFinishTakesADamagedReportForAMissingOne(t *testing.T) {
	c := begin(t, capturetest.Namespace(t))
	write(t, c, format.Stdout, "x\n")
	if err := os.WriteFile(filepath.Join(c.Path(), "stdout.redact.json"), []byte(`{"schema":"spool.redact/v1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var faults []error
	r, _, err := Finish(t.Context(), c, FinishOptions{Warn: func(err error) { faults = append(faults, err) }})
	if err != nil {
		t.Fatal(err)
	}
	if r.Capture.State != format.CapturePartial || r.Representation.Kind.Or("") != format.KindDecoded || len(faults) != 1 {
		t.Errorf("%+v, %+v, faults %v", r.Capture, r.Representation, faults)
	}
}

func TestShowMakesUpWhatIsNotPublished(t *testing.T) {
	ctx := t.Context()
	ns := capturetest.Namespace(t)
	c := begin(t, ns)
	f, err := c.CreateStream(format.Stdout, capturetest.Plain())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("half"); err != nil {
		t.Fatal(err)
	}
	other, err := ns.Open(c.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	r, err := Show(ctx, other)
	if err != nil {
		t.Fatal(err)
	}
	counts := r.Streams[format.Stdout].Representation
	if r.Process.State != format.ProcessRunning || r.Capture.State != format.CapturePending || r.PublishedAt.IsKnown() ||
		!counts.Committed.Is(4) || counts.Emitted.IsKnown() || counts.Refused.IsKnown() || r.Final() {
		t.Errorf("cared for: %+v", r)
	}
	if err := errors.Join(c.Release(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if r, err = Show(ctx, other); err != nil || r.Process.State != format.ProcessUnknown || r.Capture.State != format.CapturePending {
		t.Errorf("cared for by nobody: %+v, %v", r, err)
	}
	if err := Process(ctx, c, ProcessOptions{Signal: "kill"}); err != nil {
		t.Fatal(err)
	}
	if r, err = Show(ctx, other); err != nil || r.Process.State != format.ProcessExited || r.Process.Signal.Or("") != "SIGKILL" {
		t.Errorf("with its end recorded: %+v, %v", r, err)
	}
}

func TestProcessIsRecordedOnce(t *testing.T) {
	c := begin(t, capturetest.Namespace(t))
	if err := Process(t.Context(), c, ProcessOptions{Exit: format.Some(int64(0))}); err != nil {
		t.Fatal(err)
	}
	if err := Process(t.Context(), c, ProcessOptions{Exit: format.Some(int64(1))}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("want it refused; got %v", err)
	}
}

func TestWriteEmptyMakesACompleteStream(t *testing.T) {
	c := begin(t, capturetest.Namespace(t), format.Stdout, format.Stderr)
	write(t, c, format.Stdout, "x")
	err := errors.Join(WriteEmpty(t.Context(), c, format.Stderr), c.WriteRedact(redactReport(format.Stderr, format.Known(0))))
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := Finish(t.Context(), c, FinishOptions{})
	if err != nil || r.Capture.State != format.CaptureComplete {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestInlineKeepsNothingAndSaysSo(t *testing.T) {
	at := time.Date(2026, 11, 30, 21, 45, 1, 0, time.UTC)
	r, err := Inline(InlineOptions{
		Begin: BeginOptions{
			Args: []string{"printf", "hi"}, Streams: []string{format.Stdout, format.Stderr}, Tool: capturetest.Tool(),
			Now: func() time.Time { return at },
		},
		Redact: map[string]*format.RedactReport{format.Stdout: redactReport(format.Stdout, format.Known(2))},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Streams[format.Stdout]
	if r.Capture.State != format.CaptureDisabled || s.Ref.IsSet() || !s.Representation.Committed.Is(0) || !s.Raw.Observed.Is(2) ||
		r.Streams[format.Stderr].Raw.Observed.IsKnown() {
		t.Errorf("%+v", r)
	}
	if _, err := Inline(InlineOptions{Begin: BeginOptions{Streams: []string{"stdin"}, Tool: capturetest.Tool()}}); err == nil {
		t.Error("a stream that is none was taken")
	}
}

func TestTwoFinishersPublishOnce(t *testing.T) {
	ns := capturetest.Namespace(t)
	for range 20 {
		c := begin(t, ns)
		write(t, c, format.Stdout, "x\n")
		type result struct {
			already bool
			err     error
		}
		results := make(chan result)
		for range 2 {
			go func() {
				other, err := ns.Open(c.ID())
				if err != nil {
					results <- result{err: err}
					return
				}
				defer other.Close()
				_, already, err := Finish(context.Background(), other, FinishOptions{NoSync: true})
				results <- result{already, err}
			}()
		}
		a, b := <-results, <-results
		if a.err != nil || b.err != nil || a.already == b.already {
			t.Fatalf("%+v, %+v", a, b)
		}
	}
}
