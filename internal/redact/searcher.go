package redact

import (
	"runtime"
	"sync"
)

// A searcher is what a search works with and what it finds.
type searcher struct {
	set    *Set
	whole  text // what has come and is kept
	view   text // what of it a matcher sees
	lines  lineMemo
	sieve  sieve
	looked int         // at so many windows, in all
	live   []candidate // undecided, in order of discovery
	probe  candidate   // the one being looked at
	spans  []span      // decided, not yet placed

	swallowed
}

// look makes b the text that is searched.
func (s *searcher) look(b []byte, eof bool, beside *inserts) *text {
	s.whole = text{b: b, eof: eof, beside: beside, past: &s.swallowed, lines: &s.lines, swallow: &s.opening}
	s.view = s.whole
	return &s.whole
}

// A helper searches one part of the text while others search other parts. What a
// matcher answers depends on the text alone, so it does not matter who asks; what
// a helper does not know of are the secrets that begin in the parts before, which
// would only save it some work.
type helper struct {
	searcher
	ins inserts // the Writer's, with a place of its own
}

// Text is searched by several where it is full of anchors: there the matchers
// take the time, and each part takes longer than it takes to wake a helper.
const (
	maxHelpers = 3
	helperPart = 32 << 10 // bytes that each searches at a time, at most
	leastPart  = 8 << 10  // and at least
	denseText  = 64       // bytes for each window that was looked at, at most
)

// searchOn searches the text that has not been searched, or the next part of it.
func (w *Writer) searchOn(t *text) {
	from, looked := w.scanned, w.looked
	end := len(t.b) - windowSize + 1
	if part := w.part(end - from); part > 0 {
		w.searchTogether(t, part)
	} else {
		w.scanned = w.search(t, from, end)
	}
	if w.scanned > from {
		w.dense = (w.looked-looked)*denseText > w.scanned-from
	}
}

// part returns how much of n bytes each of several should search, 0 if one does it
// alone. Rules of the user's own are left to one.
func (w *Writer) part(n int) int {
	if !w.dense || n < 2*leastPart || len(w.set.keyed) > 0 {
		return 0
	}
	if w.helpers == nil {
		w.helpers = make([]helper, min(maxHelpers, runtime.GOMAXPROCS(0)-1))
	}
	part := min(helperPart, n/(1+len(w.helpers)))
	if len(w.helpers) == 0 || part < leastPart {
		return 0
	}
	return part
}

// searchTogether searches as many parts of the text as there are searchers.
func (w *Writer) searchTogether(t *text, part int) {
	var done sync.WaitGroup
	for i := range w.helpers {
		h, from := &w.helpers[i], w.scanned+(i+1)*part
		h.join(w)
		done.Go(func() { h.all(t.b, t.eof, from, from+part) })
	}
	for at, end := w.scanned, w.scanned+part; at < end; {
		at = w.search(t, at, end)
	}
	done.Wait()
	for i := range w.helpers {
		w.adopt(&w.helpers[i].searcher)
	}
	w.scanned += (1 + len(w.helpers)) * part
}

// join gives the helper what the Writer knows.
func (h *helper) join(w *Writer) {
	h.set, h.ins, h.lines = w.set, w.ins, w.lines
	h.looked, h.live, h.spans = 0, h.live[:0], h.spans[:0]
	h.opens, h.recent, h.oldest = append(h.opens[:0], w.opens...), w.recent, w.oldest
}

// all searches the windows that begin in [from, end).
func (h *helper) all(b []byte, eof bool, from, end int) {
	t := h.look(b, eof, &h.ins)
	for at := from; at < end; {
		at = h.search(t, at, end)
	}
}

// adopt takes over what another has found behind the text that s has searched.
func (s *searcher) adopt(o *searcher) {
	s.looked += o.looked
	s.live = append(s.live, o.live...)
	for i := range o.spans {
		found := &o.spans[i]
		if !found.opened && s.extends(found.start, found.end) {
			continue
		}
		if open := found.opening; open != nil {
			switch {
			case s.inside(open.start, &open.swallow):
				continue
			case len(s.opens) < maxOpen:
				s.opens = append(s.opens, open)
			default:
				found.opening = nil
			}
		}
		s.spans = append(s.spans, *found)
	}
	s.recent, s.oldest = o.recent, o.oldest
	clear(o.live)
	clear(o.spans)
	clear(o.opens)
}
