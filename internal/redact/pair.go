package redact

import "bytes"

// A name and its value may be two fields of one object, with other fields between:
//
//	{"name":"X","value":"v"}   <add key="X" value="v"/>   <entry key="X">v</entry>
//	- name: X                  <setting name="X"><value>v</value>
//	  value: v

// maxPairLines bounds how many lines behind its name a value is looked for.
const maxPairLines = 6

// A pairing is what is known of the field that a name stands in.
type pairing struct {
	element bool // the name is the text of an element: <name>X</name>
	block   bool // further fields stand on lines of their own, at the same column
	column  int  // of the field
}

// unpaired is what shows that the name in front of it is no field's value;
// endsField is what ends a field that no quote closes.
var (
	unpaired  = class{lo: 1<<'/' | 1<<':' | 1<<'=' | 1<<'?' | 1<<'%' | 1<<'(', hi: 1<<('}'-64) | 1<<(']'-64)}
	endsField = class{lo: 1<<',' | 1<<'<' | 1<<'\n' | 1<<'\r'}
)

// pairing reads the field that the name is the value of, if that is called name or
// key. i is behind the name.
func (t *text) pairing(k *key, i int) (p pairing, ok bool) {
	if k.sep != 0 || unpaired.has(t.b[i]) || k.quote == 0 && !endsField.has(t.b[i]) {
		return p, false
	}
	at, least := k.start, max(0, k.start-maxName)
	for at > least && (wordDot.has(t.b[at-1]) || t.b[at-1] == ':' && t.b[at] != ' ') {
		at--
	}
	for quote := k.level + 1; k.quote != 0 && quote > 0; quote-- {
		if at == 0 || t.b[at-1] != k.quote && t.b[at-1] != '\\' {
			return p, false
		}
		at--
	}
	least = max(0, at-maxName)
	back := func(set string) (found bool) {
		for ; at > least && bytes.IndexByte([]byte(set), t.b[at-1]) >= 0; at-- {
			found = true
		}
		return found
	}
	spaced := back(" \t")
	if at == 0 {
		return p, false
	}
	at--
	sep := t.b[at]
	spaced = back(" \t") || spaced
	quoted := back("\"'") && sep != '>'
	back("\\")
	end := at
	for at > least && isAlpha(t.b[at-1]) {
		at--
	}
	if !namesField(t.b[at:end]) {
		return p, false
	}
	p.element = sep == '>' && at > 0 && t.b[at-1] == '<'
	p.block = !quoted && (sep == ':' || sep == '=' && spaced)
	p.column = at - t.lineStart(at)
	return p, p.element || sep == ':' || sep == '='
}

// namesField tells whether a field of that name has the name of something.
func namesField(b []byte) bool {
	lower := appendLower(nil, b)
	return bytes.HasSuffix(lower, []byte("name")) || bytes.HasSuffix(lower, []byte("key"))
}

// pairedValue reads from behind a name to where its value stands in a field of
// its own.
func (t *text) pairedValue(k *key, p pairing, i int) (value int, v verdict) {
	if p.element {
		return t.pairedElement(k, i)
	}
	nested, lines := false, 0
	for j := i; j < i+lookback; j++ {
		if j >= len(t.b) {
			return j, t.atEnd()
		}
		switch c := t.b[j]; c {
		case '{', '}', '[', ']', '<', ';':
			return j, no
		case '>':
			if p.block || k.quote == 0 || t.b[j-1] == '/' {
				return j, no
			}
			return t.pairedText(k, j+1)
		case '\n', '\r':
			if lines++; lines > maxPairLines {
				return j, no
			}
			if !p.block {
				continue
			}
			first := t.skipBlanks(j + 1)
			if first == len(t.b) {
				return j, t.atEnd()
			}
			if !isEOL(t.b[first]) && (first-j-1 < p.column || t.b[first] == '-') {
				return j, no
			}
			nested = first-j-1 > p.column
		case 'v', 'V':
			if nested || isWord(t.b[j-1]) && (c == 'v' || !isLower(t.b[j-1])) {
				continue
			}
			if value, v := t.valueField(j); v != no {
				k.sep = ':'
				return value, v
			}
		}
	}
	return i, no
}

// valueField finds the value of a field called value at i.
func (t *text) valueField(i int) (value int, v verdict) {
	if v := t.hasFolded(i, "value"); v != match {
		return i, v
	}
	i = t.skipBlanks(t.skipQuote(i + len("value")))
	if i >= len(t.b) {
		return i, t.atEnd()
	}
	if t.b[i] != ':' && t.b[i] != '=' {
		return i, no
	}
	i = t.skipBlanks(i + 1)
	if i == len(t.b) {
		return i, t.atEnd()
	}
	return i, match
}

// pairedElement finds the text of the element that follows the one with the name:
// </name><value>v.
func (t *text) pairedElement(k *key, i int) (value int, v verdict) {
	if v := t.hasFolded(i, "</"); v != match {
		return i, v
	}
	for i += len("</"); i < len(t.b) && isAlpha(t.b[i]); i++ {
	}
	if v := t.hasWord(i, ">"); v != match {
		return i, v
	}
	i = t.skipSpace(i + 1)
	if v := t.hasFolded(i, "<value>"); v != match {
		return i, v
	}
	k.sep = '>'
	return i + len("<value>"), t.present(i + len("<value>"))
}

// pairedText finds the text of the element whose attribute the name was: at i, or
// inside another one called value.
func (t *text) pairedText(k *key, i int) (value int, v verdict) {
	k.sep = '>'
	inner := t.skipSpace(i)
	switch v := t.hasFolded(inner, "<value>"); {
	case v == match:
		i = inner + len("<value>")
	case v == more || inner > i:
		return i, v
	}
	return i, t.present(i)
}

// present is the verdict on a value at i whose first byte must have come.
func (t *text) present(i int) verdict {
	if i >= len(t.b) {
		return t.atEnd()
	}
	return match
}
