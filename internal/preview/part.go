package preview

import "spool/pkg/format"

// Part is what is at hand of one stream: a head and a tail, or all of it.
type Part struct {
	Name string // of the stream

	// Head holds the bytes [0, HeadEnd), Tail the bytes [TailStart, Total), both
	// without a torn sequence at the middle. A length other than that of the
	// range says that ill-formed bytes have become U+FFFD. A Tail that follows
	// Head at once, or is empty with HeadEnd = Total, leaves nothing out.
	Head      []byte
	HeadEnd   int64
	Tail      []byte
	TailStart int64 // HeadEnd ≤ TailStart ≤ Total
	Total     int64

	// Terminal says that the text is meant for one: no control or
	// bidi-override character of the data is in it then.
	Terminal bool

	// Find looks for the lines of the omitted range that look like the cause;
	// nil for none.
	Find func(from, to int64) Found
}

// Whole returns the part of which everything is at hand.
func Whole(name string, data []byte) Part {
	n := int64(len(data))
	return Part{Name: name, Head: data, HeadEnd: n, TailStart: n, Total: n}
}

// Reported returns the part that a stage's report holds. A report that does not
// know what it counted gives a part of nothing, and one whose pieces are not of
// the length that it tells gives a part of which all is left out.
func Reported(r *format.PreviewReport) Part {
	headEnd, ok1 := r.HeadEnd.Value()
	tailStart, ok2 := r.TailStart.Value()
	total, ok3 := r.Observed.Value()
	if !ok1 || !ok2 || !ok3 || headEnd > tailStart || tailStart > total {
		return Part{Name: r.Stream}
	}
	p := Part{
		Name: r.Stream,
		Head: []byte(r.Head), HeadEnd: headEnd,
		Tail: []byte(r.Tail), TailStart: tailStart, Total: total,
	}
	if head, tail := p.ends(); head.raw(head.b) != headEnd || tail.raw(tail.b) != total-tailStart {
		return Part{Name: r.Stream, TailStart: total, Total: total}
	}
	return p
}

// isWhole tells whether nothing lies between head and tail.
func (p Part) isWhole() bool { return p.HeadEnd == p.TailStart }

func (p Part) screen() screen { return screen{terminal: p.Terminal} }

// wants returns the bytes that showing all of the part takes, or enough if that
// is less or not known.
func (p Part) wants(enough int) int {
	if !p.isWhole() || len(p.Head)+len(p.Tail) >= enough {
		return enough
	}
	return p.screen().span(p.all().b).bytes
}

// ends returns head and tail as valid text.
func (p Part) ends() (head, tail text) {
	head, tail = toText(p.Head), toText(p.Tail)
	head.lossy = head.lossy || p.HeadEnd != int64(len(p.Head))
	tail.lossy = tail.lossy || p.Total-p.TailStart != int64(len(p.Tail))
	return head, tail
}

// all returns the text of a part that is whole.
func (p Part) all() text {
	head, tail := p.ends()
	return head.joined(tail)
}
