package account

import (
	"slices"
	"testing"
	"time"

	"spool/pkg/format"
)

const testID = format.ID("01kb3tq0n8e7vhw2c5rj9mxyz4")

var (
	published = time.Date(2026, 11, 30, 21, 45, 2, 0, time.UTC)
	tool      = format.Tool{Name: "spool", Version: "test"}
	limits    = format.Limits{CaptureBytes: 32 << 20, NamespaceBytes: 128 << 20}
)

// someHash is the SHA-256 of nothing in particular.
const someHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// whole returns the facts of a capture in which all went well: one stream of
// ten bytes.
func whole() Facts {
	return Facts{
		Begin: &format.Begin{
			Schema: format.BeginSchema, ID: testID, Generation: 1, Label: format.Some("make test"),
			CreatedAt: format.At(published), Streams: []string{format.Stdout}, Limits: limits,
			Upstream: format.Upstream{State: format.UpstreamUnknown}, Tool: tool,
		},
		Process: &format.ProcessFacts{
			Schema:  format.ProcessSchema,
			Process: format.Process{State: format.ProcessExited, ExitCode: format.Some(int64(0))},
			Reasons: []format.Reason{},
		},
		Streams: map[string]StreamFacts{format.Stdout: wholeStream(format.Stdout)},
	}
}

func wholeStream(name string) StreamFacts {
	ten := format.Known(10)
	return StreamFacts{
		Redact: &format.RedactReport{
			Schema: format.RedactSchema, Stream: name, EOF: true, Kind: format.KindRedacted,
			Transforms: []string{"ansi-stripped", "redacted"},
			Raw:        format.RawCounts{Observed: ten, Accepted: ten, Pending: format.Known(0), Discarded: format.Known(0)},
			Emitted:    ten, Redactions: map[string]int64{},
			Omissions: format.Omissions{Spans: format.Known(0), Bytes: format.Known(0)}, Replaced: format.Known(0), Tool: tool,
		},
		Tee: &format.TeeReport{
			Schema: format.TeeSchema, Stream: name, EOF: true, Observed: ten,
			Counts:    format.StreamCounts{Emitted: ten, Committed: ten, Refused: format.Known(0), RetainedStart: format.Known(0), RetainedEnd: ten},
			Forwarded: ten, Lines: format.Known(1), FinalNewline: format.Some(true), SHA256: format.Some(someHash),
			Limits: limits, Reasons: []format.Reason{}, Tool: tool,
		},
		Preview: &format.PreviewReport{
			Schema: format.PreviewSchema, Stream: name, EOF: true, Observed: ten, Head: "123456789\n", HeadEnd: ten,
			TailStart: ten, Returned: ten, Omitted: format.Known(0), Tool: tool,
		},
		File: &Retained{Size: 10},
	}
}

// edit returns the facts of whole with its stream changed.
func edit(change func(*StreamFacts)) Facts {
	f := whole()
	s := f.Streams[format.Stdout]
	change(&s)
	f.Streams[format.Stdout] = s
	return f
}

func refuse(s *StreamFacts, kept int64, why ...format.Reason) {
	s.Tee.Counts.Committed, s.Tee.Counts.RetainedEnd = format.Known(kept), format.Known(kept)
	s.Tee.Counts.Refused = format.Known(10 - kept)
	s.Tee.Reasons = why
	s.File.Size = kept
}

func content(size int64, text bool) *Content {
	return &Content{Size: size, FinalNewline: true, SHA256: someHash, UTF8: text}
}

func TestFoldDecidesTheState(t *testing.T) {
	const part, failed = format.CapturePartial, format.CaptureFailed
	for _, tt := range []struct {
		name    string
		facts   Facts
		crashed bool
		state   format.CaptureState
		reasons []format.Reason
	}{
		{"all in order", whole(), false, format.CaptureComplete, []format.Reason{}},
		{"a missing preview costs nothing", edit(func(s *StreamFacts) { s.Preview = nil }), false, format.CaptureComplete, []format.Reason{}},
		{"no report of redact", edit(func(s *StreamFacts) { s.Redact = nil; s.File.Content = content(10, true) }), false, part, []format.Reason{"stage-lost"}},
		{"no report of tee", edit(func(s *StreamFacts) { s.Tee = nil; s.File.Content = content(10, true) }), false, part, []format.Reason{"stage-lost"}},
		{"no report at all", edit(func(s *StreamFacts) { *s = StreamFacts{} }), false, part, []format.Reason{"stage-lost"}},
		{"emitted more than observed", edit(func(s *StreamFacts) { s.Redact.Emitted = format.Known(11) }), false, part, []format.Reason{"stage-lost"}},
		{"emitted less than observed", edit(func(s *StreamFacts) { s.Redact.Emitted = format.Known(9) }), false, part, []format.Reason{"stage-lost"}},
		{"emitted unknown", edit(func(s *StreamFacts) { s.Redact.Emitted = format.Unknown() }), false, part, []format.Reason{"stage-lost"}},
		{"no end of input at redact", edit(func(s *StreamFacts) { s.Redact.EOF = false }), false, part, []format.Reason{"stage-lost"}},
		{"no end of input at tee", edit(func(s *StreamFacts) { s.Tee.EOF = false }), false, part, []format.Reason{"stage-lost"}},
		{
			"input failed", edit(func(s *StreamFacts) { s.Redact.EOF = false; s.Redact.Error = format.Some("read: input/output error") }), false, part,
			[]format.Reason{"stage-lost: read: input/output error"},
		},
		{"raw bytes discarded", edit(func(s *StreamFacts) {
			s.Redact.Raw.Observed, s.Redact.Raw.Discarded = format.Known(12), format.Known(2)
		}), false, part, []format.Reason{"stage-lost"}},
		{"quota", edit(func(s *StreamFacts) { refuse(s, 4, format.ReasonQuotaCapture) }), false, part, []format.Reason{"quota-capture"}},
		{"quota that kept nothing", edit(func(s *StreamFacts) { refuse(s, 0, format.ReasonQuotaNamespace) }), false, part, []format.Reason{"quota-namespace"}},
		{"disk full after four bytes", edit(func(s *StreamFacts) { refuse(s, 4, format.ReasonNoSpace) }), false, part, []format.Reason{"no-space"}},
		{"disk full from the start", edit(func(s *StreamFacts) { refuse(s, 0, format.ReasonNoSpace) }), false, failed, []format.Reason{"no-space"}},
		{"disk so full that there is no file", edit(func(s *StreamFacts) { refuse(s, 0, format.ReasonNoSpace); s.File = nil }), false, failed, []format.Reason{"no-space"}},
		{"the file is gone", edit(func(s *StreamFacts) { s.File = nil }), false, failed, []format.Reason{"write-error: stdout: the file is gone or damaged"}},
		{
			"the file is short", edit(func(s *StreamFacts) { s.File.Size = 9; s.File.Content = content(9, true) }), false, part,
			[]format.Reason{"write-error: stdout: the file holds 9 bytes, but 10 were committed"},
		},
		{
			"the file is long", edit(func(s *StreamFacts) { s.File.Size = 11; s.File.Content = content(11, true) }), false, part,
			[]format.Reason{"write-error: stdout: the file holds 11 bytes, but 10 were committed"},
		},
		{"a crash, all reports there", whole(), true, part, []format.Reason{"crash"}},
		{"a crash before the reports", edit(func(s *StreamFacts) { *s = StreamFacts{File: s.File}; s.File.Content = content(10, true) }), true, part, []format.Reason{"crash"}},
		{"a crash before the first byte", edit(func(s *StreamFacts) { *s = StreamFacts{File: &Retained{Content: content(0, true)}} }), true, part, []format.Reason{"crash"}},
		{"a crash before there was a file", edit(func(s *StreamFacts) { *s = StreamFacts{} }), true, failed, []format.Reason{"crash"}},
		{"a crash after a full quota", edit(func(s *StreamFacts) { refuse(s, 4, format.ReasonQuotaCapture) }), true, part, []format.Reason{"crash", "quota-capture"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Fold(tt.facts, Options{Now: published, Tool: tool, Crashed: tt.crashed})
			if err := r.Check(); err != nil {
				t.Fatal(err)
			}
			if r.Capture.State != tt.state || !slices.Equal(r.Capture.Reasons, tt.reasons) {
				t.Errorf("want %s %q; got %s %q", tt.state, tt.reasons, r.Capture.State, r.Capture.Reasons)
			}
		})
	}
}

func TestFoldTakesReasonsOfProcessAndUpstream(t *testing.T) {
	f := edit(func(s *StreamFacts) { s.Redact.EOF = false })
	f.Process.Reasons = []format.Reason{format.ReasonDrainTimeout}
	f.Begin.Upstream = format.Upstream{State: format.UpstreamTruncated, Note: format.Some("clipped")}
	got := Fold(f, Options{Now: published, Tool: tool})
	want := []format.Reason{format.ReasonDrainTimeout, format.ReasonUpstream}
	if got.Capture.State != format.CapturePartial || !slices.Equal(got.Capture.Reasons, want) {
		t.Errorf("want partial %q; got %s %q", want, got.Capture.State, got.Capture.Reasons)
	}
}

func TestFoldHearsEveryTee(t *testing.T) {
	f := whole()
	f.Begin.Streams = []string{format.Stdout, format.Stderr}
	full, other := wholeStream(format.Stdout), wholeStream(format.Stderr)
	refuse(&full, 4, format.ReasonQuotaCapture)
	refuse(&other, 0, format.ReasonQuotaCapture)
	other.Tee.Limits.CaptureBytes = format.Unlimited
	f.Streams = map[string]StreamFacts{format.Stdout: full, format.Stderr: other}
	r := Fold(f, Options{Now: published, Tool: tool})
	if want := []format.Reason{format.ReasonQuotaCapture}; !slices.Equal(r.Capture.Reasons, want) {
		t.Errorf("want %q once; got %q", want, r.Capture.Reasons)
	}
	if r.Limits.CaptureBytes != format.Unlimited || r.Limits.NamespaceBytes != limits.NamespaceBytes {
		t.Errorf("want the larger bound of each; got %+v", r.Limits)
	}
}

func TestFoldNamesTheKindThatPromisesLeast(t *testing.T) {
	withStderr := func(change func(*StreamFacts)) Facts {
		f := whole()
		s := wholeStream(format.Stderr)
		change(&s)
		f.Begin.Streams = []string{format.Stdout, format.Stderr}
		f.Streams[format.Stderr] = s
		return f
	}
	for _, tt := range []struct {
		name       string
		facts      Facts
		kind       format.Opt[format.Kind]
		encoding   format.Opt[string]
		transforms []string
	}{
		{"redact's word", whole(), format.Some(format.KindRedacted), format.Some("utf-8"), []string{"ansi-stripped", "redacted"}},
		{
			"one stream raw", withStderr(func(s *StreamFacts) { s.Redact.Kind, s.Redact.Transforms = format.KindBinary, []string{} }),
			format.Some(format.KindBinary), format.None[string](),
			[]string{"ansi-stripped"},
		},
		{
			"one stream without redact, text", withStderr(func(s *StreamFacts) { s.Redact = nil; s.File.Content = content(10, true) }),
			format.Some(format.KindDecoded), format.Some("utf-8"),
			[]string{"ansi-stripped"},
		},
		{
			"one stream without redact, bytes", withStderr(func(s *StreamFacts) { s.Redact = nil; s.File.Content = content(10, false) }),
			format.Some(format.KindBinary), format.None[string](),
			[]string{"ansi-stripped"},
		},
		{
			"one stream of nothing", withStderr(func(s *StreamFacts) { *s = StreamFacts{} }),
			format.Some(format.KindRedacted), format.Some("utf-8"),
			[]string{"ansi-stripped", "redacted"},
		},
		{"nothing at all", edit(func(s *StreamFacts) { *s = StreamFacts{} }), format.None[format.Kind](), format.None[string](), []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Fold(tt.facts, Options{Now: published, Tool: tool}).Representation
			if got.Kind != tt.kind || got.Encoding != tt.encoding || !slices.Equal(got.Transforms, tt.transforms) {
				t.Errorf("want %v %v %q; got %v %v %q", tt.kind, tt.encoding, tt.transforms, got.Kind, got.Encoding, got.Transforms)
			}
		})
	}
}

func TestFoldKeepsUnknownUnknown(t *testing.T) {
	f := edit(func(s *StreamFacts) { s.Redact = nil; s.File.Content = content(10, true) })
	f.Process = nil
	r := Fold(f, Options{Now: published, Tool: tool})
	s := r.Streams[format.Stdout]
	if s.EOF.IsSet() || s.Raw != (format.RawCounts{}) || s.Redactions.IsSet() || s.Replaced.IsKnown() || s.Omissions != (format.Omissions{}) {
		t.Errorf("without redact's report all of its counts are unknown; got %+v", s)
	}
	if r.Process.State != format.ProcessUnknown || r.StartedAt.IsKnown() || r.EndedAt.IsKnown() {
		t.Errorf("without process.json the process is unknown; got %+v", r.Process)
	}
	f = edit(func(s *StreamFacts) { *s = StreamFacts{Preview: s.Preview} })
	r = Fold(f, Options{Now: published, Tool: tool})
	s = r.Streams[format.Stdout]
	if s.Representation.Emitted.IsKnown() || s.Representation.Refused.IsKnown() || s.SHA256.IsSet() || s.Ref.IsSet() {
		t.Errorf("without reports and file nothing is known but that nothing is kept; got %+v", s)
	}
	if r.Preview.Streams[format.Stdout].Omitted.IsKnown() || r.Preview.State.IsSet() {
		t.Errorf("without a count of what was emitted, what the preview omitted is unknown; got %+v", r.Preview)
	}
}

func TestFoldHoldsThePreviewAgainstTheStreams(t *testing.T) {
	shown := func(n int64) format.Opt[format.Preview] {
		return format.Some(format.Preview{
			State: format.Some(format.PreviewComplete), Chars: format.Known(n), Bytes: format.Known(n),
			Streams: map[string]format.PreviewCounts{format.Stdout: {Returned: format.Known(n), Omitted: format.Known(0)}},
		})
	}
	for _, tt := range []struct {
		name    string
		shown   format.Opt[format.Preview]
		state   format.Opt[format.PreviewState]
		omitted format.Count
	}{
		{"from the report", format.None[format.Preview](), format.Some(format.PreviewComplete), format.Known(0)},
		{"all shown", shown(10), format.Some(format.PreviewComplete), format.Known(0)},
		{"less arrived than was emitted", shown(7), format.Some(format.PreviewTruncated), format.Known(3)},
		{"more shown than was emitted", shown(12), format.None[format.PreviewState](), format.Unknown()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := whole()
			f.Preview = tt.shown
			r := Fold(f, Options{Now: published, Tool: tool})
			if err := r.Check(); err != nil {
				t.Fatal(err)
			}
			if r.Preview.State != tt.state || r.Preview.Streams[format.Stdout].Omitted != tt.omitted {
				t.Errorf("want %v, %v omitted; got %+v", tt.state, tt.omitted, r.Preview)
			}
		})
	}
}

func TestUnreadAsksForBytesOnlyWhereNoReportTells(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*StreamFacts)
		want   bool
	}{
		{"reports fit", func(*StreamFacts) {}, false},
		{"no tee", func(s *StreamFacts) { s.Tee = nil }, true},
		{"no redact", func(s *StreamFacts) { s.Redact = nil }, true},
		{"another size", func(s *StreamFacts) { s.File.Size = 9 }, true},
		{"no hash", func(s *StreamFacts) { s.Tee.SHA256 = format.None[string]() }, true},
		{"more lines than bytes", func(s *StreamFacts) { s.Tee.Lines = format.Known(11) }, true},
		{"no file", func(s *StreamFacts) { s.File = nil }, false},
		{"read already", func(s *StreamFacts) { s.Tee, s.File.Content = nil, content(10, true) }, false},
	} {
		s := wholeStream(format.Stdout)
		tt.change(&s)
		if got := s.Unread(); got != tt.want {
			t.Errorf("%s: want %v; got %v", tt.name, tt.want, got)
		}
	}
}
