package pipeline

import (
	"fmt"

	"spool/internal/preview"
	"spool/internal/receipt"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// finishUnkept accounts for a run of which nothing is kept.
func (r *run) finishUnkept(res *Result) {
	unusable := r.probe()
	if unusable != nil {
		res.Notes = append(res.Notes, fmt.Sprintf("nothing is kept: %v", unusable))
	}
	rendered := preview.Render(r.o.Budget, r.failed(), r.unkeptParts())
	if !r.o.Live || r.inline != nil { // else it went straight to the caller
		res.Shown = rendered.Streams
	}
	cut := unusable == nil && (!rendered.Whole() || len(r.reasons()) > 0)
	if !cut && !r.o.WantReceipt {
		return
	}
	got, err := r.unkeptReceipt(rendered.Preview, unusable)
	if err != nil {
		res.Notes = append(res.Notes, err.Error())
		return
	}
	if r.o.WantReceipt {
		res.Receipt = got
	}
	if cut {
		res.Summary = summary(got, "")
	}
}

// unkeptParts returns what is at hand of the streams.
func (r *run) unkeptParts() []preview.Part {
	if r.inline != nil {
		return inlineParts(r.inline)
	}
	var parts []preview.Part
	for _, s := range r.streams {
		part := preview.Part{Name: s.name}
		if s.window != nil {
			part = s.window.Part(s.name)
		}
		parts = append(parts, part)
	}
	return parts
}

// unkeptReceipt accounts in memory for a run of which nothing is kept: because
// all of it is in the preview, because it was asked for, or because there is no
// usable namespace.
func (r *run) unkeptReceipt(shown format.Preview, unusable error) (*format.Receipt, error) {
	o := receipt.InlineOptions{
		Begin: r.beginOptions(), Process: r.processFacts(), Preview: format.Some(shown),
		Redact: map[string]*format.RedactReport{}, Capture: r.unkept(unusable),
	}
	for _, in := range r.inline {
		o.Redact[in.name] = redactReport(in.stats, in.name, r.o.Facts.Tool)
	}
	for _, s := range r.streams {
		if r.inline == nil && s.untouched() {
			report, err := r.emptyReport(s.name)
			if err != nil {
				return nil, err
			}
			o.Redact[s.name] = report
		}
	}
	got, err := receipt.Inline(o)
	if err != nil {
		return nil, err
	}
	for _, s := range r.streams {
		if out := got.Streams[s.name]; s.window != nil {
			// The redactor of a plain filter leaves no report, but all that it
			// emitted came here.
			out.Representation.Emitted = format.Known(s.window.Total())
			out.Representation.Refused = out.Representation.Emitted
			got.Streams[s.name] = out
		}
	}
	return got, nil
}

// unkept returns why nothing is kept.
func (r *run) unkept(unusable error) format.Capture {
	switch {
	case unusable != nil:
		c := format.Capture{State: format.CaptureUnavailable, Reasons: []format.Reason{}}
		switch fsafe.KindOf(unusable) {
		case fsafe.KindNoSpace, fsafe.KindQuota:
			c.Reasons = append(c.Reasons, format.ReasonNoSpace)
		}
		return c
	case r.o.Keep == KeepNever:
		return format.Capture{State: format.CaptureDisabled, Reasons: []format.Reason{format.ReasonPolicy}}
	}
	return format.Capture{State: format.CaptureDisabled, Reasons: []format.Reason{format.ReasonInline}}
}

// inlineReceipt turns the receipt of a capture that is let go into that of a
// result which is in the preview alone.
func inlineReceipt(got *format.Receipt) *format.Receipt {
	got.Capture = format.Capture{State: format.CaptureDisabled, Reasons: []format.Reason{format.ReasonInline}}
	for name, s := range got.Streams {
		s.Ref, s.Compression = format.None[string](), format.None[format.Compression]()
		s.Representation = format.StreamCounts{
			Emitted: s.Representation.Emitted, Committed: format.Known(0), Refused: s.Representation.Emitted,
			RetainedStart: format.Known(0), RetainedEnd: format.Known(0),
		}
		s.Lines, s.FinalNewline, s.SHA256 = format.Unknown(), format.None[bool](), format.None[string]()
		got.Streams[name] = s
	}
	return got
}
