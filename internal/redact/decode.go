package redact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// A decoder turns the input into valid UTF-8. What it returns ends between
// characters.
type decoder struct {
	name  string // of the encoding, "" until a byte order mark could decide
	auto  bool   // not decided yet
	plain bool   // UTF-8, and nothing held: text needs no decoding
	conv  transform.Transformer

	part     []byte // of an incomplete character
	buf      []byte
	replaced int64
	decoded  bool // the input was not UTF-8
}

const replacement = "\uFFFD"

// The byte order marks of Unicode 16, 23.8.
var byteOrderMarks = []struct{ mark, name string }{
	{"\xff\xfe\x00\x00", "utf-32le"},
	{"\x00\x00\xfe\xff", "utf-32be"},
	{"\xff\xfe", "utf-16le"},
	{"\xfe\xff", "utf-16be"},
	{"\xef\xbb\xbf", "utf-8"},
}

// init sets the decoder to the encoding of that name, which must be one that
// checkEncoding takes.
func (d *decoder) init(name string) {
	if name == "" || name == "auto" {
		d.auto = true
		return
	}
	d.use(name)
}

func (d *decoder) use(name string) {
	d.auto, d.name = false, name
	enc, err := encodingByName(name)
	if err != nil {
		panic("redact: unchecked encoding " + name)
	}
	if enc == nil {
		d.plain = true
		return
	}
	d.conv = enc.NewDecoder()
	d.decoded = true
}

// held returns how many bytes wait for the rest of their character.
func (d *decoder) held() int { return len(d.part) }

// decode returns the characters that p completes. At the end of the input what
// is incomplete is replaced.
func (d *decoder) decode(p []byte, end bool) []byte {
	if len(d.part) > 0 {
		p = append(d.part, p...)
		d.part = nil
	}
	if d.auto {
		if p = d.detect(p, end); d.auto {
			return nil
		}
	}
	if d.conv != nil {
		return d.convert(p, end)
	}
	d.buf = d.buf[:0]
	for len(p) > 0 {
		n := validLen(p)
		if n == len(p) && len(d.buf) == 0 {
			d.plain = true
			return p
		}
		d.buf = append(d.buf, p[:n]...)
		p = p[n:]
		if len(p) == 0 {
			break
		}
		if !end && !utf8.FullRune(p) {
			d.part = append([]byte(nil), p...)
			break
		}
		n = illFormed(p)
		for n > 0 {
			d.buf = append(d.buf, replacement...)
			d.replaced++
			p = p[n:]
			n = 0
			if len(p) > 0 && !mayLead(p[0]) { // what is ill-formed comes in runs
				n = 1
			}
		}
	}
	d.plain = len(d.part) == 0
	return d.buf
}

// detect looks for a byte order mark, as soon as enough has come to tell.
func (d *decoder) detect(p []byte, end bool) []byte {
	for _, m := range byteOrderMarks {
		if bytes.HasPrefix(p, []byte(m.mark)) {
			d.use(m.name)
			if d.conv != nil {
				p = p[len(m.mark):] // it belongs to the encoding, not to the text
			}
			return p
		}
		if !end && bytes.HasPrefix([]byte(m.mark), p) {
			d.part = append([]byte(nil), p...)
			return nil
		}
	}
	d.use("utf-8")
	return p
}

// validLen returns the length of the beginning of p that is valid UTF-8.
func validLen(p []byte) int {
	i := 0
	for i < len(p) {
		if i+8 <= len(p) && binary.LittleEndian.Uint64(p[i:])&0x8080808080808080 == 0 {
			i += 8
			continue
		}
		if p[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}

// mayLead tells whether a well-formed sequence may begin with c.
func mayLead(c byte) bool { return c < 0x80 || c >= 0xc2 && c <= 0xf4 }

// illFormed returns how many bytes one U+FFFD stands for: the maximal subpart
// of Unicode 16, 3.9 ("U+FFFD Substitution of Maximal Subparts").
func illFormed(p []byte) int {
	n := 1
	for n < len(p) && n < 4 && !utf8.FullRune(p[:n]) {
		n++
	}
	if n > 1 && utf8.FullRune(p[:n]) {
		n--
	}
	return n
}

// convert decodes another encoding through its transformer.
func (d *decoder) convert(p []byte, end bool) []byte {
	d.buf = d.buf[:0]
	for {
		if cap(d.buf)-len(d.buf) < 64 {
			d.buf = append(make([]byte, 0, 2*cap(d.buf)+4*len(p)+256), d.buf...)
		}
		nDst, nSrc, err := d.conv.Transform(d.buf[len(d.buf):cap(d.buf)], p, end)
		d.buf = d.buf[:len(d.buf)+nDst]
		p = p[nSrc:]
		switch {
		case errors.Is(err, transform.ErrShortDst):
			d.buf = append(make([]byte, 0, 2*cap(d.buf)+256), d.buf...)
			continue
		case errors.Is(err, transform.ErrShortSrc):
			d.part = append([]byte(nil), p...)
		case err == nil:
		default: // a decoder replaces what is ill-formed
			panic(fmt.Sprintf("redact: decoder for %s: %v", d.name, err))
		}
		d.replaced += int64(bytes.Count(d.buf, []byte(replacement)))
		return d.buf
	}
}
