package preview

import (
	"bytes"
	"sort"
)

// view is a text in which every line that was drawn again after a carriage
// return is shown in its last state.
type view struct {
	text
	gone []gone // by position
}

// gone is what a view leaves out before the last state of one line.
type gone struct {
	at      int   // position in the view's text: the beginning of a line
	raw     int64 // bytes of the stream
	redraws int   // states of the line that were drawn over; > 0
}

// hasRedraw tells whether a lone carriage return is followed by anything.
func hasRedraw(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\r')
		if i < 0 || i+1 >= len(b) {
			return false
		}
		if b[i+1] != '\n' {
			return true
		}
		b = b[i+2:]
	}
}

// collapse returns the view of t. It shares t's bytes where nothing is redrawn.
func collapse(t text) view {
	if !hasRedraw(t.b) {
		return view{text: t}
	}
	v := view{text: text{b: make([]byte, 0, len(t.b)), lossy: t.lossy}}
	for rest := t.b; len(rest) > 0; {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line = rest[:i+1]
		}
		rest = rest[len(line):]
		v.add(line)
	}
	return v
}

// add appends one line, without the states that were drawn over.
func (v *view) add(line []byte) {
	if from, drawn := lastState(line); drawn > 1 {
		v.gone = append(v.gone, gone{at: len(v.b), raw: v.raw(line[:from]), redraws: drawn - 1})
		line = line[from:]
	}
	v.b = append(v.b, line...)
}

// lastState returns where the last state of a line begins that shows anything,
// and how many there are. The carriage return of the line's end parts no states.
func lastState(line []byte) (from, drawn int) {
	body := line[:len(line)-len(lineEnd(line))]
	for start := 0; start <= len(body); {
		end := len(body)
		if i := bytes.IndexByte(body[start:], '\r'); i >= 0 {
			end = start + i
		}
		if end > start {
			from, drawn = start, drawn+1
		}
		start = end + 1
	}
	return from, drawn
}

// lineEnd returns the newline of a line with the carriage return before it, or
// the carriage return at the very end of a text.
func lineEnd(line []byte) []byte {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	return line[n:]
}

// before returns the bytes of the stream that stand before position p of the
// view, with what was left out before it, and the redraws among that.
func (v view) before(p int) (raw int64, redraws int) {
	return v.sum(v.gone[:v.search(p)], v.b[:p])
}

// after returns the same for what stands behind position p. What is left out
// right at p lies in neither.
func (v view) after(p int) (raw int64, redraws int) {
	return v.sum(v.gone[v.search(p+1):], v.b[p:])
}

func (v view) sum(left []gone, shown []byte) (raw int64, redraws int) {
	raw = v.raw(shown)
	for _, g := range left {
		raw += g.raw
		redraws += g.redraws
	}
	return raw, redraws
}

// search returns the index of the first place at p or behind it.
func (v view) search(p int) int {
	return sort.Search(len(v.gone), func(i int) bool { return v.gone[i].at >= p })
}
