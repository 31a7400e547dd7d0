package redact

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
)

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
	head int    // how many bytes must match before it is known to be the literal

	alone  bool   // it has no family: alt differs from text, or it is decided by its head
	window uint32 // folded
	back   int    // where it lies
	within int    // in its family the longest form that it begins with, -1 for none
}

// A family are the forms that are found by the same window at the same place, in
// order: however many secrets begin alike, a place is looked at once.
type family []form

// match looks for the longest form at the candidate.
func (f family) match(t *text, c *candidate) answer {
	if c.form = &f[0]; c.form.alone {
		return c.form.match(t, c.at)
	}
	b := t.b[c.at:]
	after := len(f) // the first form that is more than the text
	if len(f) > 1 || string(b[:min(len(b), len(f[0].text))]) != string(f[0].text) {
		after = sort.Search(len(f), func(i int) bool { return bytes.Compare(f[i].text, b) > 0 })
	}
	if after < len(f) && bytes.HasPrefix(f[after].text, b) {
		if c.form = &f[after]; !t.eof {
			return wait(c.at)
		}
		if longest := f.cut(b, after); longest != nil {
			c.form = longest
			return matched(c.at, len(t.b))
		}
	}
	for i := after - 1; i >= 0; i = f[i].within {
		if bytes.HasPrefix(b, f[i].text) {
			c.form = &f[i]
			return matched(c.at, c.at+len(f[i].text))
		}
	}
	return answer{}
}

// cut returns the longest form from i on of which b, at the end of the input, is
// the greater part.
func (f family) cut(b []byte, i int) (longest *form) {
	for ; i < len(f) && bytes.HasPrefix(f[i].text, b); i++ {
		if len(b) > len(f[i].text)/2 && (longest == nil || len(f[i].text) > len(longest.text)) {
			longest = &f[i]
		}
	}
	return longest
}

// match decides on a form that has no family. Of one that is too long to be waited
// for the head is enough.
func (f *form) match(t *text, at int) answer {
	b := t.b[at:]
	n := min(len(b), f.head)
	switch {
	case !f.begins(b[:n]):
		return answer{}
	case n == f.head && n < len(f.text):
		return t.opened(at, swallow{pos: at + n, kind: swallowForm, form: f, left: len(f.text) - n})
	case n == f.head || t.eof && n > len(f.text)/2:
		return matched(at, at+n)
	case !t.eof:
		return wait(at)
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
		return c.form.rank()
	case c.own != nil:
		return rankOwn
	}
	return c.rule.rank
}

func (f *form) rank() int32 { return -int32(len(f.text)) }

// stands tells whether the whole form is at at.
func (f *form) stands(b []byte, at int) bool {
	end := at + len(f.text)
	return end <= len(b) && string(b[at:end]) == string(f.text)
}

// literalForms returns every written form of every literal, none twice, in
// families.
func literalForms(literals []Literal, window int) (forms []form, families []family) {
	seen := map[string]bool{}
	for _, l := range literals {
		for _, text := range writtenForms(l.Value) {
			text, alt := eitherCase(asText(text))
			if len(text) < MinLiteral || seen[string(text)] {
				continue
			}
			seen[string(text)] = true
			f := form{name: l.Name, text: text, alt: alt, head: min(len(text), window/2), within: -1}
			f.alone = f.head < len(text) || !bytes.Equal(text, alt)
			f.place()
			forms = append(forms, f)
		}
	}
	slices.SortFunc(forms, func(a, b form) int {
		switch {
		case a.alone && !b.alone:
			return -1
		case b.alone && !a.alone:
			return 1
		}
		return cmp.Or(cmp.Compare(a.window, b.window), cmp.Compare(a.back, b.back), bytes.Compare(a.text, b.text))
	})
	for first := 0; first < len(forms); {
		end := first + 1
		for end < len(forms) && forms[first].related(&forms[end]) {
			end++
		}
		f := family(forms[first:end])
		f.nest()
		families = append(families, f)
		first = end
	}
	return forms, families
}

// begins tells whether b, which is no longer than the form, is its beginning.
func (f *form) begins(b []byte) bool {
	for k, c := range slices.Backward(b) { // the last byte tells most
		if c != f.text[k] && c != f.alt[k] {
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

// place chooses the form's window: one before which there are not too many
// escapes with two cases.
func (f *form) place() {
	const most = 5
	limit := maxHeld
	for limit > 1 && differing(f.text, f.alt, limit+3) > most {
		limit--
	}
	f.back = rarest(string(f.text), limit)
	f.window = fold4(f.text[f.back:])
}

// related tells whether two forms are of one family.
func (f *form) related(o *form) bool {
	return f.window == o.window && f.back == o.back && !f.alone && !o.alone
}

// nest finds of each form the longest one that it begins with.
func (f family) nest() {
	for i := range f {
		j := i - 1
		for j >= 0 && !bytes.HasPrefix(f[i].text, f[j].text) {
			j = f[j].within
		}
		f[i].within = j
	}
}

// addFamily enters the window of the forms and what must be held before it.
func (x *index) addFamily(f family, i int32) {
	x.add(string(f[0].text), entry{target: ^i, back: int16(f[0].back)})
	for k := range f {
		x.addHeld(&f[k])
	}
}

// addHeld enters what must be held before the form's window, in every case that
// it may have.
func (x *index) addHeld(f *form) {
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
	w := &Writer{searcher: searcher{set: &Set{}}}
	w.dec.use("utf-8")
	w.esc.run(w, w.dec.decode(b, true))
	w.esc.end(w)
	return w.buf
}
