package preview

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"spool/internal/capture"
	"spool/pkg/format"
)

// DefaultLimit is how much a retrieval prints at most, in bytes.
const DefaultLimit = 64 << 10

// maxObject is how much of a stream one object holds at most, in bytes.
const maxObject = 16 << 20

// reading is a stream that is being retrieved from, with what is known of it.
type reading struct {
	*stored
	facts facts
	out   Output
	limit int64 // bytes to print at most, > 0
	saved Part  // of a stream that is not kept whole: the tail that its preview saved, from TailStart
}

// openFor opens the stream of a capture, which need not be named where there is
// only one.
func openFor(c *capture.Capture, stream string, limit int64, out Output) (*reading, error) {
	f, err := factsOf(c)
	if err != nil {
		return nil, err
	}
	names, err := streamsOf(f, stream)
	if err != nil {
		return nil, err
	}
	if len(names) != 1 {
		return nil, fmt.Errorf("capture %s has several streams: name one, like %s", c.ID(), c.Ref(names[0]))
	}
	s, err := openStored(c, names[0])
	if err != nil {
		return nil, err
	}
	o := &reading{stored: s, facts: f, out: out, limit: limit}
	if err := o.check(f); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	o.savedTail()
	return o, nil
}

// savedTail finds the tail of a stream that goes on where its file ends.
func (o *reading) savedTail() {
	if n, known := o.missing(o.facts).Value(); !known || n == 0 {
		return
	}
	r, err := o.capture.Preview(o.name)
	if err != nil {
		return // then there is none
	}
	p := Reported(r)
	if all := len(p.Head) + len(p.Tail); p.isWhole() && int64(all) == p.Total && p.Total > o.size {
		// Of a short stream the report has everything.
		p.Tail, p.TailStart = slices.Concat(p.Head, p.Tail)[o.size:], o.size
	}
	if len(p.Tail) > 0 && p.TailStart+int64(len(p.Tail)) == p.Total {
		o.saved = p
	}
}

// end tells of the end of what is kept, for messages: how much is missing
// behind it, and where the tail is.
func (o *reading) end() string {
	n, known := o.missing(o.facts).Value()
	switch {
	case !o.facts.final:
		return fmt.Sprintf("%d bytes are there so far", o.size)
	case !known && o.facts.receipt.Capture.State != format.CaptureComplete:
		return fmt.Sprintf("the %d bytes kept are not all (capture %s%s), how many are missing is unknown",
			o.size, o.facts.receipt.Capture.State, because(o.facts.receipt.Capture.Reasons))
	case !known || n == 0:
		return fmt.Sprintf("the stream has %d bytes", o.size)
	case len(o.saved.Tail) == 0:
		return fmt.Sprintf("%d bytes are missing behind the %d kept, and no tail was saved", n, o.size)
	}
	return fmt.Sprintf("%d bytes are missing behind the %d kept; the tail is saved: --bytes-range %d:%d",
		n, o.size, max(o.saved.TailStart, o.size), o.saved.Total)
}

// read reads [from, to), from the file or from the saved tail. It does not read
// across the two.
func (o *reading) read(from, to int64) ([]byte, error) {
	if from >= o.size && from < to {
		return o.saved.Tail[from-o.saved.TailStart : to-o.saved.TailStart], nil
	}
	return o.section(from, to)
}

// holds returns how far the bytes from position from on are at hand.
func (o *reading) holds(from int64) (to int64, ok bool) {
	switch {
	case from <= o.size && (from < o.size || o.saved.TailStart != o.size || len(o.saved.Tail) == 0):
		return o.size, true
	case len(o.saved.Tail) > 0 && from >= o.saved.TailStart && from <= o.saved.Total:
		return o.saved.Total, true
	}
	return 0, false
}

// Piece is a range of a stream, as JSON has it.
type Piece struct {
	Source
	Stream   string              `json:"stream"`
	Start    int64               `json:"start"`
	End      int64               `json:"end"`
	Total    format.Count        `json:"total_bytes"` // emitted; unknown while the stream is live
	Line     format.Count        `json:"line"`        // of Start, where lines were asked for
	Data     string              `json:"data"`
	Encoding string              `json:"encoding"` // of Data: utf-8, or base64 for bytes that are not
	Next     format.Opt[string]  `json:"next"`     // the cursor behind End
	Missing  format.Count        `json:"missing_bytes"`
	Tail     format.Opt[[]int64] `json:"saved_tail"` // the range that the preview has saved of what is missing
}

// piece describes what is to be printed.
func (o *reading) piece(from, to int64) Piece {
	p := Piece{Source: o.facts.source(o.name), Stream: o.name, Start: from, End: to, Missing: o.missing(o.facts)}
	if o.facts.final {
		p.Total = o.facts.receipt.Streams[o.name].Representation.Emitted
	}
	if len(o.saved.Tail) > 0 {
		p.Tail = format.Some([]int64{max(o.saved.TailStart, o.size), o.saved.Total})
	}
	return p
}

// print puts out a piece: its bytes in blocks, or one object.
func (o *reading) print(p Piece) error {
	if o.out.JSON {
		data, err := o.read(p.Start, p.End)
		if err != nil {
			return err
		}
		if p.Data, p.Encoding = string(data), "utf-8"; !utf8.Valid(data) {
			p.Data, p.Encoding = base64.StdEncoding.EncodeToString(data), "base64"
		}
		return o.out.object(p)
	}
	s := screen{terminal: o.out.Terminal}
	for at := p.Start; at < p.End; {
		data, err := o.read(at, min(p.End, at+blockSize))
		if err != nil {
			return err
		}
		if at+int64(len(data)) < p.End && len(wholeEnd(data)) > 0 {
			data = wholeEnd(data)
		}
		if _, err := o.out.W.Write(s.show(data)); err != nil {
			return err
		}
		at += int64(len(data))
	}
	return nil
}

// whole shrinks [from, to) to whole characters. Nothing is shrunk away that a
// character does not reach across: the edges of the stream, and bytes that are
// no text.
func (o *reading) whole(from, to int64) (start, stop int64, err error) {
	if o.facts.receipt.Representation.Kind.Or("") == format.KindBinary {
		return from, to, nil
	}
	if from > 0 {
		edge, err := o.read(from, min(to, from+utf8.UTFMax-1))
		if err != nil {
			return 0, 0, err
		}
		from += int64(len(edge) - len(wholeStart(edge)))
	}
	if to != o.size && to != o.saved.Total {
		edge, err := o.read(max(from, to-utf8.UTFMax+1), to)
		if err != nil {
			return 0, 0, err
		}
		to -= int64(len(edge) - len(wholeEnd(edge)))
	}
	return from, to, nil
}

// Range is two bounds. What they count, and whether High is one of them, is the
// caller's affair.
type Range struct{ Low, High int64 } // 0 ≤ Low ≤ High; High is math.MaxInt64 for no bound

// RangeOptions are those of [Bytes] and [Lines].
type RangeOptions struct {
	Range Range
	Exact bool  // bytes as asked for, though they tear characters
	Limit int64 // bytes; 0 is [DefaultLimit]
	Output
}

// Bytes prints the bytes [Low, High) of a stream, counted from 0. The range is
// shrunk to whole characters, and to the limit.
func Bytes(c *capture.Capture, stream string, r RangeOptions) error {
	o, err := openFor(c, stream, limitOf(r.Limit, r.Output), r.Output)
	if err != nil {
		return err
	}
	defer o.Close() //nolint:errcheck // nothing was written
	from, to := r.Range.Low, r.Range.High
	end, ok := o.holds(from)
	if !ok {
		return o.located(fmt.Errorf("byte %d is not there: %s", from, o.end()))
	}
	if to > end {
		if to != math.MaxInt64 {
			o.out.Note(fmt.Sprintf("bytes end at %d: %s", end, o.end()))
		}
		to = end
	}
	return o.bytes(from, to, r.Exact, format.Unknown())
}

// bytes prints [from, to), which is at hand, as far as the limit allows.
func (o *reading) bytes(from, to int64, exact bool, line format.Count) error {
	end := from + min(o.limit, to-from)
	start, stop := from, end
	if !exact {
		var err error
		if start, stop, err = o.whole(from, end); err != nil {
			return err
		}
	}
	p := o.piece(start, stop)
	p.Line = line
	if err := o.print(p); err != nil {
		return err
	}
	if start != from || stop != to && end == to {
		o.out.Note(fmt.Sprintf("shrunk to whole characters: bytes %d:%d", start, stop))
	}
	if end < to {
		o.out.Note(fmt.Sprintf("stopped at --limit %v: go on with --bytes-range %d:%d", format.Size(o.limit), stop, to))
	}
	return nil
}

// limitOf returns the limit in force. What is encoded into an object is held in
// memory.
func limitOf(n int64, out Output) int64 {
	if n == 0 {
		n = DefaultLimit
	}
	if out.JSON {
		n = min(n, maxObject)
	}
	return n
}
