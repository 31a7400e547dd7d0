package preview

import "fmt"

// shape is how one stream is to be shown.
type shape struct {
	most       span // of the text, notes included
	head, tail int  // in what proportion the two share it
	tailMost   int  // characters of the tail
	beside     bool // notes count in bytes, but not in characters
}

// ends is what a part's text is cut from.
type ends struct {
	screen     screen
	head, tail view
	one        bool // head and tail are the same view, of all the stream
	total      int64
}

// cut is a decision where to cut.
type cut struct {
	p, q     int   // the head ends at p of its view, the tail starts at q of its own
	from, to int64 // what lies between: [from, to) of the stream
	redraws  int
	drawn    int64 // bytes of the redraws in head and tail
}

// show cuts the part.
func (s shape) show(p Part) Shown {
	e := ends{screen: p.screen(), one: p.isWhole(), total: p.Total}
	if e.one {
		all := p.all()
		if !p.Terminal || !hasRedraw(all.b) {
			if e.screen.span(all.b).within(s.most) {
				return e.whole(p.Name, view{text: all}, "")
			}
		}
		e.head = collapse(all)
		e.tail = e.head
		if note := e.redrawn(); e.screen.span(e.head.b).plus(noted(note)).within(s.most) {
			return e.whole(p.Name, e.head, note)
		}
	} else {
		head, tail := p.ends()
		e.head, e.tail = collapse(head), collapse(tail)
	}
	return s.cutShort(p, e)
}

// whole shows all of a view, behind a note if there is one.
func (e ends) whole(name string, v view, note string) Shown {
	data := e.screen.show(v.b)
	shown := Shown{Name: name, Head: string(data), Text: append([]byte(note), data...), HeadEnd: e.total, TailStart: e.total}
	_, shown.Redraws = v.before(len(v.b))
	shown.Returned = v.raw(v.b)
	shown.Omitted = e.total - shown.Returned
	return shown.measured()
}

// cutShort shows head and tail with notes between them.
func (s shape) cutShort(p Part, e ends) Shown {
	// The notes are measured at their longest, with the newline that a head
	// without one needs.
	notes := noted(omission(p.Total, p.Total, p.Total)).plus(noted(e.redrawn())).plus(span{1, 1})
	if s.beside {
		notes.chars = 0
	}
	if !notes.within(s.most) {
		return s.nothing(p)
	}
	room := s.most.minus(notes)
	c := e.cut(room, s)
	var found Found
	var block string
	if p.Find != nil {
		trial := e.cut(room.minus(room.part(1, 4)), s)
		found = p.Find(trial.from, trial.to)
		found, block = found.block(room.part(1, 4), e.screen)
		if block != "" {
			c = e.cut(room.minus(noted(block)), s)
			found, block = found.inside(c.from, c.to).block(room.part(1, 4), e.screen)
		}
	}
	return e.assemble(p.Name, c, found, block)
}

// nothing shows that all of a stream is left out, where there is room for that.
func (s shape) nothing(p Part) Shown {
	shown := Shown{Name: p.Name, Text: []byte{}, TailStart: p.Total, Omitted: p.Total}
	if note := omission(p.Total, 0, p.Total); noted(note).within(s.most) {
		shown.Text = []byte(note)
	}
	return shown.measured()
}

// cut decides for a room. What the head does not use is the tail's.
func (e ends) cut(room span, s shape) cut {
	c := cut{p: e.screen.headEnd(e.head.b, room.part(s.head, s.head+s.tail))}
	left := room.minus(e.screen.span(e.head.b[:c.p]))
	left.chars = min(left.chars, s.tailMost)
	c.q = e.screen.tailStart(e.tail.b, left)
	if e.one {
		c.q = max(c.q, c.p)
	}
	before, n := e.head.before(c.p)
	after, m := e.tail.after(c.q)
	c.from, c.to, c.redraws = before, e.total-after, n+m
	c.drawn = before + after - e.head.raw(e.head.b[:c.p]) - e.tail.raw(e.tail.b[c.q:])
	return c
}

// assemble puts the text together.
func (e ends) assemble(name string, c cut, found Found, block string) Shown {
	head, tail := e.screen.show(e.head.b[:c.p]), e.screen.show(e.tail.b[c.q:])
	text := append([]byte{}, head...)
	if !endsLine(text) {
		text = append(text, '\n')
	}
	if c.to > c.from {
		text = append(text, omission(c.to-c.from, c.from, c.to)...)
	}
	if c.redraws > 0 {
		text = append(text, redraws(c.redraws, c.drawn)...)
	}
	text = append(append(text, block...), tail...)
	shown := Shown{
		Name: name, Text: text, Head: string(head), Tail: string(tail),
		HeadEnd: c.from, TailStart: c.to, Redraws: c.redraws, Found: found,
	}
	shown.Omitted = c.to - c.from + c.drawn
	shown.Returned = e.total - shown.Omitted
	return shown.measured()
}

func (s Shown) measured() Shown {
	all := screen{}.span(s.Text)
	s.Chars, s.Bytes = all.chars, all.bytes
	return s
}

// redrawn returns the note on everything that the views leave out, or "".
func (e ends) redrawn() string {
	before, n := e.head.before(len(e.head.b))
	bytes := before - e.head.raw(e.head.b)
	if !e.one {
		after, m := e.tail.after(0)
		bytes, n = bytes+after-e.tail.raw(e.tail.b), n+m
	}
	if n == 0 {
		return ""
	}
	return redraws(n, bytes)
}

// omission is the line that stands for the bytes [from, to).
func omission(n, from, to int64) string {
	return fmt.Sprintf("[spool: %d bytes omitted (bytes %d-%d)]\n", n, from, to)
}

// redraws is the line that counts the states of lines that were drawn again.
func redraws(n int, bytes int64) string {
	return fmt.Sprintf("[spool: %d redraws of a line omitted (%d bytes)]\n", n, bytes)
}

// noted returns the length of a note of spool's own.
func noted(s string) span { return screen{}.span([]byte(s)) }
