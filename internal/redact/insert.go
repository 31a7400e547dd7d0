package redact

import "math"

// inserts are the parts of the stream that are invisible to matching: escape
// sequences that are kept, NUL and other controls, zero-width characters. They
// stand beside the text, each before the byte at its position.
type inserts struct {
	list  []insert
	next  int    // the first of list that is still to come
	hint  int    // where in list was looked last: the next look is not far
	bytes []byte // of kept sequences
	off   int    // where those of list[next] begin
}

type insert struct {
	at    int   // position in the text
	count int32 // of repetitions
	size  int32 // of char; if more, of the sequence in bytes
	char  [4]byte
	style bool
}

// maxInserts bounds the inserts beside text that is undecided. Beyond it they
// are dropped, and counted as omitted.
const maxInserts = 1 << 16

// add enters one invisible character or sequence. It tells whether there was
// room.
func (s *inserts) add(at int, style bool, b []byte) bool {
	var char [4]byte
	stored := style || len(b) > len(char)
	if !stored {
		copy(char[:], b)
		if n := len(s.list) - 1; n >= s.next {
			last := &s.list[n]
			if last.at == at && last.char == char && last.size == int32(len(b)) && last.count < math.MaxInt32 {
				last.count++
				return true
			}
		}
	}
	if len(s.list)-s.next >= maxInserts {
		return false
	}
	if stored {
		s.bytes = append(s.bytes, b...)
	}
	s.list = append(s.list, insert{})
	i := &s.list[len(s.list)-1] // filled in where it lies
	i.at, i.count, i.size, i.char, i.style = at, 1, int32(len(b)), char, style
	return true
}

// repeat enters one byte n times.
func (s *inserts) repeat(at int, c byte, n int) bool {
	if k := len(s.list) - 1; k >= s.next {
		last := &s.list[k]
		if last.at == at && last.char[0] == c && last.size == 1 && !last.style && int(last.count)+n <= math.MaxInt32 {
			last.count += int32(n)
			return true
		}
	}
	if len(s.list)-s.next >= maxInserts {
		return false
	}
	s.list = append(s.list, insert{})
	i := &s.list[len(s.list)-1]
	i.at, i.count, i.size, i.char[0] = at, int32(n), 1, c
	return true
}

// stored tells whether the bytes lie outside the insert.
func (i *insert) stored() bool { return i.style || int(i.size) > len(i.char) }

func (s *inserts) before(limit int) bool { return s.next < len(s.list) && s.list[s.next].at < limit }
func (s *inserts) first() int            { return s.list[s.next].at }

// emit writes the inserts before limit.
func (s *inserts) emit(w *Writer, limit int) { s.take(w, limit, true) }

// drop forgets the inserts before limit, but for colours: a marker must not
// leave the rest of the screen red.
func (s *inserts) drop(w *Writer, limit int) { s.take(w, limit, false) }

func (s *inserts) take(w *Writer, limit int, all bool) {
	for s.before(limit) {
		i := &s.list[s.next]
		s.next++
		if !i.stored() {
			switch {
			case !all:
			case i.size == 1 && i.count == 1:
				w.pending = append(w.pending, i.char[0]) // flushed with what follows
			default:
				i.emit(w)
			}
			continue
		}
		end := s.off + int(i.size)
		if all || i.style {
			w.emit(s.bytes[s.off:end])
		}
		s.off = end
	}
	if s.next > 0 && s.next == len(s.list) {
		s.list, s.bytes = s.list[:0], s.bytes[:0]
		s.next, s.off = 0, 0
	}
}

// emit writes what is not stored, as often as it stands there.
func (i *insert) emit(w *Writer) {
	if i.size > 1 || i.count == 1 {
		for range i.count {
			w.emit(i.char[:i.size])
		}
		return
	}
	var block [256]byte
	for k := range min(int(i.count), len(block)) {
		block[k] = i.char[0]
	}
	for left := int(i.count); left > 0; left -= len(block) {
		w.emit(block[:min(left, len(block))])
	}
}

// nul tells whether a NUL stands before the byte at position at.
func (s *inserts) nul(at int) bool {
	i := min(max(s.hint, s.next), len(s.list))
	for i > s.next && s.list[i-1].at >= at {
		i--
	}
	for i < len(s.list) && s.list[i].at < at {
		i++
	}
	s.hint = i
	for ; i < len(s.list) && s.list[i].at == at; i++ {
		if s.list[i].size == 1 && s.list[i].char[0] == 0 && !s.list[i].style {
			return true
		}
	}
	return false
}

// shift follows the buffer when its first n bytes go.
func (s *inserts) shift(n int) {
	s.list = append(s.list[:0], s.list[s.next:]...)
	s.bytes = append(s.bytes[:0], s.bytes[s.off:]...)
	s.next, s.off, s.hint = 0, 0, 0
	for i := range s.list {
		s.list[i].at -= n
	}
}
