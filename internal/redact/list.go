package redact

import (
	"bytes"
	"unicode/utf8"
)

// Names and values do not always stand side by side: they are arguments of a
// call or a command, or members of an array.

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
	return hasDigit(b)
}

// matchKeyList finds the first secret of an array with a name in the plural.
func matchKeyList(r *rule, t *text, c *candidate) answer {
	var k key
	if v := t.keyAt(&k, c.at, c.word, keyPlain); v != match {
		return unheld(t, v)
	}
	next := &nextMember
	if r.least >= leastTelling {
		next = &nextTelling
	}
	i := k.value
	switch c := t.b[i]; {
	case !t.partBegins(k.word, &k) || k.sep != ':' && k.sep != '=':
		return answer{}
	case c == '[':
		switch t.hasWord(i, "[]string{") {
		case more:
			return unheld(t, more)
		case match:
			i += len("[]string")
		}
		return t.member(i+1, next)
	case isEOL(c) && k.sep == ':' && k.quote == 0 && r.weak:
		return t.item(next, i)
	case k.sep == '=' && !k.spaced && isUpper(t.b[k.word]):
		return t.joined(i)
	}
	return answer{}
}

// joined finds the unquoted value of a variable in the plural: several secrets
// with commas between.
func (t *text) joined(i int) answer {
	v := t.bareValue(i)
	switch b := t.b[i:v.end]; {
	case v.more:
		return wait(i)
	case isPlaceholder(b) || code(b) || !telling(b):
		return answer{}
	case v.long:
		return t.opened(i, swallow{pos: v.end, kind: swallowBare})
	}
	return matched(i, v.end)
}

// leastTelling is the shortest that looks like a secret, in bytes.
const leastTelling = 8

// telling tells whether b looks like a secret, not like a word or a number: what
// stands in a list of tokens may be those of a text.
func telling(b []byte) bool {
	letters, numbers := 0, 0
	for _, c := range b {
		switch {
		case isDigit(c):
			numbers++
		case isAlpha(c):
			letters++
		case c == ' ':
			return false
		}
	}
	return len(b) >= leastTelling && letters > 0 && numbers > 0
}

// item takes the item of a block list in YAML whose line begins behind i.
func (t *text) item(r *rule, i int) answer {
	i = t.skipSpace(i)
	if v := t.hasWord(i, "- "); v != match {
		return unheld(t, v)
	}
	i = t.skipBlanks(i + len("- "))
	q := t.openQuote(i)
	if q.kind == quoteMore || i == len(t.b) && !t.eof {
		return wait(i)
	}
	if q.char != 0 {
		return t.takeMember(r, q)
	}
	end := i
	for end < len(t.b) && end < i+lookback && !isEOL(t.b[end]) {
		end++
	}
	switch {
	case end == len(t.b) && !t.eof:
		return wait(i)
	case !telling(t.b[i:end]) || isPlaceholder(t.b[i:end]) || bytes.IndexByte(t.b[i:end], ':') >= 0:
		return answer{}
	}
	a := matched(i, end)
	a.next = r
	return a
}

// nextMember looks for a further member where one has ended; nextTelling only
// takes such as look like a secret.
var (
	nextMember  = rule{name: "secret", rank: rankKey, words: true, least: 6, match: matchNextMember}
	nextTelling = rule{name: "secret", rank: rankKey, least: leastTelling, match: matchNextMember}
)

func matchNextMember(r *rule, t *text, c *candidate) answer {
	i := t.skipQuote(c.at)
	if i < len(t.b) && isEOL(t.b[i]) {
		if a := t.item(r, i); a.verdict != no || a.next != nil {
			return a
		}
	}
	i = t.skipSpace(i)
	if v := t.hasWord(i, ","); v != match {
		return unheld(t, v)
	}
	return t.member(i+1, r)
}

// nextChange looks for what a value is changed to, where it has ended: a plan
// shows "old" -> "new".
var nextChange = rule{name: "secret", rank: rankKey, words: true, least: 3, match: matchNextChange}

func matchNextChange(r *rule, t *text, c *candidate) answer {
	i := t.skipBlanks(t.skipQuote(c.at))
	if i < len(t.b) && t.b[i] != '-' && t.b[i] != '=' && t.b[i] < utf8.RuneSelf {
		return answer{} // no arrow begins so
	}
	v := no
	for _, arrow := range []string{"->", "=>", "→"} {
		switch t.hasWord(i, arrow) {
		case match:
			i, v = t.skipBlanks(i+len(arrow)), match
		case more:
			v = more
		}
	}
	switch {
	case v != match:
		return unheld(t, v)
	case i == len(t.b):
		return unheld(t, t.atEnd())
	}
	q := t.openQuote(i)
	switch {
	case q.kind == quoteMore:
		return wait(i)
	case q.char == 0:
		return answer{}
	}
	return t.quoted(r, &key{start: len(t.b), sep: ' '}, q)
}

// member takes the member of an array at i, behind white space.
func (t *text) member(i int, next *rule) answer {
	i = t.skipSpace(i)
	if i == len(t.b) {
		return unheld(t, t.atEnd())
	}
	q := t.openQuote(i)
	switch {
	case q.kind == quoteMore:
		return wait(i)
	case q.char != 0:
		return t.takeMember(next, q)
	}
	end := i
	for end < len(t.b) && end < i+maxName && !isSpace(t.b[end]) && t.b[end] != ',' && t.b[end] != ']' {
		end++
	}
	switch {
	case end == len(t.b) && !t.eof:
		return wait(i)
	case end == i+maxName || !telling(t.b[i:end]) || isPlaceholder(t.b[i:end]) || code(t.b[i:end]):
		return answer{}
	}
	a := matched(i, end)
	a.next = next
	return a
}

// takeMember takes a quoted member, and looks for another behind it.
func (t *text) takeMember(r *rule, q quoteMark) answer {
	a := t.quoted(r, &key{start: len(t.b), sep: ':'}, q)
	if a.verdict == match && !r.words && !telling(t.b[a.start:a.end]) {
		return answer{}
	}
	if a.verdict == match || a.verdict == open {
		a.next = r
	}
	return a
}
