package redact

// A span is a secret, or an undecidable fragment, whose place among the others
// is not settled yet.
type span struct {
	start, end int
	name       string
	rank       int32 // of several that begin at one place, the lowest names the marker
	omit       bool  // undecidable, not known to be a secret
	opened     bool  // its matcher only knew where it begins
	wrap       wrapping
	opening    *opening // nil if end is final
}

// An opening is a span whose end has not been found.
type opening struct {
	swallow swallow
	start   int
	name    string
	omit    bool
	placed  bool  // its marker is out, or its place is inside another span
	silent  bool  // inside another span, hence without a marker
	done    bool  // swallow.pos is the end
	next    *rule // looked for at the end
	emitted int64 // where its marker lies in the result
}

func (o *opening) shift(n int) {
	o.swallow.pos -= n
	o.start -= n
}

// maxOpen bounds how many secrets are open at once. They lie inside one
// another, so more than two or three only come up in input made to do so; what
// opens beyond the bound ends with the ones that are open.
const maxOpen = 16

// text returns what has come and is kept.
func (w *Writer) text(eof bool) *text { return w.look(w.buf, eof, &w.ins) }

// scan searches the text that has come, decides what can be decided and emits
// what is decided. At the end of the input that is everything.
func (w *Writer) scan(eof bool) {
	if w.set.options.NoRedact {
		w.scanned = len(w.buf)
		w.advance(len(w.buf))
		return
	}
	t := w.text(eof)
	limit := w.examine(t)
	w.resolve(limit)
}

// manySpans is how many are decided at most before they are given their place,
// so that neither their number nor the way back to them gets long.
const manySpans = 1 << 10

// examine looks for secrets and returns up to where none is undecided.
func (w *Writer) examine(t *text) int {
	w.swallowOn(t)
	old := w.live
	w.live = w.spare[:0]
	for i := range old {
		w.consider(t, &old[i])
	}
	w.spare = old[:0]
	pursued := w.pursue(t)
	for {
		w.searchOn(t)
		if w.scanned+windowSize > len(t.b) {
			break
		}
		w.resolve(min(pursued, w.decided(t.b[:w.scanned+windowSize-1])))
	}
	if t.eof {
		w.live = w.live[:0] // nothing more comes to make them secrets
		w.decideTail(t)
		return min(pursued, w.openEnd(len(t.b)))
	}
	return min(pursued, w.decided(t.b))
}

// decided returns up to where the text is decided when b has been searched.
func (w *Writer) decided(b []byte) int {
	limit := min(w.set.index.held(b), w.set.heldKeyword(b))
	for i := range w.live {
		limit = min(limit, w.live[i].hold)
	}
	return w.openEnd(limit)
}

// openEnd returns limit, or where an open secret goes on before it: one that
// waits has undecided bytes before it.
func (w *Writer) openEnd(limit int) int {
	for _, o := range w.opens {
		if !o.done {
			limit = min(limit, o.swallow.pos)
		}
	}
	return limit
}

// found looks at an anchor that may begin at at.
func (s *searcher) found(t *text, e *entry, at int) {
	begin := at + int(e.skip)
	if end := begin + len(e.word); e.last != 0 && end > 0 && end <= len(t.b) && (t.b[end-1]^e.last)&^0x20 != 0 {
		return // the last byte tells most of those apart that begin alike
	}
	if at < 0 || !t.mayBe(begin+int(e.tail), e.word[e.tail:]) || !t.mayBe(begin, e.word[:e.head]) || e.bound && !t.freeLeft(at) {
		return
	}
	c := &s.probe
	*c = candidate{at: at, memo: at}
	switch {
	case e.target < 0:
		c.family = s.set.families[^e.target]
		if f := &c.family[0]; len(c.family) == 1 && !f.alone && f.stands(t.b, at) {
			if end := at + len(f.text); !s.extends(at, end) {
				s.addSpan(at, f.name, f.rank()).end = end
			}
			return
		}
	case e.target >= firstKeyed:
		c.own, c.anchor = &s.set.keyed[e.target-firstKeyed], int(e.anchor)
	case s.set.disabled[e.target]:
		return
	default:
		c.rule, c.anchor, c.word = builtin(e.target), int(e.anchor), e.word
	}
	s.consider(t, c)
}

// swallowOn carries the open secrets on through what has come.
func (w *Writer) swallowOn(t *text) {
	for i := 0; i < len(w.opens); i++ {
		o := w.opens[i]
		if !o.done {
			o.done = o.swallow.step(t)
			if o.done && o.next != nil {
				w.consider(t, &candidate{rule: o.next, at: o.swallow.pos, memo: o.swallow.pos})
			}
		}
		if o.placed {
			w.cover = max(w.cover, o.swallow.pos)
			if o.done {
				w.finish(o)
			}
		}
	}
	w.dropFinished()
}

// dropFinished forgets the openings that nothing is left to do for.
func (w *Writer) dropFinished() {
	kept := w.opens[:0]
	for _, o := range w.opens {
		if !o.done || !o.placed {
			kept = append(kept, o)
		}
	}
	clear(w.opens[len(kept):])
	w.opens = kept
}

// consider asks a candidate's matcher, and keeps the candidate if more text is
// needed. The matcher sees at most a window of text, so that what it cannot
// decide is the same however much has come.
func (s *searcher) consider(t *text, c *candidate) {
	for {
		next, at := s.decide(t, c)
		if next == nil {
			return
		}
		*c = candidate{rule: next, at: at, memo: at}
	}
}

// decide asks the matcher once. It returns what is to be looked for next, and
// where.
func (s *searcher) decide(t *text, c *candidate) (next *rule, at int) {
	view := &s.view
	full := len(t.b) >= c.at+s.set.window
	if full {
		view.b, view.eof = t.b[:c.at+s.set.window], t.eof && len(t.b) == c.at+s.set.window
	} else {
		view.b, view.eof = t.b, t.eof
	}
	var a answer
	switch {
	case c.family != nil:
		a = c.family.match(view, c)
	case c.own != nil:
		a = c.own.match(view, c)
	default:
		a = c.rule.match(c.rule, view, c)
	}
	switch {
	case a.verdict == no:
		return a.next, a.end
	case a.verdict == more && !full:
		c.hold = a.start
		s.live = append(s.live, *c)
		return nil, 0
	}
	switch a.verdict {
	case match:
		if s.extends(a.start, a.end) {
			return a.next, a.end
		}
		found := s.addSpan(a.start, c.name(), c.rank())
		found.end, found.wrap = a.end, a.wrap
		return a.next, a.end
	case more:
		s.opening = swallow{pos: a.start, kind: swallowDark}
	}
	return s.open(t, a.start, c.name(), c.rank(), a.verdict == more, a.next)
}

// extends tells whether the span only makes the one before it longer: it begins
// inside. Literals can overlap at every byte.
func (s *searcher) extends(start, end int) bool {
	if len(s.spans) == 0 {
		return false
	}
	last := &s.spans[len(s.spans)-1]
	if last.start >= start || start >= last.end || last.omit || last.opening != nil {
		return false
	}
	last.end = max(last.end, end)
	return true
}

// addSpan begins a span. It is filled in where it lies.
func (s *searcher) addSpan(start int, name string, rank int32) *span {
	s.spans = append(s.spans, span{})
	found := &s.spans[len(s.spans)-1]
	found.start, found.name, found.rank = start, name, rank
	return found
}

// open begins a span that ends where s.opening says. If that is known already,
// what comes next is looked for there.
func (s *searcher) open(t *text, start int, name string, rank int32, omit bool, then *rule) (next *rule, at int) {
	if s.inside(start, &s.opening) {
		return nil, 0
	}
	done := s.opening.step(t)
	found := s.addSpan(start, name, rank)
	found.end, found.omit, found.opened = s.opening.pos, omit, true
	if done && !omit {
		r := &s.recent[s.oldest]
		r.start, r.swallow = start, s.opening
		s.oldest = (s.oldest + 1) % len(s.recent)
		return then, found.end
	}
	if len(s.opens) < maxOpen {
		found.opening = &opening{swallow: s.opening, start: start, name: name, omit: omit, done: done, next: then}
		s.opens = append(s.opens, found.opening)
	}
	return nil, 0
}

// swallowed is what has been swallowed lately, and what is being.
type swallowed struct {
	opening swallow // of the answer that is being looked at

	opens  []*opening // begun, end not found yet
	recent [4]recent  // the last that have ended
	oldest int        // of recent
}

// A recent swallow is one that has ended: what begins inside it and would be
// carried on in the same way ends where it did. Without that, a value made of
// nested beginnings would be run through once for each.
type recent struct {
	start   int
	swallow swallow // its pos is the end
}

// inside tells whether what s would swallow is part of what another has
// swallowed already.
func (p *swallowed) inside(start int, s *swallow) bool {
	for i := range p.recent {
		if r := &p.recent[i]; r.start < start && start < r.swallow.pos && s.pos <= r.swallow.pos && r.swallow.same(s) {
			return true
		}
	}
	for _, o := range p.opens {
		if !o.done && o.start < start && s.pos <= o.swallow.pos && o.swallow.same(s) {
			return true
		}
	}
	return false
}

// passed tells whether an unquoted value at i is part of one that was swallowed
// before.
func (t *text) passed(i int) bool {
	if t.past == nil {
		return false
	}
	for k := range t.past.recent {
		if r := &t.past.recent[k]; r.start < i && i < r.swallow.pos && r.swallow.kind == swallowBare {
			return true
		}
	}
	for _, o := range t.past.opens {
		if o.start < i && i <= o.swallow.pos && !o.done && o.swallow.kind == swallowBare {
			return true
		}
	}
	return false
}

// decideTail finds, at the end of the input, the greater part of a literal of
// which not even the window has come.
func (w *Writer) decideTail(t *text) {
	for i := range w.set.forms {
		f := &w.set.forms[i]
		for n := min(len(f.text)-1, int(f.back)+3, len(t.b)); n > len(f.text)/2; n-- {
			if f.begins(t.b[len(t.b)-n:]) {
				c := candidate{form: f}
				w.spans = append(w.spans, span{start: len(t.b) - n, end: len(t.b), name: c.name(), rank: c.rank()})
				break
			}
		}
	}
}
