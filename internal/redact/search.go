package redact

import "encoding/binary"

// sieveSize is how much text goes through each step of a search at a time.
const sieveSize = 2 << 10

// A sieve is the working memory of a search. Each step writes down what it lets
// through, whether it lets it through or not, and only moves on if it does: no
// branch depends on the text, so that none is mispredicted.
type sieve struct {
	blocks  blocks
	windows [2 * (sieveSize + 8)]byte // one more than where each begins, in two bytes
	hits    [sieveSize]uint16         // windows in the index, by their hash
}

// blocks are of eight bytes: where one begins, times 256, and its mask.
type blocks [sieveSize/8 + 1]uint32

// search looks at every anchor whose window begins in [from, end), in the order of
// position, until there are many spans more. It returns up to where it has looked.
func (s *searcher) search(t *text, from, end int) int {
	x, sieve, b := s.set.index, &s.sieve, t.b[:min(len(t.b), end+windowSize-1)]
	many := len(s.spans) + manySpans
	last := len(b) - windowSize // where the last one may begin
	if from > last {
		return from
	}
	for i := from; i <= last+1; i += sieveSize {
		if len(s.spans) >= many {
			return i - 1 // the window that begins there belongs to the next block
		}
		n := x.siftBlocks(b[i:], sieve)
		if i == from && n > 0 && sieve.blocks[0]>>8 == 0 {
			sieve.blocks[0] &^= tailPair // the window before the first is not to be looked at
		}
		n = x.siftWindows(b, i, sieve, sieve.spread(n))
		s.looked += n
		for _, hit := range sieve.hits[:n] {
			at := i + int(hit) - 1
			window := binary.LittleEndian.Uint32(b[at:]) | foldMask
			for j := x.lists[slot4(window)>>(windowBits-listBits)]; j >= 0; j = x.links[j].next {
				if x.links[j].window == window {
					e := &x.entries[j]
					s.found(t, e, at-int(e.back))
				}
			}
		}
	}
	return last + 1
}

// siftBlocks finds the blocks in the first part of b in which a triple of the
// index begins at an even position. A block's mask tells which windows cover its
// triples: in it, bit n stands for the window that begins at n-1.
func (x *index) siftBlocks(b []byte, s *sieve) int {
	n, i := siftWhole(x.triples, b, &s.blocks)
	for ; i < sieveSize && i+3 <= len(b); i += 8 {
		s.blocks[n] = uint32(i)<<8 | uint32(x.mask(b[i:]))
		n++
	}
	return n
}

// spread writes down the windows of the first n blocks, and returns how many bytes
// that takes. A table tells which bits of a mask are set, all at once.
func (s *sieve) spread(n int) int {
	const each = 1<<48 | 1<<32 | 1<<16 | 1
	m := 0
	for _, block := range s.blocks[:n] {
		p := &spreads[block&0xff]
		out := (*[16]byte)(s.windows[m:])
		binary.LittleEndian.PutUint64(out[:8], p.low+uint64(block>>8)*each)
		binary.LittleEndian.PutUint64(out[8:], p.high+uint64(block>>8)*each)
		m += int(p.size)
	}
	return m
}

// mask returns the mask of the block that b begins with. The text may end before its
// last triple.
func (x *index) mask(b []byte) (mask uint8) {
	for k := 0; k < 8 && k+3 <= len(b); k += 2 {
		kinds := x.triples[slot3(uint32(b[k])|uint32(b[k+1])<<8|uint32(b[k+2])<<16|foldMask)]
		if k+windowSize > len(b) {
			kinds &= tailPair
		}
		mask |= kinds << k
	}
	return mask
}

// A spread is the numbers of the bits that a mask has, in ascending order, two
// bytes each.
type spread struct{ low, high, size uint64 }

// siftWindows keeps those of the windows whose hash is that of one of the index.
// They begin in the part of b at base.
func (x *index) siftWindows(b []byte, base int, s *sieve, n int) int {
	m := 0
	for in := s.windows[:n]; len(in) >= 2; in = in[2:] {
		at := binary.LittleEndian.Uint16(in)
		c := (*[windowSize]byte)(b[base+int(at)-1:])
		h := slot4(binary.LittleEndian.Uint32(c[:]) | foldMask)
		s.hits[m%len(s.hits)] = at
		m += int(x.windows[h>>3] >> (h & 7) & 1)
	}
	return m
}
