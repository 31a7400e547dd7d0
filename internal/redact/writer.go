package redact

import (
	"io"
	"math"
)

// pieceSize is how much is read, decoded and searched at a time.
const pieceSize = 256 << 10

// A Writer redacts what is written to it and hands the result to another
// writer. It is not safe for concurrent use.
//
// Positions are indexes into buf. What lies before out has been emitted or
// dropped and is only kept for matchers to look back at.
type Writer struct {
	dst io.Writer
	err error // the first one of dst; nothing is written after it

	dec decoder
	esc filter

	raw     []byte // what is being decoded, where that is not done in place
	buf     []byte
	out     int // ≤ len(buf)
	cover   int // bytes before it belong to a secret; may lie before out
	scanned int // no window that begins before it is still to be found
	base    int64

	pursuits []pursuit // one for each of the set's patterns

	searcher             // what it finds is what the Writer acts on
	helpers  []helper    // nil until one is needed
	dense    bool        // the text looked at last was full of anchors
	spare    []candidate // the array of the last live
	ins      inserts

	pending  []byte // of the result, not yet handed to dst
	stripped bool   // an escape sequence was
	stats    Stats
	markers  map[string]*int64 // how many there are, by name
	counted  string            // the name of the last
	counter  *int64            // its number; nil before the first
	closed   bool
}

// Stats are the facts of a stream. Raw counts are bytes of the input:
// Observed = Accepted + Pending + Discarded at any time.
type Stats struct {
	Observed  int64 // read
	Accepted  int64 // decided: emitted, redacted, omitted or stripped
	Pending   int64 // held: undecided, or not decodable yet
	Discarded int64 // thrown away undecided, because the stream was ended before its end
	// Emitted counts the bytes of the result that dst was given. A dst that
	// fails has taken fewer, which shows where it is counted what arrived.
	Emitted int64

	Redactions   map[string]int64 // markers, by name
	OmittedSpans int64
	OmittedBytes int64 // bytes of decoded text that omission markers stand for
	Replaced     int64 // ill-formed sequences that became U+FFFD

	Encoding   string   // of the input, "" while it is not known
	Kind       string   // redacted-utf8, decoded-utf8, binary
	Transforms []string // what was done, in order
	EOF        bool     // the input ended by itself
}

// NewWriter returns a Writer to dst.
func (s *Set) NewWriter(dst io.Writer) *Writer {
	w := &Writer{dst: dst, searcher: searcher{set: s}, pursuits: make([]pursuit, len(s.patterns))}
	w.markers = map[string]*int64{}
	w.dec.init(s.options.Encoding)
	w.esc.keep = s.options.KeepANSI
	return w
}

// Write takes the next piece of the stream. It blocks on nothing but dst. Its
// error is the first one of dst; the input counts as observed all the same.
func (w *Writer) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		piece := p[:min(len(p), pieceSize)]
		copy(w.room(len(piece)), piece)
		w.take(len(piece))
		p = p[len(piece):]
	}
	return n, w.err
}

// ReadFrom reads r to its end. An error of dst does not stop it: what is read
// after one is counted and thrown away.
func (w *Writer) ReadFrom(r io.Reader) (int64, error) {
	var total int64
	for {
		n, err := r.Read(w.room(pieceSize))
		if n > 0 {
			total += int64(n)
			w.take(n)
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// room returns space for n raw bytes right behind the text, so that they need
// not be moved if they are text already.
func (w *Writer) room(n int) []byte {
	w.compact()
	if cap(w.buf)-len(w.buf) < n {
		size := max(2*cap(w.buf), len(w.buf)+n)
		if n == pieceSize { // never grows again, unless a secret is pending
			size = len(w.buf) + n + 4<<10
		}
		buf := make([]byte, len(w.buf), size)
		copy(buf, w.buf)
		w.buf = buf
	}
	return w.buf[len(w.buf) : len(w.buf)+n]
}

// take processes the n raw bytes behind the text.
func (w *Writer) take(n int) {
	w.stats.Observed += int64(n)
	if w.err != nil {
		w.stats.Discarded += int64(n)
		return
	}
	raw := w.buf[len(w.buf) : len(w.buf)+n]
	if w.set.options.Raw {
		w.emit(raw)
		w.flush()
		return
	}
	if w.dec.plain && w.esc.ground() {
		if k := textLen(raw); k > 0 {
			w.buf = w.buf[:len(w.buf)+k]
			raw = raw[k:]
		}
	}
	if len(raw) > 0 {
		w.refine(raw)
		return
	}
	w.scan(false)
	w.flush()
}

// refine decodes and filters raw bytes that are not plain text.
func (w *Writer) refine(raw []byte) {
	w.raw = append(w.raw[:0], raw...)
	for raw = w.raw; len(raw) > 0; {
		piece := raw[:min(len(raw), 16<<10)]
		raw = raw[len(piece):]
		w.esc.run(w, w.dec.decode(piece, false))
		w.scan(false)
		w.compact()
	}
	w.flush()
}

// Close ends the stream at the end of its input: what is held is decided. It
// does not close dst.
func (w *Writer) Close() error { return w.end(true) }

// Settle ends the stream before the end of its input. Nothing undecided is
// passed on: it is omitted, and counted as discarded.
func (w *Writer) Settle() error { return w.end(false) }

func (w *Writer) end(eof bool) error {
	if w.closed {
		return w.err
	}
	w.closed = true
	w.stats.EOF = eof
	if w.err == nil && !w.set.options.Raw {
		w.esc.run(w, w.dec.decode(nil, true))
		w.esc.end(w)
		if eof {
			w.scan(true)
		} else {
			w.abandon()
		}
		w.flush()
	}
	return w.err
}

// abandon settles what is held without knowing what would have followed.
func (w *Writer) abandon() {
	w.stats.Discarded = w.held()
	if limit := w.examine(w.text(false)); limit < len(w.buf) {
		name := "undecided"
		if len(w.live) > 0 {
			name = w.live[0].name()
		}
		w.spans = append(w.spans, span{start: limit, end: len(w.buf), rank: math.MaxInt32, name: name, omit: true})
	}
	w.live = nil
	for _, o := range w.opens {
		o.done = true
	}
	w.resolve(len(w.buf))
}

// held returns how many bytes have been observed and not been decided.
func (w *Writer) held() int64 {
	return min(int64(len(w.buf)-min(w.out, len(w.buf))+w.dec.held()+w.esc.held()), w.stats.Observed)
}

// Stats returns the facts so far.
func (w *Writer) Stats() Stats {
	s := w.stats
	switch {
	case w.err != nil: // what was held then is decided no more
		s.Discarded += w.held()
	case !w.closed:
		s.Pending = w.held()
	}
	s.Accepted = s.Observed - s.Pending - s.Discarded
	s.Encoding, s.Kind = w.dec.name, "redacted-utf8"
	switch {
	case w.set.options.Raw:
		s.Kind, s.Encoding = "binary", ""
	case w.set.options.NoRedact:
		s.Kind = "decoded-utf8"
	}
	s.Replaced = w.dec.replaced
	s.Redactions = make(map[string]int64, len(w.markers))
	for name, n := range w.markers {
		s.Redactions[name] = *n
	}
	if w.dec.decoded {
		s.Transforms = append(s.Transforms, "decoded")
	}
	if w.stripped {
		s.Transforms = append(s.Transforms, "ansi-stripped")
	}
	if s.Kind == "redacted-utf8" {
		s.Transforms = append(s.Transforms, "redacted")
	}
	return s
}

// compact drops what no matcher can look back at any more.
func (w *Writer) compact() {
	keep := min(w.out, w.scanned)
	for i := range w.pursuits {
		keep = min(keep, w.pursuits[i].begin)
	}
	for i := range w.live {
		keep = min(keep, w.live[i].at)
	}
	keep -= 2 * lookback
	if keep <= 0 || keep < len(w.buf)/2 && keep < pieceSize/2 {
		return
	}
	n := copy(w.buf, w.buf[keep:])
	w.buf = w.buf[:n]
	w.base += int64(keep)
	w.out -= keep
	w.cover -= keep
	w.scanned -= keep
	for i := range w.live {
		w.live[i].at -= keep
		w.live[i].memo -= keep
	}
	for i := range w.spans {
		w.spans[i].start -= keep
		w.spans[i].end -= keep
	}
	for _, o := range w.opens {
		o.shift(keep)
	}
	for i := range w.pursuits {
		w.pursuits[i].shift(keep)
	}
	for i := range w.recent {
		w.recent[i].start -= keep
		w.recent[i].swallow.pos -= keep
	}
	w.ins.shift(keep)
	w.lines.shift(keep)
}
