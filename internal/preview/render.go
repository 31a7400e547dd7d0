package preview

import "spool/pkg/format"

// Rendered is a preview: what to print of each stream, and what it amounts to.
type Rendered struct {
	Streams []Shown // in the order of the parts
	Preview format.Preview
}

// Shown is what is shown of one stream.
type Shown struct {
	Name string
	Text []byte // exactly what to print; valid UTF-8

	// Head and Tail are the pieces of the stream in Text. Between them the bytes
	// [HeadEnd, TailStart) are left out; what else is missing of Omitted are
	// states of lines that were drawn again.
	Head, Tail         string
	HeadEnd, TailStart int64
	Redraws            int // states left out of Head and Tail
	Found              Found

	Returned, Omitted int64 // bytes of the stream; their sum is its length
	Chars, Bytes      int   // of Text
}

// Render divides the budget over the parts and cuts each to its share. After a
// failure stderr is served first, else everything but stderr; what one does not
// need is there for the next.
func Render(b Budget, failed bool, parts []Part) Rendered {
	b = b.orDefault()
	r := Rendered{Streams: make([]Shown, len(parts))}
	left, order := b.sum(), order(parts, failed)
	for k, i := range order {
		most := b.share(parts, order, k, failed, left)
		// A quarter for the head: the end of an output tells more than its
		// beginning.
		s := shape{most: most, head: 1, tail: 3, tailMost: most.chars}.show(parts[i])
		left = left.minus(span{s.Chars, s.Bytes})
		r.Streams[i] = s
	}
	r.Preview = summary(r.Streams)
	return r
}

// Fits tells whether Render would show all of the parts as they came.
func Fits(b Budget, failed bool, parts []Part) bool {
	for _, p := range parts {
		if !p.isWhole() {
			return false
		}
	}
	return Render(b, failed, parts).Whole()
}

// Whole tells whether nothing is left out.
func (r Rendered) Whole() bool {
	for _, s := range r.Streams {
		if s.Omitted > 0 {
			return false
		}
	}
	return true
}

func summary(shown []Shown) format.Preview {
	p := format.Preview{
		State:   format.Some(format.PreviewComplete),
		Chars:   format.Known(0),
		Bytes:   format.Known(0),
		Streams: make(map[string]format.PreviewCounts, len(shown)),
	}
	for _, s := range shown {
		p.Chars = p.Chars.Add(format.Known(int64(s.Chars)))
		p.Bytes = p.Bytes.Add(format.Known(int64(s.Bytes)))
		p.Streams[s.Name] = format.PreviewCounts{Returned: format.Known(s.Returned), Omitted: format.Known(s.Omitted)}
		if s.Omitted > 0 {
			p.State = format.Some(format.PreviewTruncated)
		}
	}
	return p
}
