package redact

import (
	"encoding/binary"
	"slices"
	"sort"
	"strings"
)

// Every rule and every written form of a literal has anchors: strings one of
// which its secret cannot do without. Each anchor is looked for by one window of
// four bytes, its rarest. The search takes three steps, each of which lets few
// through to the next:
//
//  1. every second position of the text, by the hash of the three bytes there.
//     A window at any position covers one such triple, either with its first
//     three bytes or with its last three.
//  2. the hash of the four bytes, in a bitmap.
//  3. the list of windows with that hash.
//
// Letters are compared without case throughout; the matcher looks again.

const (
	tailPair = 1 << iota // the triple is the last three bytes of a window
	headPair             // the triple is the first three
)

const (
	windowSize = 4
	foldMask   = 0x20202020
	windowBits = 18 // of the bitmap of windows
	listBits   = 11
)

// The multipliers of slot3: of a dozen pairs those by which texts showed fewest
// triples of the rules' slots.
const (
	mul01 = 0xb2c5
	mul12 = 0x8a95
)

// slot3 hashes the first three of the folded bytes in x: the two pairs in them,
// each multiplied, so that it can be done for many places at once.
func slot3(x uint32) uint32 { return (x*mul01 + x>>8*mul12) & 0xffff }

// slot4 hashes four folded bytes.
func slot4(x uint32) uint32 { return x * 0x7feb352d >> (32 - windowBits) }

// fold4 returns the first four bytes of b, folded.
func fold4(b []byte) uint32 { return binary.LittleEndian.Uint32(b) | foldMask }

// A link holds the window of an entry and joins it to the others of its list.
type link struct {
	window uint32 // four bytes, folded
	next   int32  // of the same list, -1 at its end
}

// An entry is one window of one anchor.
type entry struct {
	target     int32  // ≥ 0: a rule; < 0: the family ^target
	back       int16  // from the anchor's first byte to the window
	anchor     int16  // which of the rule's
	skip       int16  // from the anchor's first byte to the word
	word       string // the fixed text of a rule's anchor
	head, tail int16  // word[head:tail] is in the window
	last       byte   // of the word, 0 if that is empty
	bound      bool   // the anchor must stand where a token may begin
}

// A prefix is the beginning of a secret up to the end of its window: what the
// end of the text must not show while it is incomplete.
type prefix struct {
	text  string
	bound bool // only where a token may begin
}

// An index holds all anchors of a set.
type index struct {
	triples  *[1 << 16]uint8
	windows  *[1 << (windowBits - 3)]uint8
	lists    *[1 << listBits]int32 // by the upper bits of slot4
	links    []link                // of the entries, in the same order
	entries  []entry
	prefixes [2][]prefix // of rules and of literals, each sorted by text
	longest  int         // the longest prefix
}

// newIndex returns an index with nothing in it.
func newIndex() *index {
	x := &index{triples: new([1 << 16]uint8), windows: new([1 << (windowBits - 3)]uint8), lists: new([1 << listBits]int32)}
	for i := range x.lists {
		x.lists[i] = -1
	}
	return x
}

// builtinIndex returns the index of the built-in rules. It lies in the program
// as it is used.
func builtinIndex() index {
	return index{
		triples: (*[1 << 16]uint8)(builtinTriples), windows: (*[1 << (windowBits - 3)]uint8)(builtinWindows),
		lists: &builtinLists,
		links: builtinLinks[:len(builtinLinks):len(builtinLinks)], entries: builtinEntries[:len(builtinEntries):len(builtinEntries)],
		prefixes: [2][]prefix{builtinPrefixes[:]}, longest: builtinLongest,
	}
}

// clone returns an index that may be added to.
func (x *index) clone() *index {
	c := *x
	triples, windows, lists := *x.triples, *x.windows, *x.lists
	c.triples, c.windows, c.lists = &triples, &windows, &lists
	return &c
}

// add enters an anchor by the window of four bytes at e.back in text, which is
// the anchor as it may stand.
func (x *index) add(text string, e entry) {
	w := fold4([]byte(text[e.back : e.back+windowSize]))
	x.triples[slot3(w)] |= headPair
	x.triples[slot3(w>>8)] |= tailPair
	h := slot4(w)
	x.windows[h>>3] |= 1 << (h & 7)
	list := h >> (windowBits - listBits)
	for i := x.lists[list]; i >= 0; i = x.links[i].next {
		o := &x.entries[i]
		if x.links[i].window == w && o.target == e.target && o.back == e.back && o.anchor == e.anchor {
			return
		}
	}
	x.links = append(x.links, link{window: w, next: x.lists[list]})
	e.head = min(max(0, e.back-e.skip), int16(len(e.word)))
	e.tail = max(e.head, min(e.back-e.skip+windowSize, int16(len(e.word))))
	if e.word != "" {
		e.last = e.word[len(e.word)-1]
	}
	x.entries = append(x.entries, e)
	x.lists[list] = int32(len(x.entries) - 1)
}

// addPrefix enters what must be held at the end of the text: of a rule, or of a
// literal.
func (x *index) addPrefix(p prefix, list int) {
	x.prefixes[list] = append(x.prefixes[list], p)
	x.longest = max(x.longest, len(p.text))
}

// finish brings a list of prefixes into order.
func (x *index) finish(list int) {
	slices.SortFunc(x.prefixes[list], func(a, b prefix) int { return strings.Compare(a.text, b.text) })
	x.prefixes[list] = slices.Compact(x.prefixes[list])
}

// rarest returns where in the word the window lies that texts show least, among
// its first limit positions. How often they show four bytes is guessed from the
// two triples in them.
func rarest(word string, limit int) int {
	best, at := 1<<30, 0
	for i := 0; i+4 <= len(word) && i < limit; i++ {
		w := binary.LittleEndian.Uint32([]byte(word[i:i+4])) | foldMask
		cost := 1<<frequency(slot3(w)) + 1<<frequency(slot3(w>>8))
		if cost < best {
			best, at = cost, i
		}
	}
	return at
}

// frequency tells how often texts have a triple of that slot: the logarithm of
// its count in a mebibyte.
func frequency(slot uint32) uint8 { return tripleFrequencies[slot>>1] >> (slot & 1 * 4) & 0xf }

// held returns the first position from which the end of the text may grow into a
// secret that the search has not seen yet, len(b) if there is none.
func (x *index) held(b []byte) int {
	for i := max(0, len(b)-x.longest+1); i < len(b); i++ {
		if p := x.startsWith(b[i:]); p != nil && (!p.bound || (&text{b: b}).freeLeft(i)) {
			return i
		}
	}
	return len(b)
}

// startsWith returns a prefix that begins with tail and is longer; one that may
// begin anywhere, if there is such a one.
func (x *index) startsWith(tail []byte) *prefix {
	var found *prefix
	for _, list := range x.prefixes {
		i := sort.Search(len(list), func(i int) bool { return list[i].text >= string(tail) })
		for ; i < len(list) && strings.HasPrefix(list[i].text, string(tail)); i++ {
			if len(list[i].text) == len(tail) {
				continue
			}
			if found = &list[i]; !found.bound {
				return found
			}
		}
	}
	return found
}
