package pipeline

import (
	"maps"

	"spool/internal/redact"
	"spool/pkg/format"
)

// redactReport returns what a redactor in this process has to say of a stream.
func redactReport(s redact.Stats, stream string, tool format.Tool) *format.RedactReport {
	r := &format.RedactReport{
		Schema: format.RedactSchema, Stream: stream, EOF: s.EOF,
		Kind: format.Kind(s.Kind), Encoding: format.SomeText(s.Encoding), Transforms: s.Transforms,
		Raw: format.RawCounts{
			Observed: format.Known(s.Observed), Accepted: format.Known(s.Accepted),
			Pending: format.Known(s.Pending), Discarded: format.Known(s.Discarded),
		},
		Emitted:    format.Known(s.Emitted),
		Redactions: maps.Clone(s.Redactions),
		Omissions:  format.Omissions{Spans: format.Known(s.OmittedSpans), Bytes: format.Known(s.OmittedBytes)},
		Replaced:   format.Known(s.Replaced),
		Tool:       tool,
	}
	if r.Transforms == nil {
		r.Transforms = []string{}
	}
	if r.Redactions == nil {
		r.Redactions = map[string]int64{}
	}
	return r
}
