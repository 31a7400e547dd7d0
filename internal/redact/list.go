package redact

import "bytes"

// Names and values do not always stand side by side: they are arguments of a
// call or a command, members of an array, or two fields of one object.

// pairedValue reads from behind a name to where its value stands if that is a
// field of its own: "name":"X","value":"v", or name: X and value: v on two lines.
func (t *text) pairedValue(i int) (value int, v verdict) {
	if i < len(t.b) && t.b[i] == ',' {
		i++
	}
	i = t.skipSpace(i)
	i = t.skipQuote(i)
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

// mayPair tells whether the name that ends before i may have its value in another
// field: it is quoted, or is the value of a field called name itself.
func (t *text) mayPair(k *key, i int) bool {
	if k.quote != 0 {
		return t.b[i] == ',' || k.level == 0 && (t.b[i] == 'v' || t.b[i] == 'V' || isEOL(t.b[i]))
	}
	if !isEOL(t.b[i]) {
		return false
	}
	line := bytes.TrimRight(t.commandLine(k.start), " ")
	return bytes.HasSuffix(line, []byte("name:")) || bytes.HasSuffix(line, []byte("name ="))
}

func (t *text) skipSpace(i int) int {
	for end := i + maxBlanks; i < len(t.b) && i < end && isSpace(t.b[i]); {
		i++
	}
	return i
}

// skipQuote skips a quote with the backslashes before it.
func (t *text) skipQuote(i int) int {
	for end := i + 8; i < len(t.b) && i < end && t.b[i] == '\\'; {
		i++
	}
	if i < len(t.b) && (t.b[i] == '"' || t.b[i] == '\'') {
		i++
	}
	return i
}

// mayList tells whether the argument behind the quoted name may be its value:
// that of a flag, or of a variable where a call begins.
func (t *text) mayList(k *key) bool {
	quote := k.start - 1 - k.level
	return k.quote != 0 && (k.flag || quote > 0 && t.b[quote-1] == '(' && isUpper(t.b[k.start]))
}

// argument tells whether b is the value of the quoted name before it.
func argument(k *key, b []byte) bool {
	switch {
	case k.flag:
		return b[0] != '-' && (len(b) >= 6 || !plainWord(b))
	case len(b) < 8 || bytes.IndexByte(b, ' ') >= 0:
		return false
	}
	return bytes.IndexFunc(b, func(r rune) bool { return isDigit(byte(r)) }) >= 0
}

// matchKeyList finds the first secret of an array with a name in the plural.
func matchKeyList(r *rule, t *text, c *candidate) answer {
	var k key
	if v := t.keyAt(&k, c.at, c.word, keyPlain); v != match {
		return unheld(t, v)
	}
	if k.quote == 0 || k.sep != ':' || t.b[k.value] != '[' {
		return answer{}
	}
	return t.member(r, k.value+1, &nextMember)
}

// nextMember looks for a further member where one has ended.
var nextMember = rule{name: "secret", rank: rankKey, words: true, least: 6, match: matchNextMember}

func matchNextMember(r *rule, t *text, c *candidate) answer {
	i := t.skipSpace(t.skipQuote(c.at))
	if v := t.hasWord(i, ","); v != match {
		return unheld(t, v)
	}
	return t.member(r, i+1, r)
}

// member takes the quoted member of an array at i, behind white space.
func (t *text) member(r *rule, i int, next *rule) answer {
	i = t.skipSpace(i)
	if i == len(t.b) {
		return unheld(t, t.atEnd())
	}
	q := t.openQuote(i)
	switch {
	case q.kind == quoteMore:
		return wait(i)
	case q.char == 0:
		return answer{}
	}
	a := t.quoted(r, &key{start: len(t.b), sep: ':'}, q)
	if a.verdict == match || a.verdict == open {
		a.next = next
	}
	return a
}
