package account

import (
	"unicode/utf8"

	"spool/pkg/format"
)

// preview returns what was shown, as far as it is known, with the counts held
// against what the streams emitted.
func (f Facts) preview(streams map[string]format.Stream) format.Preview {
	p, ok := f.Preview.Get()
	if !ok {
		p = f.reported()
	}
	out := format.Preview{State: p.State, Chars: p.Chars, Bytes: p.Bytes, Streams: make(map[string]format.PreviewCounts, len(streams))}
	omitted := format.Known(0)
	for name, s := range streams {
		c := p.Streams[name]
		// What never reached the preview was not shown either.
		c.Omitted = s.Representation.Emitted.Sub(c.Returned)
		if !c.Omitted.IsKnown() && s.Representation.Emitted.IsKnown() {
			c.Returned = format.Unknown() // more shown than was emitted cannot be
		}
		out.Streams[name] = c
		omitted = omitted.Add(c.Omitted)
	}
	n, known := omitted.Value()
	switch {
	case !known && p.State.Or("") != format.PreviewTruncated:
		out.State = format.None[format.PreviewState]()
	case !known: // something was left out, if not how much in all
	case n > 0:
		out.State = format.Some(format.PreviewTruncated)
	default:
		out.State = format.Some(format.PreviewComplete)
	}
	return out
}

// reported returns what the preview reports say. How long omission lines were
// they do not tell, so the totals are known only where nothing was omitted.
func (f Facts) reported() format.Preview {
	p := format.Preview{Chars: format.Known(0), Bytes: format.Known(0), Streams: map[string]format.PreviewCounts{}}
	for _, name := range f.Begin.Streams {
		r := f.Streams[name].Preview
		if r == nil {
			p.Chars, p.Bytes = format.Unknown(), format.Unknown()
			continue
		}
		p.Streams[name] = format.PreviewCounts{Returned: r.Returned, Omitted: r.Omitted}
		if n, known := r.Omitted.Value(); known && n > 0 {
			p.State = format.Some(format.PreviewTruncated)
		}
		text := r.Head + r.Tail
		if !r.Omitted.Is(0) || !r.Returned.Is(int64(len(text))) {
			p.Chars, p.Bytes = format.Unknown(), format.Unknown()
			continue
		}
		p.Chars = p.Chars.Add(format.Known(int64(utf8.RuneCountInString(text))))
		p.Bytes = p.Bytes.Add(r.Returned)
	}
	return p
}
