package redact

import "unicode/utf8"

// A quoteMark is the quote that opens a value: with the backslashes before it,
// where the value is nested in a string, and tripled, as Python and TOML have it.
type quoteMark struct {
	end   int   // the first byte of the value
	char  byte  // 0 for none
	level uint8 // backslashes before it
	kind  quoteKind
}

type quoteKind uint8

const (
	quoteSingle quoteKind = iota
	quoteTriple
	quoteMore // not decidable yet
)

// openQuote reads a quote at i, if there is one. Backslashes before it are only
// taken for such if a quote follows.
func (t *text) openQuote(i int) quoteMark {
	q := quoteMark{end: i}
	j := i
	for j < len(t.b) && t.b[j] == '\\' && j < i+7 {
		j++
	}
	if j == len(t.b) {
		if !t.eof {
			q.kind = quoteMore
		}
		return q
	}
	c := t.b[j]
	if c != '"' && c != '\'' && c != '`' {
		return q
	}
	q.char, q.level, q.end = c, uint8(j-i), j+1
	if q.level == 0 {
		switch t.tripled(j, c) {
		case more:
			q.kind = quoteMore
		case match:
			q.kind, q.end = quoteTriple, j+3
		}
	}
	return q
}

// tripled tells whether the quote c stands at i three times.
func (t *text) tripled(i int, c byte) verdict {
	for k := i; k < i+3; k++ {
		if k == len(t.b) {
			return t.atEnd()
		}
		if t.b[k] != c {
			return no
		}
	}
	return match
}

// swallow returns what carries the quoted value on from position i.
func (q quoteMark) swallow(i int) (s swallow) {
	q.end = i
	s.begin(q)
	return s
}

// begin makes s carry on the value that q opens, from its first byte.
func (s *swallow) begin(q quoteMark) {
	*s = swallow{}
	s.pos, s.kind, s.quote = q.end, swallowQuoted, q.char
	if s.level = q.level; q.kind == quoteTriple {
		s.kind, s.level, s.left = swallowTriple, 0, maxTriple
	}
}

// quoted ends before the quote that closes a string, or at the end of the
// line. A string nested in a string has its quotes and its backslashes escaped:
// at level n = 2^k - 1, a quote with n backslashes before it closes, not counting
// whole escaped backslashes, which are 2(n+1) long.
func (s *swallow) quoted(t *text) bool {
	level := int(s.level)
	for i := s.pos; ; {
		if s.left == 0 {
			i = s.plain(t.b, i)
			s.pos = i
		}
		run := i
		for i < len(t.b) && t.b[i] == '\\' && s.quote != '`' {
			i++
		}
		total := s.left + i - run
		if i == len(t.b) {
			if t.eof {
				s.pos = i
				return true
			}
			keep := max(run, i-level) // they may be the closing quote's
			s.left += keep - run
			s.pos = keep
			return false
		}
		switch c := t.b[i]; {
		case isEOL(c):
			s.pos = i
			return true
		case c == s.quote && (total < level || total%(2*(level+1)) == level):
			rejoin, wants := t.rejoins(i, c, level)
			if wants {
				s.pos = max(s.pos, i-min(total, level))
				s.left = total - (i - s.pos)
				return false
			}
			if rejoin == 0 {
				s.pos = max(s.pos, i-min(total, level))
				return true
			}
			i += rejoin
		default:
			i++
		}
		s.left, s.pos = 0, i
	}
}

// plain returns the end of the bytes at i that mean nothing in a quoted string.
func (s *swallow) plain(b []byte, i int) int {
	for i < len(b) && b[i] != '\\' && b[i] != s.quote && !isEOL(b[i]) {
		i++
	}
	return i
}

// rejoins tells whether the quote at i only interrupts the string, as in YAML's
// 'it”s' and the shell's 'it'\”s', and how long the interruption is.
func (t *text) rejoins(i int, c byte, level int) (length int, wants bool) {
	if c != '\'' || level > 0 {
		return 0, false
	}
	for _, word := range []string{`'\''`, `'"'"'`, `''`} {
		switch t.hasWord(i, word) {
		case match:
			return len(word), false
		case more:
			return 0, true
		}
	}
	return 0, false
}

// maxTriple bounds a tripled quote, so that one that is never closed does not eat
// the log.
const maxTriple = 16 << 10

func (s *swallow) tripled(t *text) bool {
	for s.pos < len(t.b) {
		if t.b[s.pos] == s.quote {
			switch t.tripled(s.pos, s.quote) {
			case match:
				return true
			case more:
				return false
			}
		}
		s.pos++
		if s.left--; s.left == 0 {
			return true
		}
	}
	return t.eof
}

// sureLength is the length from which on an unquoted value is taken for a secret
// before its end has come.
const sureLength = 64

// A bare is an unquoted value, as far as it has been looked at.
type bare struct {
	end  int
	long bool // it goes on behind end
	more bool // not decidable yet
}

// bareValue finds the end of the unquoted value at i.
func (t *text) bareValue(i int) bare {
	for end := i; ; end++ {
		end = t.bareInner(end, i+sureLength)
		if end == i+sureLength {
			return bare{end: end, long: true}
		}
		if end == len(t.b) {
			return bare{end: end, more: !t.eof}
		}
		switch ends, wants := t.bareEnd(end); {
		case wants:
			return bare{end: end, more: true}
		case ends:
			return bare{end: end}
		}
	}
}

// bare carries an unquoted value on.
func (s *swallow) bare(t *text) bool {
	for ; ; s.pos++ {
		s.pos = t.bareInner(s.pos, len(t.b))
		if s.pos == len(t.b) {
			return t.eof
		}
		switch ends, wants := t.bareEnd(s.pos); {
		case wants:
			return false
		case ends:
			return true
		}
	}
}

// bareInner returns the first byte from i on at which an unquoted value might
// end, limit if there is none before it.
func (t *text) bareInner(i, limit int) int {
	limit = min(limit, len(t.b))
	if t.beside != nil && t.beside.before(limit) {
		return i // beside any byte a NUL may stand
	}
	for i < limit && (t.b[i] >= utf8.RuneSelf || bareInside.has(t.b[i])) {
		i++
	}
	return i
}

// bareInside is what never ends an unquoted value, of ASCII.
var bareInside = class{
	lo: ^uint64(0x1f<<'\t' | 1<<' ' | 1<<'<' | 1<<'>' | 1<<'"' | 1<<'\'' | 1<<')' | 1<<',' | 1<<';' | 1<<'&'),
	hi: ^uint64(1<<('`'-64) | 1<<(']'-64) | 1<<('}'-64) | 1<<('|'-64) | 1<<('\\'-64)),
}

// bareEnd tells whether an unquoted value ends before i. White space ends it.
// Quotes, brackets, commas and the like do if something follows that shows them
// to close or to separate; otherwise they belong to the value, as they often do
// in passwords.
func (t *text) bareEnd(i int) (ends, wants bool) {
	c := t.b[i]
	if t.beside != nil && t.beside.before(len(t.b)) && t.beside.nul(i) {
		if ends, wants = t.pairAt(i); ends || wants { // an environment, as /proc has it
			return ends, wants
		}
	}
	if isAlnum(c) {
		return false, false
	}
	switch c {
	case ' ', '\t', '\n', '\v', '\f', '\r':
		return true, false
	case '<':
		return t.nextIs(i+1, func(c byte) bool { return c == '/' || isAlpha(c) || c == '!' || isSpace(c) })
	case '"', '\'', '`', ')', ']', '}', '>':
		return t.nextIs(i+1, closes)
	case ',', ';', '&', '|':
		if ends, wants = t.nextIs(i+1, closes); ends || wants {
			return ends, wants
		}
		if c == '&' && t.hasWord(i, "&amp;") != no {
			i += len("amp;")
		}
		return t.pairAt(i + 1)
	case '\\':
		return t.escapeEnds(i)
	}
	return false, false
}

// closes tells whether c shows the byte before it to close a value.
func closes(c byte) bool {
	switch c {
	case '"', '\'', '`', ')', ']', '}', '>', ',', ';', '&', '|', '\\', '<', ':':
		return true
	}
	return isSpace(c)
}

func (t *text) nextIs(i int, f func(c byte) bool) (is, wants bool) {
	if i >= len(t.b) {
		return t.eof, !t.eof
	}
	return f(t.b[i]), false
}

// pairAt tells whether another key with its separator begins at i.
func (t *text) pairAt(i int) (is, wants bool) {
	start := i
	for i < len(t.b) && i < start+maxName/2 && (wordDot.has(t.b[i]) || t.b[i] == ' ' && i > start) {
		i++
	}
	if i == len(t.b) {
		return false, !t.eof
	}
	return i > start && (t.b[i] == '=' || t.b[i] == ':'), false
}

// escapeEnds tells whether the backslash at i ends a value: it escapes a quote
// that closes, or a line end in a string.
func (t *text) escapeEnds(i int) (ends, wants bool) {
	j := i
	for j < len(t.b) && t.b[j] == '\\' && j < i+7 {
		j++
	}
	if j == len(t.b) {
		return t.eof, !t.eof
	}
	switch t.b[j] {
	case '"', '\'':
		return t.nextIs(j+1, closes)
	case 'u': // JSON's &, safe for HTML
		switch t.hasWord(j, "u0026") {
		case match:
			return t.pairAt(j + len("u0026"))
		case more:
			return false, true
		}
	case 'n', 'r', 't':
		if ends, wants = t.nextIs(j+1, closes); ends || wants {
			return ends, wants
		}
		return t.pairAt(j + 1)
	}
	return false, false
}
