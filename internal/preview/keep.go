package preview

import (
	"unicode/utf8"

	"spool/pkg/format"
)

// keep returns what a report holds of a part: all of it where it fits into the
// whole budget, else a head and a tail from which every division of the budget
// can be rendered.
func keep(b Budget, p Part) Part {
	b = b.orDefault()
	sum := b.sum()
	head, tail := p.ends()
	if p.isWhole() {
		head = head.joined(tail)
		tail = head
		if (screen{}).span(head.b).within(sum) {
			return Part{Name: p.Name, Head: head.b, HeadEnd: p.Total, TailStart: p.Total, Total: p.Total}
		}
	}
	// The head of a stream gets a quarter of what the stream is given. The tail
	// gets what the head leaves, which may be nearly all.
	h := head.b[:firstWithin(head.b, sum.part(1, 4))]
	start := lastWithin(tail.b, sum)
	if p.isWhole() {
		start = max(start, len(h))
	}
	t := tail.b[start:]
	return Part{
		Name: p.Name, Total: p.Total,
		Head: h, HeadEnd: head.raw(h),
		Tail: t, TailStart: p.Total - tail.raw(t),
	}
}

// firstWithin returns how much of the beginning of b is within most.
func firstWithin(b []byte, most span) int {
	p := 0
	for n := 0; p < len(b) && n < most.chars; n++ {
		_, size := utf8.DecodeRune(b[p:])
		if p+size > most.bytes {
			break
		}
		p += size
	}
	return p
}

// lastWithin returns where the end of b begins that is within most.
func lastWithin(b []byte, most span) int {
	p := len(b)
	for n := 0; p > 0 && n < most.chars; n++ {
		_, size := utf8.DecodeLastRune(b[:p])
		if len(b)-(p-size) > most.bytes {
			break
		}
		p -= size
	}
	return p
}

// reportOf returns the report on a part. What is not known of it is left to the
// caller: whether the input ended, what was shown, what went wrong.
func reportOf(p Part, tool format.Tool) *format.PreviewReport {
	return &format.PreviewReport{
		Schema: format.PreviewSchema, Stream: p.Name, Tool: tool,
		Observed: format.Known(p.Total),
		Head:     string(p.Head), HeadEnd: format.Known(p.HeadEnd),
		Tail: string(p.Tail), TailStart: format.Known(p.TailStart),
	}
}
