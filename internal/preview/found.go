package preview

import (
	"fmt"
	"strings"
)

// Highlight is a line of the omitted middle that looks like the cause.
type Highlight struct {
	Offset int64  `json:"offset"` // of Text in the stream
	Line   int64  `json:"line"`   // counted from 1
	Text   string `json:"text"`   // the line, or a bounded piece of it; valid UTF-8, without its newline
}

// Found is a derived view of a range: bounded lines that look like the cause.
type Found struct {
	Lines []Highlight // by offset
	Of    int         // how many there were to choose from; ≥ len(Lines)
	More  bool        // the search ended early: there may be more
}

// inside returns what of f lies in [from, to).
func (f Found) inside(from, to int64) Found {
	in := Found{Of: f.Of, More: f.More}
	for _, h := range f.Lines {
		if h.Offset >= from && h.Offset < to {
			in.Lines = append(in.Lines, h)
		} else {
			in.Of--
		}
	}
	return in
}

// block returns the lines of a preview that show f within most, and what of f
// they show; "" if there is nothing to show, or no room.
func (f Found) block(most span, s screen) (Found, string) {
	if len(f.Lines) == 0 {
		return Found{}, ""
	}
	of := fmt.Sprint(f.Of)
	if f.More {
		of = "at least " + of
	}
	head := func(n int) string {
		return fmt.Sprintf("[spool: derived view of the omitted bytes: %d of %s lines that look like the cause]\n", n, of)
	}
	used := noted(head(f.Of))
	var b strings.Builder
	n := 0
	for _, h := range f.Lines {
		text := s.show([]byte(h.Text))
		line := fmt.Sprintf("[spool: line %d, byte %d] %s\n", h.Line, h.Offset, text)
		if next := used.plus(noted(line)); next.within(most) {
			used = next
			b.WriteString(line)
			f.Lines[n] = h
			n++
		}
	}
	if n == 0 {
		return Found{}, ""
	}
	return Found{Lines: f.Lines[:n], Of: f.Of, More: f.More}, head(n) + b.String()
}
