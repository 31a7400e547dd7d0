package preview

import (
	"bytes"
	"unicode/utf8"
)

// A screen tells what of a text may be shown where. To a terminal goes no
// control character of the data but newline and tab, nothing that turns the
// direction of writing around or separates lines, and no CR before a newline.
type screen struct{ terminal bool }

// picture returns what stands for r, which may be r itself. A negative rune
// shows nothing.
func (s screen) picture(r rune, next byte) rune {
	if !s.terminal {
		return r
	}
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\r' && next == '\n':
		return -1
	case r < ' ':
		return '\u2400' + r // the pictures of the C0 characters, in order
	case r == 0x7f:
		return '\u2421'
	case isHostile(r):
		return utf8.RuneError
	}
	return r
}

// isHostile tells of the characters beyond ASCII that steer a terminal or its
// bidirectional algorithm: C1 controls, embeddings, overrides and isolates,
// line and paragraph separators, deprecated format characters.
func isHostile(r rune) bool {
	return r >= 0x80 && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x206f
}

// width returns how many bytes and characters r takes.
func (s screen) width(r rune, size int, next byte) (chars, width int) {
	if !s.terminal {
		return 1, size
	}
	switch p := s.picture(r, next); {
	case p < 0:
		return 0, 0
	case p == r:
		return 1, size
	default:
		return 1, utf8.RuneLen(p)
	}
}

// measure returns how many characters and bytes b takes.
func (s screen) measure(b []byte) (chars, width int) {
	if !s.terminal {
		return utf8.RuneCount(b), len(b)
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		c, w := s.width(r, n, byteAt(b, i+n))
		chars, width, i = chars+c, width+w, i+n
	}
	return chars, width
}

// show returns b as it may be shown: b itself where nothing changes.
func (s screen) show(b []byte) []byte {
	if !s.terminal || !bytes.ContainsFunc(b, func(r rune) bool { return s.picture(r, 0) != r }) {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/4)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if p := s.picture(r, byteAt(b, i+n)); p >= 0 {
			out = utf8.AppendRune(out, p)
		}
		i += n
	}
	return out
}

// ForTerminal returns text as it may be shown on a terminal: no control or
// bidi-override character but newline and tab, and a line that was drawn again
// in its last state, as the terminal itself would leave it.
func ForTerminal(b []byte) []byte { return screen{terminal: true}.show(collapse(toText(b)).b) }

// byteAt returns b[i], or 0 beyond the end.
func byteAt(b []byte, i int) byte {
	if i < len(b) {
		return b[i]
	}
	return 0
}
