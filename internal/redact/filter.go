package redact

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A filter takes escape sequences and other invisible bytes out of UTF-8 text,
// so that they cannot split a secret. Its input may be cut anywhere between
// characters.
//
// Sequences are those of ECMA-48: CSI with its parameters, the strings OSC, DCS,
// APC, PM and SOS up to their terminator, and the short ones. A string also ends
// before a line end, so that an unterminated one does not eat the log.
type filter struct {
	keep  bool // sequences stay, beside the text
	state escState
	seq   []byte // of the sequence under way; only its bounded beginning
	size  int    // of the sequence under way
}

type escState uint8

const (
	escGround escState = iota
	escBegun           // after ESC
	escShort           // after ESC and intermediate bytes
	escCSI
	escString
	escStringEnd // after ESC inside a string
)

// maxSequence bounds a kept escape sequence. A longer one is omitted.
const maxSequence = 4 << 10

func (f *filter) ground() bool { return f.state == escGround }

// held returns how many bytes of the input are part of an unfinished sequence.
func (f *filter) held() int { return f.size }

// run filters p onto the end of the text.
func (f *filter) run(w *Writer, p []byte) {
	for len(p) > 0 {
		if f.state != escGround {
			p = p[f.sequence(w, p):]
			continue
		}
		n := sameControls(p)
		if n > 0 {
			if !w.ins.repeat(len(w.buf), p[0], n) {
				w.dropped(n)
			}
			p = p[n:]
			continue
		}
		if n = textLen(p); n > 0 {
			w.buf = append(w.buf, p[:n]...)
			p = p[n:]
			continue
		}
		if p[0] == esc {
			if n := controlSequence(p); n > 0 {
				w.stripped = w.stripped || !f.keep
				if f.keep {
					w.beside(p[:n], p[n-1] == 'm')
				}
				p = p[n:]
				continue
			}
			f.begin(escBegun, p[:1])
			p = p[1:]
			continue
		}
		_, n = utf8.DecodeRune(p)
		if string(p[:n]) == "\u009b" {
			f.begin(escCSI, p[:n])
		} else {
			w.beside(p[:n], false)
		}
		p = p[n:]
	}
}

// sameControls returns how often the control is repeated that p begins with, 0 if
// there is none.
func sameControls(p []byte) int {
	if c := p[0]; c == esc || c >= ' ' && c != 0x7f || c-'\t' < 5 {
		return 0
	}
	n := 1
	for n < len(p) && p[n] == p[0] {
		n++
	}
	return n
}

// controlSequence returns the length of the CSI sequence that p begins with, or 0
// if there is none or its end has not come or is too far. A byte that cannot
// belong to it ends it too.
func controlSequence(p []byte) int {
	if len(p) < 2 || p[1] != '[' {
		return 0
	}
	p = p[:min(len(p), maxSequence)]
	for i := 2; i < len(p); i++ {
		switch c := p[i]; {
		case c >= 0x40 && c < 0x7f:
			return i + 1
		case c < 0x20 || c >= 0x40:
			return i
		}
	}
	return 0
}

// beside puts an invisible character or a kept sequence beside the text.
func (w *Writer) beside(b []byte, style bool) {
	if !w.ins.add(len(w.buf), style, b) {
		w.dropped(len(b))
	}
}

// dropped counts invisible bytes for which there was no room.
func (w *Writer) dropped(n int) {
	w.stats.OmittedSpans++
	w.stats.OmittedBytes += int64(n)
}

const esc = 0x1b

func (f *filter) begin(s escState, b []byte) {
	f.state, f.seq, f.size = s, append(f.seq[:0], b...), len(b)
}

// sequence consumes bytes of the sequence under way and returns how many.
func (f *filter) sequence(w *Writer, p []byte) int {
	for i, c := range p {
		next, consumed, done := f.state.step(c)
		if consumed {
			f.size++
			if len(f.seq) < maxSequence {
				f.seq = append(f.seq, c)
			}
		}
		f.state = next
		if done {
			f.finish(w)
			if consumed {
				i++
			}
			return i
		}
	}
	return len(p)
}

// step returns the state after byte c, whether c is part of the sequence, and
// whether the sequence ends here.
func (s escState) step(c byte) (next escState, consumed, done bool) {
	switch s {
	case escBegun:
		switch {
		case c == '[':
			return escCSI, true, false
		case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
			return escString, true, false
		case c >= 0x20 && c < 0x30:
			return escShort, true, false
		}
		return escGround, c >= 0x30 && c < 0x7f, true
	case escShort:
		if c >= 0x20 && c < 0x30 {
			return escShort, true, false
		}
		return escGround, c >= 0x30 && c < 0x7f, true
	case escCSI:
		if c >= 0x20 && c < 0x40 {
			return escCSI, true, false
		}
		return escGround, c >= 0x40 && c < 0x7f, true
	case escString:
		switch c {
		case '\a':
			return escGround, true, true
		case esc:
			return escStringEnd, true, false
		case '\n', '\r', 0x18, 0x1a: // CAN and SUB abort a sequence
			return escGround, false, true
		}
		return escString, true, false
	case escStringEnd:
		if c == '\\' {
			return escGround, true, true
		}
		return escBegun.step(c)
	}
	panic("redact: escape sequence outside one")
}

// finish strips the sequence, or puts it beside the text.
func (f *filter) finish(w *Writer) {
	w.stripped = w.stripped || !f.keep
	if f.keep {
		b := f.seq
		switch {
		case f.size > len(f.seq):
			b = omission(f.size, "escape-sequence")
			w.stats.OmittedSpans++
			w.stats.OmittedBytes += int64(f.size)
		case len(b) > 2 && b[1] != '[' && b[0] == esc:
			b = []byte(w.set.stringText(string(b)))
		}
		w.beside(b, b[len(b)-1] == 'm' && b[0] == esc && b[1] == '[')
	}
	f.size = 0
}

// end drops the unfinished sequence at the end of the input.
func (f *filter) end(w *Writer) {
	if f.state != escGround {
		f.state = escGround
		f.finish(w)
	}
}

// textLen returns the length of the beginning of b that is plain text: valid
// UTF-8 without controls other than white space, and without what has no width.
func textLen(b []byte) int {
	i := 0
	for {
		i += usualLen(b[i:])
		for ; i+8 <= len(b); i += 8 {
			if u := unusual(binary.LittleEndian.Uint64(b[i:])) & highBits; u != 0 {
				i += bits.TrailingZeros64(u) / 8
				break
			}
		}
		n := visible(b[i:])
		if n == 0 {
			return i
		}
		if i += n; n > 1 && i < len(b) && b[i] >= utf8.RuneSelf {
			i += wideLen(b[i:])
		}
	}
}

// wideLen returns the length of the visible characters at the beginning of b
// that are not ASCII: seldom is one alone.
func wideLen(b []byte) int {
	i := 0
	for i < len(b) && b[i] >= utf8.RuneSelf {
		n := visible(b[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

const highBits = 0x8080808080808080 // of each byte

// unusual sets the high bit of those bytes of v that are not printable ASCII or
// white space, 0x09 to 0x0d.
func unusual(v uint64) uint64 {
	const ones = 0x0101010101010101
	// (v|high)-n has its high bit clear where the low seven bits are below n.
	u := v | highBits
	below := ^(u-0x20*ones)&(u-0x0e*ones) | ^(u - 0x09*ones)
	del := (v &^ highBits) + ones // 0x80 only from 0x7f
	return below | del | v
}

// visible returns the length of the character at the beginning of b, 0 if b is
// empty or what begins there is incomplete, ill-formed or invisible.
func visible(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	c := b[0]
	if c < utf8.RuneSelf {
		if c >= 0x20 && c != 0x7f || c-'\t' < 5 {
			return 1
		}
		return 0
	}
	if len(b) >= 3 && c > 0xe2 && c <= 0xef && c != 0xed && int8(b[1]) < -0x40 && int8(b[2]) < -0x40 && (c < 0xef || b[1] > 0xbb) {
		return 3 // of most scripts, and all of it visible; so is U+FFFD
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 || invisible(r) {
		return 0
	}
	return n
}

// invisible tells whether r shows nothing and takes no room: C1 controls, soft
// hyphen, zero-width characters, marks of direction, variation selectors, tags
// (Unicode 16, Default_Ignorable_Code_Point, without the letters that Hangul and
// musical notation have there).
func invisible(r rune) bool {
	switch {
	case r < 0xa0:
		return true
	case r < 0x34f:
		return r == 0xad
	case r < 0x2000:
		return r == 0x34f || r == 0x61c || r >= 0x180b && r <= 0x180f
	case r < 0xfe00:
		return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f
	case r <= 0xfe0f || r == 0xfeff:
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff
}
