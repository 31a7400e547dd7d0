package format

import (
	"errors"
	"testing"
)

// FuzzParseFiles gives the same bytes to every reader of a file that lies in a
// capture beside the receipt: it is refused with the field named, or written
// again as it was read.
func FuzzParseFiles(f *testing.F) {
	tool := Tool{Name: "spool", Version: "test"}
	zero := Known(0)
	counts := StreamCounts{Emitted: zero, Committed: zero, Refused: zero, RetainedStart: zero, RetainedEnd: zero}
	for _, seed := range []func() ([]byte, error){
		func() ([]byte, error) {
			return EncodeBegin(&Begin{
				Schema: BeginSchema, ID: sample().ID, Generation: 1, CreatedAt: sample().CreatedAt, Streams: []string{Stdout},
				Upstream: Upstream{State: UpstreamUnknown}, Tool: tool,
			})
		},
		func() ([]byte, error) {
			return EncodeProcess(&ProcessFacts{Schema: ProcessSchema, Process: Process{State: ProcessUnknown}, Reasons: []Reason{ReasonDrainTimeout}})
		},
		func() ([]byte, error) {
			return EncodeRedact(&RedactReport{
				Schema: RedactSchema, Stream: Stdout, EOF: true, Kind: KindRedacted, Transforms: []string{"redacted"},
				Raw:     RawCounts{Observed: zero, Accepted: zero, Pending: zero, Discarded: zero},
				Emitted: zero, Redactions: map[string]int64{"jwt": 1}, Omissions: Omissions{Spans: zero, Bytes: zero}, Replaced: zero, Tool: tool,
			})
		},
		func() ([]byte, error) {
			return EncodeTee(&TeeReport{
				Schema: TeeSchema, Stream: Stdout, EOF: true, Observed: zero, Counts: counts, Forwarded: zero, Lines: zero,
				Reasons: []Reason{ReasonNoSpace}, Tool: tool,
			})
		},
		func() ([]byte, error) {
			return EncodePreview(&PreviewReport{
				Schema: PreviewSchema, Stream: Stdout, EOF: true, Observed: zero, HeadEnd: zero, TailStart: zero, Returned: zero, Omitted: zero, Tool: tool,
			})
		},
	} {
		data, err := seed()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		again(t, in, ParseBegin, EncodeBegin)
		again(t, in, ParseProcess, EncodeProcess)
		again(t, in, ParseRedact, EncodeRedact)
		again(t, in, ParseTee, EncodeTee)
		again(t, in, ParsePreview, EncodePreview)
	})
}

// again reads, writes, reads and writes.
func again[T any](t *testing.T, in []byte, parse func([]byte) (*T, error), encode func(*T) ([]byte, error)) {
	t.Helper()
	v, err := parse(in)
	if err != nil {
		if _, ok := errors.AsType[*FieldError](err); !ok {
			t.Fatalf("no field is named: %v", err)
		}
		return
	}
	out, err := encode(v)
	if err != nil {
		t.Fatalf("read but not written: %v", err)
	}
	v, err = parse(out)
	if err != nil {
		t.Fatalf("written but not read: %v", err)
	}
	if third, err := encode(v); err != nil || string(third) != string(out) {
		t.Fatalf("not canonical: %s, %s, %v", out, third, err)
	}
}
