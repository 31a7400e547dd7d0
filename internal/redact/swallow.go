package redact

// A swallow finds the end of a secret that is known to be one. It buffers
// nothing: what it has passed over is gone.
type swallow struct {
	pos    int // everything before it belongs to the secret
	kind   swallowKind
	quote  byte   // of swallowQuoted and swallowTriple
	level  uint8  // of swallowQuoted: backslashes before the quote that closes
	indent int32  // of swallowBlock
	class  *class // of swallowRun
	form   *form  // of swallowForm
	left   int    // of swallowQuoted: backslashes before pos; of swallowTriple and swallowForm: bytes that may come
	before string // of swallowArmor: what a log has put before each line
}

type swallowKind uint8

const (
	swallowRun swallowKind = iota
	swallowForm
	swallowDark
	swallowLine
	swallowCookie
	swallowBare
	swallowQuoted
	swallowTriple
	swallowBlock
	swallowArmor
)

// step carries the secret on as far as the text goes, and tells whether its end
// was found.
func (s *swallow) step(t *text) bool {
	switch s.kind {
	case swallowRun:
		return s.run(t)
	case swallowForm:
		return s.literal(t)
	case swallowDark:
		return s.until(t, isSpace)
	case swallowLine:
		return s.until(t, isEOL)
	case swallowCookie:
		return s.until(t, endsCookie)
	case swallowBare:
		return s.bare(t)
	case swallowQuoted:
		return s.quoted(t)
	case swallowTriple:
		return s.tripled(t)
	case swallowBlock:
		return s.block(t)
	case swallowArmor:
		return s.armor(t)
	}
	panic("redact: unknown kind of swallow")
}

// same tells whether two swallows end at the same place if one begins inside the
// other.
func (s *swallow) same(o *swallow) bool {
	return s.kind == o.kind && s.kind != swallowForm && s.kind != swallowTriple &&
		s.class == o.class && s.quote == o.quote && s.level == o.level && s.indent == o.indent && s.before == o.before
}

// run ends before the first byte that is not in the class.
func (s *swallow) run(t *text) bool {
	s.pos = s.class.run(t.b, s.pos)
	return s.pos < len(t.b) || t.eof
}

// until ends before the first byte that ends it.
func (s *swallow) until(t *text, ends func(c byte) bool) bool {
	for s.pos < len(t.b) && !ends(t.b[s.pos]) {
		s.pos++
	}
	return s.pos < len(t.b) || t.eof
}

// literal goes on for as long as the text is that of a very long literal.
func (s *swallow) literal(t *text) bool {
	want, alt := s.form.text, s.form.alt
	for s.pos < len(t.b) && s.left > 0 && (t.b[s.pos] == want[len(want)-s.left] || t.b[s.pos] == alt[len(alt)-s.left]) {
		s.pos++
		s.left--
	}
	return s.pos < len(t.b) || s.left == 0 || t.eof
}
