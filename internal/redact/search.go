package redact

import "encoding/binary"

// sieveSize is how much text goes through each step of a search at a time.
const sieveSize = 2 << 10

// A sieve is the working memory of a search. Each step writes down what it lets
// through, whether it lets it through or not, and only moves on if it does: no
// branch depends on the text, so that none is mispredicted.
type sieve struct {
	blocks  [sieveSize/8 + 1]uint16 // of eight bytes, in which a triple was seen
	triples [sieveSize/2 + 4]uint16
	windows [sieveSize + 2]uint16 // one more than where it begins
}

// search looks at every anchor whose window begins in the text that has not been
// searched, in the order of position, until there are many spans more.
func (w *Writer) search(t *text) {
	x, s, b, from := w.set.index, &w.sieve, t.b, w.scanned
	many := len(w.spans) + manySpans
	last := len(b) - windowSize // where the last one may begin
	if from > last {
		return
	}
	for i := from; i <= last+1; i += sieveSize {
		if len(w.spans) >= many {
			w.scanned = i
			return
		}
		n := x.siftBlocks(b[i:], s)
		n = x.siftTriples(b[i:], s, n)
		n = x.siftWindows(b, i, from, s, n)
		for _, at := range s.windows[:n] {
			at := i + int(at) - 1
			window := binary.LittleEndian.Uint32(b[at:]) | foldMask
			for j := x.lists[slot4(window)>>(16-listBits)]; j >= 0; j = x.entries[j].next {
				if e := &x.entries[j]; e.window == window {
					w.found(t, e, at-int(e.back))
				}
			}
		}
	}
	w.scanned = last + 1
}

const foldAll = foldMask<<32 | foldMask

// siftBlocks finds the blocks in the first part of b in which a triple of the
// index begins at an even position. The last block may be incomplete.
func (x *index) siftBlocks(b []byte, s *sieve) int {
	t, n, i := x.triples, 0, 0
	for ; i < sieveSize && len(b) >= 24; i += 16 {
		c := (*[24]byte)(b)
		v0 := binary.LittleEndian.Uint64(c[0:]) | foldAll
		v6 := binary.LittleEndian.Uint64(c[6:]) | foldAll
		v8 := binary.LittleEndian.Uint64(c[8:]) | foldAll
		v14 := binary.LittleEndian.Uint64(c[14:]) | foldAll
		s.blocks[n] = uint16(i)
		if t[slot3(uint32(v0))]|t[slot3(uint32(v0>>16))]|t[slot3(uint32(v0>>32))]|t[slot3(uint32(v6))] != 0 {
			n++
		}
		s.blocks[n] = uint16(i + 8)
		if t[slot3(uint32(v8))]|t[slot3(uint32(v8>>16))]|t[slot3(uint32(v8>>32))]|t[slot3(uint32(v14))] != 0 {
			n++
		}
		b = b[16:]
	}
	for ; i < sieveSize && len(b) >= 3; i += 8 {
		s.blocks[n] = uint16(i)
		n++
		b = b[min(8, len(b)):]
	}
	return n
}

// siftTriples finds the triples in the first n blocks.
func (x *index) siftTriples(b []byte, s *sieve, n int) int {
	t, m := x.triples, 0
	for _, at := range s.blocks[:n] {
		if int(at)+16 > len(b) {
			for i := int(at); i < min(int(at)+8, len(b)-2); i += 2 {
				s.triples[m] = uint16(i)
				m++
			}
			continue
		}
		c := (*[16]byte)(b[at:])
		v0 := binary.LittleEndian.Uint64(c[0:]) | foldAll
		v6 := binary.LittleEndian.Uint64(c[6:]) | foldAll
		out := (*[4]uint16)(s.triples[m:])
		k := 0
		out[0] = at
		if t[slot3(uint32(v0))] != 0 {
			k = 1
		}
		out[k&3] = at + 2
		if t[slot3(uint32(v0>>16))] != 0 {
			k++
		}
		out[k&3] = at + 4
		if t[slot3(uint32(v0>>32))] != 0 {
			k++
		}
		out[k&3] = at + 6
		if t[slot3(uint32(v6))] != 0 {
			k++
		}
		m += k
	}
	return m
}

// siftWindows finds the windows around the first n triples of the part of b that
// begins at base: the one that begins a byte before and the one that begins with
// the triple.
func (x *index) siftWindows(b []byte, base, from int, s *sieve, n int) int {
	m := 0
	for _, at := range s.triples[:n] {
		i := base + int(at)
		if i == from || i+4 > len(b) { // at the ends there is only one of them
			s.windows[m] = at
			if i == from {
				s.windows[m]++
			}
			m++
			continue
		}
		c := (*[5]byte)(b[i-1:])
		w0 := binary.LittleEndian.Uint32(c[0:]) | foldMask
		w1 := binary.LittleEndian.Uint32(c[1:]) | foldMask
		kinds := x.triples[slot3(w1)]
		h0, h1 := slot4(w0), slot4(w1)
		s.windows[m] = at
		m += int(x.windows[h0>>3] >> (h0 & 7) & (kinds >> 1) & 1)
		s.windows[m] = at + 1
		m += int(x.windows[h1>>3] >> (h1 & 7) & kinds & 1)
	}
	return m
}
