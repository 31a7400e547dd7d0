package redact

// A Literal is a secret whose value is known.
type Literal struct {
	Name  string // what follows "[REDACTED:": "env:API_TOKEN", "secret"
	Value []byte
}

// MinLiteral is the shortest value that is looked for, in bytes. A shorter one
// would mask too much that has nothing to do with it.
const MinLiteral = 6

// A form is one way in which a literal is written.
type form struct {
	name string
	text []byte
	back int32 // where its window lies
	head int   // how many bytes must match before it is known to be the literal
}

// match compares the text at the candidate with the form.
func (f *form) match(t *text, c *candidate) answer {
	b := t.b[c.at:]
	n := min(len(b), f.head)
	for k := c.memo - c.at; k < n; k++ {
		if b[k] != f.text[k] {
			return answer{}
		}
	}
	switch {
	case n == f.head && f.head < len(f.text):
		return t.opened(c.at, swallow{pos: c.at + n, kind: swallowForm, form: f, left: len(f.text) - n})
	case n == f.head:
		return matched(c.at, c.at+n)
	case !t.eof:
		c.memo = c.at + n
		return wait(c.at)
	case n > len(f.text)/2:
		return matched(c.at, c.at+n)
	}
	return answer{}
}

// name returns what names the candidate's marker.
func (c *candidate) name() string {
	switch {
	case c.form != nil:
		return c.form.name
	case c.own != nil:
		return c.own.name
	}
	return c.rule.name
}

// rank orders candidates that begin at the same place: literals, the longest
// first, then the rules, the more telling first.
func (c *candidate) rank() int32 {
	switch {
	case c.form != nil:
		return -int32(len(c.form.text))
	case c.own != nil:
		return rankOwn
	}
	return c.rule.rank
}

// literalForms returns every written form of every literal, none twice.
func literalForms(literals []Literal, window int) []form {
	var forms []form
	seen := map[string]bool{}
	for _, l := range literals {
		for _, text := range writtenForms(l.Value) {
			text = asText(text)
			if len(text) < MinLiteral || seen[string(text)] {
				continue
			}
			seen[string(text)] = true
			forms = append(forms, form{name: l.Name, text: text, head: min(len(text), window/2)})
		}
	}
	return forms
}

// addForm enters the form's window and what must be held before it.
func (x *index) addForm(f *form, i int32) {
	f.back = int32(rarest(string(f.text), maxHeld))
	x.add(string(f.text), entry{target: ^i, back: int16(f.back)})
	x.addPrefix(prefix{text: string(f.text[:f.back+4])}, 1)
}

// asText returns b as matching sees the text: valid UTF-8 without what is
// invisible.
func asText(b []byte) []byte {
	if textLen(b) == len(b) {
		return b
	}
	w := &Writer{set: &Set{}}
	w.dec.use("utf-8")
	w.esc.run(w, w.dec.decode(b, true))
	w.esc.end(w)
	return w.buf
}
