package format

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const testID ID = "01kb3tq0n8e7vhw2c5rj9mxyz4"

// sample returns a complete receipt that keeps every rule.
func sample() *Receipt {
	at := func(s string) Time {
		var t Time
		if err := t.UnmarshalJSON([]byte(`"` + s + `"`)); err != nil {
			panic(err)
		}
		return t
	}
	return &Receipt{
		Schema: ReceiptSchema, ID: testID, Generation: 1, Label: Some("make test"),
		CreatedAt: at("2026-11-30T21:45:01.123Z"), StartedAt: at("2026-11-30T21:45:01.124Z"),
		EndedAt: at("2026-11-30T21:45:02.000Z"), PublishedAt: at("2026-11-30T21:45:02.001Z"),
		Process: Process{State: ProcessExited, ExitCode: Some(int64(2)), CoreDumped: Some(false)},
		Capture: Capture{State: CaptureComplete, Reasons: []Reason{}},
		Representation: Representation{
			Kind: Some(KindRedacted), Encoding: Some("utf-8"), Transforms: []string{"ansi-stripped", "redacted"},
		},
		Streams: map[string]Stream{Stdout: {
			Ref: Some(string(testID) + "/stdout"), EOF: Some(true),
			Raw:            RawCounts{Known(10), Known(10), Known(0), Known(0)},
			Representation: StreamCounts{Known(8), Known(8), Known(0), Known(0), Known(8)},
			Redactions:     Some(map[string]int64{"github-token": 1}),
			Omissions:      Omissions{Known(0), Known(0)}, Replaced: Known(0),
			Lines: Known(1), FinalNewline: Some(true), SHA256: Some(strings.Repeat("0a", 32)),
		}},
		Preview: Preview{
			State: Some(PreviewComplete), Chars: Known(8), Bytes: Known(8),
			Streams: map[string]PreviewCounts{Stdout: {Known(8), Known(0)}},
		},
		Limits:   Limits{CaptureBytes: 32 << 20, NamespaceBytes: Unlimited},
		Upstream: Upstream{State: UpstreamUnknown},
		Tool:     Tool{Name: "spool", Version: "v1"},
	}
}

func TestReceiptRoundTrips(t *testing.T) {
	first, err := EncodeReceipt(sample())
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseReceipt(first)
	if err != nil {
		t.Fatal(err)
	}
	again, err := EncodeReceipt(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(first), string(again)); diff != "" {
		t.Error(diff)
	}
	if strings.Count(string(first), "\n") != 1 || !strings.HasSuffix(string(first), "}\n") {
		t.Errorf("want one line with a final newline; got %q", first)
	}
}

func TestReceiptRefusesBrokenRule(t *testing.T) {
	edit := func(f func(*Stream)) func(*Receipt) {
		return func(r *Receipt) { s := r.Streams[Stdout]; f(&s); r.Streams[Stdout] = s }
	}
	for _, tt := range []struct {
		rule, field string
		edit        func(*Receipt)
	}{
		{"schema", "schema", func(r *Receipt) { r.Schema = "spool.receipt/v2" }},
		{"id", "id", func(r *Receipt) { r.ID = "../../etc/passwd" }},
		{"origin", "origin", func(r *Receipt) { r.Origin = Some("x") }},
		{"parent", "parent", func(r *Receipt) { r.Parent = Some("/abs") }},
		{"label too long", "label", func(r *Receipt) { r.Label = Some(strings.Repeat("é", 257)) }},
		{"label with an escape", "label", func(r *Receipt) { r.Label = Some("a\x1b[31mb") }},
		{"label with bidi override", "label", func(r *Receipt) { r.Label = Some("a\u202eb") }},
		{"generation", "generation", func(r *Receipt) { r.Generation = 0 }},
		{"created unknown", "created_at", func(r *Receipt) { r.CreatedAt = Time{} }},
		{"process state", "process.state", func(r *Receipt) { r.Process.State = "done" }},
		{"code and signal", "process.signal", func(r *Receipt) { r.Process.Signal = Some("SIGKILL") }},
		{"neither", "process.exit_code", func(r *Receipt) { r.Process.ExitCode = None[int64]() }},
		{"code of a process never started", "process.exit_code", func(r *Receipt) { r.Process.State = ProcessNotStarted }},
		{"code out of range", "process.exit_code", func(r *Receipt) { r.Process.ExitCode = Some(int64(256)) }},
		{"signal by number", "process.signal", func(r *Receipt) { r.Process.ExitCode = None[int64](); r.Process.Signal = Some("9") }},
		{"core without signal", "process.core_dumped", func(r *Receipt) { r.Process.CoreDumped = Some(true) }},
		{"published while running", "process.state", func(r *Receipt) { r.Process = Process{State: ProcessRunning} }},
		{"published while pending", "capture.state", func(r *Receipt) { r.Capture.State = CapturePending }},
		{"capture state", "capture.state", func(r *Receipt) { r.Capture.State = "ok" }},
		{"complete with a reason", "capture.reasons", func(r *Receipt) { r.Capture.Reasons = []Reason{ReasonCrash} }},
		{"partial without one", "capture.reasons", func(r *Receipt) { r.Capture.State = CapturePartial }},
		{"reason off the list", "capture.reasons", func(r *Receipt) { r.Capture = Capture{CapturePartial, []Reason{"tired"}} }},
		{"inline with partial", "capture.reasons", func(r *Receipt) { r.Capture = Capture{CapturePartial, []Reason{ReasonInline}} }},
		{"disabled without inline", "capture.reasons", func(r *Receipt) { r.Capture = Capture{CaptureDisabled, []Reason{}} }},
		{"kind", "representation.kind", func(r *Receipt) { r.Representation.Kind = Some(Kind("text")) }},
		{"redacted kind without the transform", "representation.transforms", func(r *Receipt) { r.Representation.Transforms = []string{} }},
		{"transform without the kind", "representation.transforms", func(r *Receipt) { r.Representation.Kind = Some(KindDecoded) }},
		{"no stream", "streams", func(r *Receipt) { r.Streams = map[string]Stream{} }},
		{"unknown stream", "streams", func(r *Receipt) { r.Streams["stdin"] = r.Streams[Stdout] }},
		{"foreign ref", "streams.stdout.ref", edit(func(s *Stream) { s.Ref = Some("01kb3tq0n8e7vhw2c5rj9mxyz5/stdout") })},
		{"raw sum", "streams.stdout.raw.observed", edit(func(s *Stream) { s.Raw.Observed = Known(11) })},
		{"raw sum beyond a count", "streams.stdout.raw.observed", edit(func(s *Stream) {
			s.Raw.Accepted, s.Raw.Discarded = Known(math.MaxInt64), Known(1)
		})},
		{"pending", "streams.stdout.raw.pending", edit(func(s *Stream) { s.Raw.Accepted, s.Raw.Pending = Known(9), Known(1) })},
		{"emitted sum", "streams.stdout.representation.emitted", edit(func(s *Stream) { s.Representation.Refused = Known(1) })},
		{"retained range turned round", "streams.stdout.representation.retained_start", edit(func(s *Stream) { s.Representation.RetainedStart = Known(9) })},
		{"retained range is not committed", "streams.stdout.representation.committed", edit(func(s *Stream) { s.Representation.RetainedEnd = Known(7) })},
		{"zero hits", "streams.stdout.redactions", edit(func(s *Stream) { s.Redactions = Some(map[string]int64{"jwt": 0}) })},
		{"sha256", "streams.stdout.sha256", edit(func(s *Stream) { s.SHA256 = Some("ABC") })},
		{"more lines than bytes", "streams.stdout.lines", edit(func(s *Stream) { s.Lines = Known(9) })},
		{"compression", "streams.stdout.compression", edit(func(s *Stream) { s.Compression = Some(Compression("gzip")) })},
		{"complete without eof", "capture.state", edit(func(s *Stream) { s.EOF = Some(false) })},
		{"complete with eof unknown", "capture.state", edit(func(s *Stream) { s.EOF = None[bool]() })},
		{"complete with discarded", "capture.state", edit(func(s *Stream) { s.Raw.Accepted, s.Raw.Discarded = Known(9), Known(1) })},
		{"complete with discarded unknown", "capture.state", edit(func(s *Stream) { s.Raw.Discarded = Unknown() })},
		{"complete with refused", "capture.state", edit(func(s *Stream) {
			s.Representation = StreamCounts{Known(8), Known(7), Known(1), Known(0), Known(7)}
		})},
		{"complete with emitted unknown", "capture.state", edit(func(s *Stream) { s.Representation.Emitted = Unknown() })},
		{"complete without hash", "capture.state", edit(func(s *Stream) { s.SHA256 = None[string]() })},
		{"complete with truncated upstream", "capture.state", func(r *Receipt) { r.Upstream.State = UpstreamTruncated }},
		{"upstream", "upstream.state", func(r *Receipt) { r.Upstream.State = "" }},
		{"preview state", "preview.state", func(r *Receipt) { r.Preview.State = Some(PreviewState("all")) }},
		{"preview of no stream", "preview.streams.stderr", func(r *Receipt) { r.Preview.Streams[Stderr] = PreviewCounts{} }},
		{"preview sum", "preview.streams.stdout.returned_bytes", func(r *Receipt) { r.Preview.Streams[Stdout] = PreviewCounts{Known(7), Known(0)} }},
		{"truncated without omission", "preview.state", func(r *Receipt) { r.Preview.State = Some(PreviewTruncated) }},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			r := sample()
			tt.edit(r)
			if _, err := EncodeReceipt(r); !isField(err, tt.field) {
				t.Errorf("writing: want an error for %q; got %v", tt.field, err)
			}
			b, err := marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseReceipt(b); !isField(err, tt.field) {
				t.Errorf("reading: want an error for %q; got %v", tt.field, err)
			}
		})
	}
}

func isField(err error, field string) bool {
	fe, ok := errors.AsType[*FieldError](err)
	return ok && fe.Field == field
}

func TestReceiptReadsStrictly(t *testing.T) {
	good, err := EncodeReceipt(sample())
	if err != nil {
		t.Fatal(err)
	}
	replace := func(old, new string) string {
		if !strings.Contains(string(good), old) {
			t.Fatalf("no %q in %s", old, good)
		}
		return strings.Replace(string(good), old, new, 1)
	}
	for _, tt := range []struct{ name, field, in string }{
		{"empty", "", ""},
		{"not an object", "", "[]"},
		{"cut", "", string(good[:len(good)-3])},
		{"two objects", "", string(good) + "{}"},
		{"duplicate key", "id", replace(`{"schema"`, `{"id":"x","schema"`)},
		{"duplicate key below", "process.state", replace(`"process":{`, `"process":{"state":"exited",`)},
		{"duplicate stream", "streams.stdout", replace(`"streams":{`, `"streams":{"stdout":{},`)},
		{"missing key", "call_id", replace(`"call_id":null,`, ``)},
		{"missing key below", "streams.stdout.raw.pending", replace(`"pending":0,`, ``)},
		{"key in other case", "label", replace(`"label"`, `"Label"`)},
		{"null list", "capture.reasons", replace(`"reasons":[]`, `"reasons":null`)},
		{"null state", "process.state", replace(`"state":"exited"`, `"state":null`)},
		{"negative count", "streams.stdout.lines", replace(`"lines":1`, `"lines":-1`)},
		{"fraction", "streams.stdout.lines", replace(`"lines":1`, `"lines":1.0`)},
		{"number as string", "streams.stdout.lines", replace(`"lines":1`, `"lines":"1"`)},
		{"huge number", "streams.stdout.lines", replace(`"lines":1`, `"lines":9223372036854775808`)},
		{"time zone", "created_at", replace(`21:45:01.123Z`, `21:45:01.123+01:00`)},
		{"invalid UTF-8", "", replace("make test", "make\xff")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseReceipt([]byte(tt.in)); !isField(err, tt.field) {
				t.Errorf("want an error for %q; got %v", tt.field, err)
			}
		})
	}
	t.Run("unknown key is ignored", func(t *testing.T) {
		if _, err := ParseReceipt([]byte(replace(`"process":{`, `"process":{"later":[{"a":1}],`))); err != nil {
			t.Error(err)
		}
	})
}

func TestCountUnknownIsNeverZero(t *testing.T) {
	var c Count
	for name, got := range map[string]Count{
		"zero value": c, "add": Known(1).Add(c), "sub": c.Sub(Known(0)), "below zero": Known(1).Sub(Known(2)), "beyond a count": Known(math.MaxInt64).Add(Known(1)),
	} {
		if got.IsKnown() || got.Is(0) {
			t.Errorf("%s: want unknown; got %v", name, got)
		}
		if b, err := json.Marshal(got); err != nil || string(b) != "null" {
			t.Errorf("%s: want null; got %s, %v", name, b, err)
		}
	}
	read := Known(3)
	if err := json.Unmarshal([]byte("null"), &read); err != nil || read.IsKnown() {
		t.Errorf("reading null: want unknown; got %v, %v", read, err)
	}
}

func FuzzParseReceipt(f *testing.F) {
	good, err := EncodeReceipt(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"schema":"spool.receipt/v1"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := ParseReceipt(in)
		if err != nil {
			return
		}
		out, err := EncodeReceipt(r)
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		again, err := ParseReceipt(out)
		if err != nil {
			t.Fatalf("written but not read: %v", err)
		}
		third, err := EncodeReceipt(again)
		if err != nil || string(third) != string(out) {
			t.Fatalf("not canonical: %s, %s, %v", out, third, err)
		}
	})
}
