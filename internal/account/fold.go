package account

import (
	"slices"

	"spool/pkg/format"
)

// Fold returns the receipt that the facts support. It keeps every rule of
// [format.Receipt.Check], whatever the reports say.
func Fold(f Facts, o Options) *format.Receipt {
	b := f.Begin
	r := &format.Receipt{
		Schema: format.ReceiptSchema, ID: b.ID, CallID: b.CallID, JobID: b.JobID, Parent: b.Parent, Origin: b.Origin,
		Generation: b.Generation, Label: b.Label, CreatedAt: b.CreatedAt,
		Process:  format.Process{State: format.ProcessUnknown},
		Streams:  make(map[string]format.Stream, len(b.Streams)),
		Limits:   f.limits(),
		Upstream: b.Upstream,
		Tool:     o.Tool,
	}
	if !o.Now.IsZero() {
		r.PublishedAt = format.At(o.Now)
	}
	if p := f.Process; p != nil {
		r.Process, r.StartedAt, r.EndedAt = p.Process, p.StartedAt, p.EndedAt
	}
	for _, name := range b.Streams {
		s := f.Streams[name].fold(format.Ref{ID: b.ID, Stream: name})
		if o.Pending && f.Streams[name].Tee == nil {
			s.Representation.Refused = format.Unknown() // what is not in the file may be on its way
		}
		r.Streams[name] = s
	}
	r.Representation = f.representation()
	r.Capture = f.capture(r, o)
	r.Preview = f.preview(r.Streams)
	return r
}

// limits returns the bounds in force: what the tees say they obeyed. Where two
// differ, the larger is the one that no stream went beyond.
func (f Facts) limits() format.Limits {
	var in []format.Limits
	for _, name := range f.Begin.Streams {
		if t := f.Streams[name].Tee; t != nil {
			in = append(in, t.Limits)
		}
	}
	if len(in) == 0 {
		return f.Begin.Limits
	}
	all := in[0]
	for _, l := range in[1:] {
		all.CaptureBytes = max(all.CaptureBytes, l.CaptureBytes)
		all.NamespaceBytes = max(all.NamespaceBytes, l.NamespaceBytes)
	}
	return all
}

// representation returns what can be said of all streams together: the kind
// that promises least, and every transform that may have changed a byte.
func (f Facts) representation() format.Representation {
	rep := format.Representation{Transforms: []string{}}
	for _, name := range f.Begin.Streams {
		s := f.Streams[name]
		kind, ok := s.kind().Get()
		if !ok {
			continue
		}
		if so, some := rep.Kind.Get(); some {
			kind = kind.Weaker(so)
		}
		rep.Kind = format.Some(kind)
		if s.Redact == nil {
			continue
		}
		for _, t := range s.Redact.Transforms {
			if !slices.Contains(rep.Transforms, t) {
				rep.Transforms = append(rep.Transforms, t)
			}
		}
	}
	kind := rep.Kind.Or("")
	if kind != format.KindRedacted {
		rep.Transforms = slices.DeleteFunc(rep.Transforms, func(t string) bool { return t == "redacted" })
	}
	if kind == format.KindRedacted || kind == format.KindDecoded {
		rep.Encoding = format.Some("utf-8")
	}
	return rep
}
