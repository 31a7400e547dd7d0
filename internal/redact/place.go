package redact

import (
	"cmp"
	"slices"
	"strconv"
)

// A Hit tells where a marker was put, never what stood there.
type Hit struct {
	Rule   string // what follows "[REDACTED:"; for an omission, "omitted:" and the rule
	Offset int64  // of the secret's first byte in the decoded, stripped text
	Length int64  // of the secret there
	Marker int64  // offset of the marker in the result
}

// resolve gives the spans that begin before limit their place, in the order of
// their beginnings, and emits the text up to limit. No span that begins before
// limit may still come.
func (w *Writer) resolve(limit int) {
	if !w.inOrder() {
		slices.SortStableFunc(w.spans, span.compare)
	}
	i := 0
	for ; i < len(w.spans) && w.spans[i].start < limit; i++ {
		w.place(&w.spans[i])
	}
	if i > 0 {
		w.spans = append(w.spans[:0], w.spans[i:]...)
		w.dropFinished()
	}
	w.advance(limit)
}

// inOrder tells whether the spans are in order already, as they mostly are.
func (w *Writer) inOrder() bool {
	for i := 1; i < len(w.spans); i++ {
		if a, b := &w.spans[i-1], &w.spans[i]; a.start >= b.start && a.compare(*b) > 0 {
			return false
		}
	}
	return true
}

// compare orders spans by where they begin, and then by which names the marker.
func (s span) compare(o span) int {
	if s.start != o.start {
		return cmp.Compare(s.start, o.start)
	}
	return cmp.Or(cmp.Compare(s.rank, o.rank), cmp.Compare(s.name, o.name))
}

// place puts a marker where the span begins, unless it begins inside another:
// then it only makes that one longer.
func (w *Writer) place(s *span) {
	o := s.opening
	if o != nil {
		s.end = o.swallow.pos
		o.placed, o.silent = true, s.start < w.cover
	}
	if s.start >= w.cover {
		w.advance(s.start)
		w.ins.emit(w, s.start+1)
		at := w.stats.Emitted + int64(len(w.pending))
		switch {
		case o != nil:
			o.emitted = at
		case !s.omit:
			w.report(Hit{Rule: s.name, Offset: w.base + int64(s.start), Length: int64(s.end - s.start), Marker: at})
		}
		if s.omit {
			if o == nil {
				w.omitted(s.name, s.start, s.end)
			}
		} else {
			w.wrap(s.wrap)
			w.emitString("[REDACTED:")
			w.emitString(s.name)
			w.emitString("]")
			w.wrap(s.wrap)
			w.count(s.name)
		}
	}
	w.cover = max(w.cover, s.end)
	if o != nil && o.done {
		w.finish(o)
	}
}

// count counts a marker. Of many the next one often has the name of the last.
func (w *Writer) count(name string) {
	if w.counter == nil || w.counted != name {
		w.counted, w.counter = name, w.markers[name]
		if w.counter == nil {
			w.counter = new(int64)
			w.markers[name] = w.counter
		}
	}
	*w.counter++
}

func (w *Writer) wrap(q wrapping) {
	if q.quote == 0 {
		return
	}
	for range q.level {
		w.pending = append(w.pending, '\\')
	}
	w.pending = append(w.pending, q.quote)
}

// finish is called once for an opening that is placed and has its end.
func (w *Writer) finish(o *opening) {
	switch {
	case o.silent:
	case o.omit:
		w.omitted(o.name, o.start, o.swallow.pos)
	default:
		w.report(Hit{Rule: o.name, Offset: w.base + int64(o.start), Length: int64(o.swallow.pos - o.start), Marker: o.emitted})
	}
}

// omitted writes the marker of an undecidable fragment, behind it: only there
// its length is known.
func (w *Writer) omitted(name string, start, end int) {
	at := w.stats.Emitted + int64(len(w.pending))
	w.emitString("[spool: ")
	w.emitString(strconv.Itoa(end - start))
	w.emitString(" bytes omitted: ")
	w.emitString(name)
	w.emitString("]")
	w.stats.OmittedSpans++
	w.stats.OmittedBytes += int64(end - start)
	w.report(Hit{Rule: "omitted:" + name, Offset: w.base + int64(start), Length: int64(end - start), Marker: at})
}

func (w *Writer) report(h Hit) {
	if w.set.options.Audit != nil {
		w.set.options.Audit(h)
	}
}

// advance drops what is covered and emits text up to limit.
func (w *Writer) advance(limit int) {
	if end := min(w.cover, len(w.buf)); w.out < end {
		w.ins.drop(w, end)
		w.out = end
	}
	if w.out < limit {
		w.pass(limit)
		w.out = limit
	}
	if w.out == len(w.buf) && !w.swallowing() {
		w.ins.emit(w, w.out+1)
	}
}

// swallowing tells whether what follows may belong to an open secret.
func (w *Writer) swallowing() bool {
	for _, o := range w.opens {
		if o.placed && !o.done {
			return true
		}
	}
	return false
}

// pass emits the text from out to limit with what stands between it.
func (w *Writer) pass(limit int) {
	for w.ins.before(limit) {
		at := w.ins.first()
		if at == w.out+1 { // they stand beside each byte; flushed with what follows
			w.pending = append(w.pending, w.buf[w.out])
		} else {
			w.emit(w.buf[w.out:at])
		}
		w.out = at
		w.ins.emit(w, at+1)
	}
	w.emit(w.buf[w.out:limit])
}

// largeWrite is from where on it is cheaper to write twice than to copy.
const largeWrite = 16 << 10

// emit hands b on, or keeps a copy until the next flush.
func (w *Writer) emit(b []byte) {
	if len(b) >= largeWrite {
		w.flush()
		w.write(b)
		return
	}
	w.pending = append(w.pending, b...)
	if len(w.pending) >= 2*largeWrite {
		w.flush()
	}
}

func (w *Writer) emitString(s string) { w.pending = append(w.pending, s...) }

// flush hands on what is kept.
func (w *Writer) flush() {
	w.write(w.pending)
	w.pending = w.pending[:0]
}

func (w *Writer) write(b []byte) {
	if w.err != nil || len(b) == 0 {
		return
	}
	n, err := w.dst.Write(b)
	w.stats.Emitted += int64(len(b))
	if err == nil && n < len(b) {
		err = errShortWrite
	}
	w.err = err
}
