package redact

// A swallow finds the end of a secret that is known to be one. It buffers
// nothing: what it has passed over is gone.
type swallow struct {
	pos  int // everything before it belongs to the secret
	step func(s *swallow, t text) bool

	class  class // of swallowRun
	quote  byte  // of swallowQuoted
	level  int   // of swallowQuoted: backslashes before the quote that closes
	indent int   // of swallowBlock
	left   int   // bytes that may still come; 0: any number
	form   *form // of swallowForm
	start  int   // of swallowForm: where the literal begins
}

// swallowRun ends before the first byte that is not in the class.
func swallowRun(s *swallow, t text) bool {
	s.pos = s.class.run(t.b, s.pos)
	return s.pos < len(t.b) || t.eof
}

// swallowForm goes on for as long as the text is that of a very long literal.
func swallowForm(s *swallow, t text) bool {
	want := s.form.text
	for s.pos < len(t.b) && s.pos-s.start < len(want) && t.b[s.pos] == want[s.pos-s.start] {
		s.pos++
	}
	return s.pos < len(t.b) || s.pos-s.start >= len(want) || t.eof
}

// swallowDark carries an undecidable fragment to the next white space: from
// there on nothing that follows can belong to it.
func swallowDark(s *swallow, t text) bool {
	for s.pos < len(t.b) && !isSpace(t.b[s.pos]) {
		s.pos++
	}
	return s.pos < len(t.b) || t.eof
}
