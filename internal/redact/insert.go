package redact

import (
	"cmp"
	"slices"
)

// inserts are the parts of the stream that are invisible to matching: escape
// sequences that are kept, NUL and other controls, zero-width characters. They
// stand beside the text, each before the byte at its position.
type inserts struct {
	list  []insert
	next  int    // the first of list that is still to come
	bytes []byte // of kept sequences
	off   int    // where those of list[next] begin
}

type insert struct {
	at    int // position in the text
	count int // of repetitions
	char  [4]byte
	size  int // of char; if more, of the sequence in bytes
	style bool
}

// maxInserts bounds the inserts beside text that is undecided. Beyond it they
// are dropped, and counted as omitted.
const maxInserts = 1 << 16

// add enters one invisible character or sequence. It tells whether there was
// room.
func (s *inserts) add(at int, style bool, b []byte) bool {
	i := insert{at: at, count: 1, size: len(b), style: style}
	if len(b) <= len(i.char) && !style {
		copy(i.char[:], b)
		if n := len(s.list) - 1; n >= s.next {
			if last := &s.list[n]; last.at == at && last.size == i.size && last.char == i.char {
				last.count++
				return true
			}
		}
	}
	if len(s.list)-s.next >= maxInserts {
		return false
	}
	if i.stored() {
		s.bytes = append(s.bytes, b...)
	}
	s.list = append(s.list, i)
	return true
}

// stored tells whether the bytes lie outside the insert.
func (i insert) stored() bool { return i.style || i.size > len(i.char) }

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
		b := i.char[:min(i.size, len(i.char))]
		if i.stored() {
			b = s.bytes[s.off : s.off+i.size]
			s.off += i.size
		}
		for range i.count {
			if all || i.style {
				w.emit(b)
			}
		}
	}
	if s.next > 0 && s.next == len(s.list) {
		s.list, s.bytes = s.list[:0], s.bytes[:0]
		s.next, s.off = 0, 0
	}
}

// nul tells whether a NUL stands before the byte at position at.
func (s *inserts) nul(at int) bool {
	list := s.list[s.next:]
	i, found := slices.BinarySearchFunc(list, at, func(i insert, at int) int { return cmp.Compare(i.at, at) })
	for ; found && i < len(list) && list[i].at == at; i++ {
		if list[i].size == 1 && list[i].char[0] == 0 && !list[i].style {
			return true
		}
	}
	return false
}

// shift follows the buffer when its first n bytes go.
func (s *inserts) shift(n int) {
	s.list = append(s.list[:0], s.list[s.next:]...)
	s.bytes = append(s.bytes[:0], s.bytes[s.off:]...)
	s.next, s.off = 0, 0
	for i := range s.list {
		s.list[i].at -= n
	}
}
