package receipt

import (
	"spool/internal/account"
	"spool/pkg/format"
)

// InlineOptions are the facts of a result of which no capture is kept.
type InlineOptions struct {
	Begin   BeginOptions
	Process *format.ProcessFacts            // nil: unknown
	Redact  map[string]*format.RedactReport // what was redacted, by stream; a missing one is unknown
	Preview format.Opt[format.Preview]
	// Capture says why nothing is kept: disabled with inline or policy, or
	// unavailable. Zero means disabled with inline.
	Capture format.Capture
}

// Inline returns the receipt of such a result. It is in memory only.
func Inline(o InlineOptions) (*format.Receipt, error) {
	b, err := o.Begin.begun()
	if err != nil {
		return nil, err
	}
	f := account.Facts{Begin: b, Process: o.Process, Preview: o.Preview, Streams: map[string]account.StreamFacts{}}
	for name, report := range o.Redact {
		f.Streams[name] = account.StreamFacts{Redact: report}
	}
	if o.Capture.State == "" {
		o.Capture = format.Capture{State: format.CaptureDisabled, Reasons: []format.Reason{format.ReasonInline}}
	}
	r := account.Fold(f, account.Options{Now: o.Begin.now(), Tool: b.Tool, Unkept: o.Capture})
	return r, r.Check()
}
