package preview

import (
	"bytes"
	"unicode/utf8"
)

// replacement is U+FFFD in UTF-8.
const replacement = "\uFFFD"

// text is valid UTF-8 that stands for bytes of a stream.
type text struct {
	b []byte // valid UTF-8

	// lossy says that some byte was ill-formed. Then every U+FFFD in b stands
	// for exactly one byte of the stream; one that the stream itself held was
	// written as three.
	lossy bool
}

// toText makes b valid. It returns b itself where it already is.
func toText(b []byte) text {
	if utf8.Valid(b) {
		return text{b: b}
	}
	out := make([]byte, 0, len(b)+len(b)/2)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError {
			for range n {
				out = append(out, replacement...)
			}
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return text{b: out, lossy: true}
}

// joined returns the text of t followed by u.
func (t text) joined(u text) text {
	switch {
	case len(u.b) == 0:
		return t
	case len(t.b) == 0:
		return u
	}
	lossy := t.lossy || u.lossy
	out := make([]byte, 0, len(t.b)+len(u.b))
	for _, part := range []text{t, u} {
		if lossy && !part.lossy {
			part.b = bytes.ReplaceAll(part.b, []byte(replacement), []byte(replacement+replacement+replacement))
		}
		out = append(out, part.b...)
	}
	return text{b: out, lossy: lossy}
}

// raw returns how many bytes of the stream the piece p of t stands for.
func (t text) raw(p []byte) int64 {
	if !t.lossy {
		return int64(len(p))
	}
	return int64(len(p) - (len(replacement)-1)*bytes.Count(p, []byte(replacement)))
}

// wholeEnd returns b without an incomplete sequence at its end, where more of
// the stream follows.
func wholeEnd(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		c := b[len(b)-i]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			return b
		}
	}
	return b
}

// wholeStart returns b without the rest of a sequence at its beginning, where
// more of the stream goes before.
func wholeStart(b []byte) []byte {
	i := 0
	for i < min(utf8.UTFMax-1, len(b)) && !utf8.RuneStart(b[i]) {
		i++
	}
	return b[i:]
}
