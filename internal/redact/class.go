package redact

import "slices"

// A class is a set of ASCII bytes. No byte above 0x7f is in any class.
type class struct{ lo, hi uint64 }

// The bits of the usual sets; lo has bytes 0 to 63, hi 64 to 127.
const (
	digitBits = 0x3ff << '0'
	upperBits = 0x3ffffff << ('A' - 64)
	lowerBits = 0x3ffffff << ('a' - 64)
	alphaBits = upperBits | lowerBits
	underBits = 1 << ('_' - 64)
	tildeBits = 1 << ('~' - 64)
	dashBits  = 1 << '-'
	dotBits   = 1 << '.'
	hexUpBits = 0x3f << ('A' - 64)
	hexLoBits = 0x3f << ('a' - 64)
)

// The sets that rules are made of.
var (
	digits    = class{lo: digitBits}
	alnum     = class{lo: digitBits, hi: alphaBits}
	word      = class{lo: digitBits, hi: alphaBits | underBits}
	wordDash  = class{lo: digitBits | dashBits, hi: alphaBits | underBits}
	wordDot   = class{lo: digitBits | dashBits | dotBits, hi: alphaBits | underBits}
	wordSlash = class{lo: digitBits | dashBits | dotBits | 1<<'/', hi: alphaBits | underBits | 1<<('@'-64)}
	lowerHex  = class{lo: digitBits, hi: hexLoBits}
	anyHex    = class{lo: digitBits, hi: hexLoBits | hexUpBits}
	hexDash   = class{lo: digitBits | dashBits, hi: hexLoBits | hexUpBits}
	lowerWord = class{lo: digitBits, hi: lowerBits | underBits}
	lowerNum  = class{lo: digitBits, hi: lowerBits}
	upperNum  = class{lo: digitBits, hi: upperBits}
	upperDash = class{lo: digitBits | dashBits, hi: upperBits}
	base32    = class{lo: 0x3f << '2', hi: upperBits} // RFC 4648, 6
	base64Std = class{lo: digitBits | 1<<'+' | 1<<'/' | 1<<'=', hi: alphaBits}
	base64Any = class{lo: digitBits | 1<<'+' | 1<<'/' | 1<<'=' | dashBits, hi: alphaBits | underBits}
)

// has tells whether c is in the set.
func (s class) has(c byte) bool {
	half := s.lo
	if c&0x40 != 0 { // no branch in the end: letters and digits come mixed
		half = s.hi
	}
	return half>>(c&0x3f)&^uint64(c>>7)&1 != 0
}

// run returns the end of the bytes of s that begin at i.
func (s class) run(b []byte, i int) int {
	for i < len(b) && s.has(b[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c-'0' < 10 }

// hasDigit tells whether an ASCII digit is among b.
func hasDigit(b []byte) bool { return slices.ContainsFunc(b, isDigit) }

func isUpper(c byte) bool { return c-'A' < 26 }
func isLower(c byte) bool { return c-'a' < 26 }
func isAlpha(c byte) bool { return (c|0x20)-'a' < 26 }
func isAlnum(c byte) bool { return isDigit(c) || isAlpha(c) }
func isWord(c byte) bool  { return isAlnum(c) || c == '_' }
func isHex(c byte) bool   { return isDigit(c) || (c|0x20)-'a' < 6 }
func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }
func isEOL(c byte) bool   { return c == '\n' || c == '\r' }
