package redact

import "bytes"

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
	alt  []byte // what may stand instead of each byte of text: hex digits of escapes have either case
	back int32  // where its window lies
	head int    // how many bytes must match before it is known to be the literal
}

// match compares the text at the candidate with the form.
func (f *form) match(t *text, c *candidate) answer {
	b := t.b[c.at:]
	n := min(len(b), f.head)
	for k := c.memo - c.at; k < n; k++ {
		if b[k] != f.text[k] && b[k] != f.alt[k] {
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
			text, alt := eitherCase(asText(text))
			if len(text) < MinLiteral || seen[string(text)] {
				continue
			}
			seen[string(text)] = true
			forms = append(forms, form{name: l.Name, text: text, alt: alt, head: min(len(text), window/2)})
		}
	}
	return forms
}

// begins tells whether b, which is no longer than the form, is its beginning.
func (f *form) begins(b []byte) bool {
	for k := len(b) - 1; k >= 0; k-- { // the last byte tells most
		if b[k] != f.text[k] && b[k] != f.alt[k] {
			return false
		}
	}
	return true
}

// eitherCase returns the text with the hex digits of its escapes, %2f and \u002f,
// in lower case, and what else may stand for each byte. Programs differ, and one
// string may have gone through two of them.
func eitherCase(text []byte) (lower, alt []byte) {
	lower, alt = bytes.Clone(text), text
	for i := range text {
		n := 0
		switch {
		case text[i] == '%':
			n = 2
		case text[i] == 'u' && i > 0 && text[i-1] == '\\':
			n = 4
		}
		if n == 0 || i+n >= len(text) || anyHex.run(text[:i+1+n], i+1) < i+1+n {
			continue
		}
		copy(lower[i+1:], bytes.ToLower(text[i+1:i+1+n]))
		if &alt[0] == &text[0] {
			alt = bytes.Clone(text)
		}
		copy(alt[i+1:], bytes.ToUpper(text[i+1:i+1+n]))
	}
	return lower, alt
}

// addForm enters the form's window and what must be held before it, in every
// case that it may have.
func (x *index) addForm(f *form, i int32) {
	const most = 5 // escapes with two cases in what is held
	limit := maxHeld
	for limit > 1 && differing(f.text, f.alt, limit+3) > most {
		limit--
	}
	f.back = int32(rarest(string(f.text), limit))
	x.add(string(f.text), entry{target: ^i, back: int16(f.back)})
	heads := [][]byte{bytes.Clone(f.text[:f.back+4])}
	for k := range f.back + 4 {
		if f.text[k] == f.alt[k] {
			continue
		}
		for _, h := range heads {
			other := bytes.Clone(h)
			other[k] = f.alt[k]
			heads = append(heads, other)
		}
	}
	for _, h := range heads {
		x.addPrefix(prefix{text: string(h)}, 1)
	}
}

// differing returns at how many of the first n bytes a and b are not the same.
func differing(a, b []byte, n int) int {
	count := 0
	for k := range min(n, len(a)) {
		if a[k] != b[k] {
			count++
		}
	}
	return count
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
