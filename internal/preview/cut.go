package preview

import (
	"bytes"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// span is a bound, or a length, in both measures.
type span struct{ chars, bytes int }

func (a span) plus(b span) span  { return span{a.chars + b.chars, a.bytes + b.bytes} }
func (a span) minus(b span) span { return span{max(a.chars-b.chars, 0), max(a.bytes-b.bytes, 0)} }

// within tells whether a is within the bound b.
func (a span) within(b span) bool { return a.chars <= b.chars && a.bytes <= b.bytes }

// part returns n/d of a, rounded down.
func (a span) part(n, d int) span {
	if d == 0 {
		return span{}
	}
	return span{chars: int(int64(a.chars) * int64(n) / int64(d)), bytes: int(int64(a.bytes) * int64(n) / int64(d))}
}

func (s screen) span(b []byte) span {
	c, w := s.measure(b)
	return span{c, w}
}

// headEnd returns where a head of b within most ends: at a line end, if that
// leaves less than a quarter of it unused, else at a whole character.
func (s screen) headEnd(b []byte, most span) int {
	var used span
	p, line, lineUsed := 0, 0, 0 // the end so far; the last line end, and the characters up to it
	for p < len(b) {
		r, n := utf8.DecodeRune(b[p:])
		c, w := s.width(r, n, byteAt(b, p+n))
		next := used.plus(span{c, w})
		if !next.within(most) {
			break
		}
		used, p = next, p+n
		if r == '\n' {
			line, lineUsed = p, used.chars
		}
	}
	switch {
	case p == len(b):
		return p
	case line > 0 && (used.chars-lineUsed)*4 < used.chars:
		return line
	}
	return wholeBefore(b, p)
}

// tailStart returns where a tail of b within most starts, by the same rule.
func (s screen) tailStart(b []byte, most span) int {
	var used span
	p, line, lineUsed := len(b), len(b), 0 // the start so far; the first line start, and the characters behind it
	for p > 0 {
		r, n := utf8.DecodeLastRune(b[:p])
		c, w := s.width(r, n, byteAt(b, p))
		if r == '\n' && p < len(b) {
			line, lineUsed = p, used.chars
		}
		next := used.plus(span{c, w})
		if !next.within(most) {
			break
		}
		used, p = next, p-n
	}
	switch {
	case p == 0:
		return p
	case line < len(b) && (used.chars-lineUsed)*4 < used.chars:
		return line
	}
	return wholeAfter(b, p)
}

// wholeBefore returns the last boundary between whole characters at p or before
// it; p itself if that would be the very beginning. 0 ≤ p < len(b).
func wholeBefore(b []byte, p int) int {
	at, state := safeBefore(b, p), -1
	last := at
	for rest := b[at:]; at < p; {
		var cluster []byte
		cluster, rest, _, state = uniseg.FirstGraphemeCluster(rest, state)
		if at+len(cluster) <= p {
			last = at + len(cluster)
		}
		at += len(cluster)
	}
	if last == 0 {
		return p
	}
	return last
}

// wholeAfter returns the first boundary between whole characters at p or behind
// it; p itself if that would be the very end. 0 < p ≤ len(b).
func wholeAfter(b []byte, p int) int {
	at, state := safeBefore(b, p), -1
	for rest := b[at:]; at < p; {
		var cluster []byte
		cluster, rest, _, state = uniseg.FirstGraphemeCluster(rest, state)
		at += len(cluster)
	}
	if at == len(b) {
		return p
	}
	return at
}

// safeBefore returns the last position at p or before it that is a boundary
// whatever stands around it: behind a newline, or between two ASCII characters
// other than CR LF (UAX #29, rules GB3 to GB5 and GB999).
func safeBefore(b []byte, p int) int {
	for ; p > 0; p-- {
		prev := b[p-1]
		if prev == '\n' {
			return p
		}
		if p < len(b) && prev < utf8.RuneSelf && b[p] < utf8.RuneSelf && (prev != '\r' || b[p] != '\n') {
			return p
		}
	}
	return 0
}

// endsLine tells whether nothing, or a newline, stands at the end of b.
func endsLine(b []byte) bool { return len(b) == 0 || bytes.HasSuffix(b, []byte("\n")) }
