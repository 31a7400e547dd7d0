package spool

import (
	"encoding/hex"
	"errors"
	"io"

	"spool/pkg/format"
)

// report tells what became of the stream. What a lost keeper did is unknown.
func (s *stage) report() *format.TeeReport {
	observed, _ := s.q.counts()
	r := &format.TeeReport{
		Schema:    format.TeeSchema,
		Stream:    s.o.stream(),
		EOF:       s.ended() && errors.Is(s.readErr, io.EOF),
		Observed:  format.Known(observed),
		Counts:    format.StreamCounts{Emitted: format.Known(observed)},
		Forwarded: format.Known(s.out.forwarded()),
		Limits:    s.o.Limits,
		Reasons:   s.why.list(),
		Error:     s.firstError(),
		Tool:      s.o.Tool,
	}
	switch {
	case s.keeper == nil:
		r.Counts = (&keeper{}).counts(observed)
	case !s.lost:
		s.keeper.describe(r, observed)
	}
	if s.keeper != nil {
		r.Compression = s.o.compression()
	}
	return r
}

// describe tells of the retained bytes.
func (k *keeper) describe(r *format.TeeReport, observed int64) {
	r.Counts = k.counts(observed)
	if k.gone {
		return
	}
	r.Lines = format.Known(k.lines)
	r.FinalNewline = format.Some(k.used == 0 || k.last == '\n')
	r.SHA256 = format.Some(hex.EncodeToString(k.hash.Sum(nil)))
}

// firstError returns the first error of input or output, for the report.
func (s *stage) firstError() format.Opt[string] {
	if s.ended() && !errors.Is(s.readErr, io.EOF) {
		return format.SomeText(format.CleanText("read standard input: "+bare(s.readErr), format.MaxLabel))
	}
	if err := s.out.failure(); err != nil {
		return format.SomeText(format.CleanText("write standard output: "+bare(err), format.MaxLabel))
	}
	return format.None[string]()
}
