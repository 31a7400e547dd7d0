package redact

import (
	"bytes"
	"strings"
)

// matchKey finds the value behind a secret-looking name. The name, the quotes
// and the separator are never held; the value is, until it is told from a
// placeholder, a word of prose or a piece of code.
func matchKey(r *rule, t *text, c *candidate) answer {
	var of key
	k := &of
	if v := t.keyAt(k, c.at, c.word, keyPlain); v != match {
		return unheld(t, v)
	}
	if !t.partBegins(c.at, k) && r.weak || r.weak && k.start == c.at && !t.strongAlone(k, c.at) {
		return answer{}
	}
	if k.sep == ':' && k.start > 0 && t.b[k.start-1] == '/' {
		return answer{} // a path or a URL's user
	}
	if c.word == "secret" && t.hasFolded(k.start+bytes.LastIndexByte(t.b[k.start:c.at], '.')+1, "existing") == match {
		return answer{} // what a chart calls the name of one
	}
	if k.flag && k.sep == ' ' {
		switch t.hasWord(k.value, "pass:") { // openssl says where it comes from
		case match:
			return answer{}
		case more:
			return wait(k.value)
		}
	}
	if k.sep == ' ' && t.hasWord(k.start, "no-") == match {
		return answer{} // --no-password has no value
	}
	if k.sep == ':' && (t.b[k.value] == '|' || t.b[k.value] == '>') {
		return t.blockScalar(k)
	}
	if k.sep == ':' && k.quote == 0 && k.line && isEOL(t.b[k.value]) {
		return t.scalarBelow(r, k)
	}
	if k.sep == '>' {
		return t.element(r, k)
	}
	if k.quote != 0 && k.sep == ':' && t.b[k.value] == '[' {
		return t.member(k.value+1, &nextMember)
	}
	start, v := t.stringAt(k)
	if v == more {
		return wait(k.value)
	}
	q := t.openQuote(start)
	switch {
	case q.kind == quoteMore:
		return wait(k.value)
	case q.char != 0 && !r.words && start == k.value+1 && t.b[k.value]|0x20 == 'r':
		return answer{} // an expression
	case q.char != 0:
		k.next = &nextChange
		return t.quoted(r, k, q)
	case k.sep == ',':
		return answer{}
	case k.quote != 0 && k.sep == ':' && (isDigit(t.b[start]) || t.b[start] == '-'):
		return t.number(r, k)
	case k.quote != 0 && t.newLine(k.value):
		return answer{} // a line of code ended with the name
	}
	return t.bareSecret(r, k)
}

// partBegins tells whether a part of the name begins at at: behind a mark, or
// where the case changes.
func (t *text) partBegins(at int, k *key) bool {
	if at <= k.start || !isAlnum(t.b[at-1]) || t.freeLeft(at) {
		return true
	}
	if !isUpper(t.b[at]) {
		return false
	}
	return !isUpper(t.b[at-1]) || at+1 < len(t.b) && isLower(t.b[at+1])
}

// strongAlone tells whether a weak word, such as pwd, is meant as a key although
// nothing stands before it: it is quoted, a flag, or part of a connection string.
func (t *text) strongAlone(k *key, at int) bool {
	if k.quote != 0 || k.flag || k.sep == ':' && mentions(t.commandLine(at), "-pass") { // openssl's pass:X
		return true
	}
	return k.sep == '=' && !k.spaced && at > 0 && t.b[at-1] == ';'
}

// quoted decides on a quoted value.
func (t *text) quoted(r *rule, k *key, q quoteMark) answer {
	b, eof := t.b, t.eof
	if full := q.end + sureLength; len(b) >= full {
		t.b, t.eof = b[:full], false
	}
	s := t.swallow
	s.begin(q)
	done, seen := s.step(t), len(t.b)
	t.b, t.eof = b, eof
	b = b[q.end:s.pos]
	switch {
	case !done && seen < q.end+sureLength:
		return wait(q.end)
	case !done:
		if bytes.HasPrefix(b, []byte("${")) || bytes.HasPrefix(b, []byte("{{")) || r.message(k, b) {
			return answer{}
		}
		return begun(q.end)
	case len(b) < r.least || r.sameName(b, k, t) || isPlaceholder(b) || r.message(k, b):
		return answer{}
	case !r.words && plainWord(b) && len(b) < 16, k.sep == ',' && !argument(k, b):
		return answer{}
	}
	a := matched(q.end, s.pos)
	a.next = k.next
	return a
}

// message tells whether a quoted text is one that is meant to be read, such as
// "Password must not be empty". What the shell assigns is not.
func (r *rule) message(k *key, b []byte) bool {
	if r.words && k.sep == '=' && !k.spaced || bytes.IndexByte(b, ' ') < 0 {
		return false
	}
	if !r.words {
		return !hasDigit(b)
	}
	s := strings.ToLower(string(b))
	for _, w := range []string{"password", "passphrase", "secret", "token", "must ", "enter ", "invalid", "required", "incorrect", "forgot", "please", "your ", " the ", " is ", "cannot", "can't", "not "} {
		if strings.Contains(s, w) {
			return true
		}
	}
	last := b[len(b)-1]
	return last == '.' || last == '?' || last == ':' || last == '%'
}

// sameName tells whether the value only repeats the name, as arguments and
// labels do, or names a kind of it: private_key: "rsa.RSAPrivateKey".
func (r *rule) sameName(b []byte, k *key, t *text) bool {
	if len(b) == 0 || !wordDot.has(b[len(b)-1]) {
		return false
	}
	from := k.start + bytes.LastIndexByte(t.b[k.start:max(k.start, k.word)], '.') + 1
	name := t.b[from:min(len(t.b), k.start+2*maxName)]
	name = name[:wordDash.run(name, 0)]
	if len(name) == 0 {
		return false
	}
	if (b[len(b)-1]^name[len(name)-1])&^0x20 != 0 || wordDot.run(b, 0) < len(b) { // most are told apart by the first
		return false
	}
	value, whole := lettersOf(b), lettersOf(name)
	if bytes.Equal(value, whole) {
		return true
	}
	kind := lettersOf(name[min(len(name), k.word-from):])
	return !r.words && digits.run(b, 0) == 0 && len(kind) > 0 && bytes.HasSuffix(value, kind) && isUpper(b[len(b)-len(kind)])
}

// lettersOf returns the letters of b in lower case.
func lettersOf(b []byte) []byte {
	var letters []byte
	for _, c := range b {
		if isAlnum(c) {
			letters = append(letters, c|0x20)
		}
	}
	return letters
}

// number decides on a JSON number, whose marker needs quotes to be JSON.
func (t *text) number(r *rule, k *key) answer {
	end := numeral.run(t.b[:min(len(t.b), k.value+sureLength)], k.value)
	if end == len(t.b) && !t.eof {
		return wait(k.value)
	}
	least := 4
	if !r.words {
		least = 8
	}
	if end-k.value < least || end < len(t.b) && isWord(t.b[end]) {
		return answer{}
	}
	a := matched(k.value, end)
	if end-k.value == sureLength {
		a = t.opened(k.value, swallow{pos: end, kind: swallowRun, class: &numeral})
	}
	a.wrap = wrapping{quote: k.quote, level: uint8(k.level)}
	return a
}

// numeral is what a JSON number is made of.
var numeral = class{lo: digitBits | dotBits | dashBits | 1<<'+', hi: 1<<('e'-64) | 1<<('E'-64)}

// element decides on the text of an XML element.
func (t *text) element(r *rule, k *key) answer {
	end := k.value
	for end < len(t.b) && t.b[end] != '<' && !isEOL(t.b[end]) && end < k.value+lookback {
		end++
	}
	switch v := t.hasWord(end, "</"); {
	case end < k.value+lookback && (v == more || end == len(t.b) && !t.eof):
		return wait(k.value)
	case v == no || end-k.value < r.least || isPlaceholder(t.b[k.value:end]):
		return answer{}
	case k.paired && !telling(t.b[k.value:end]): // a text of a user's interface
		return answer{}
	}
	return matched(k.value, end)
}

// bareSecret decides on an unquoted value.
func (t *text) bareSecret(r *rule, k *key) answer {
	if t.passed(k.value) {
		return answer{}
	}
	if r.words && k.sep == ':' && k.spaced && k.line && k.quote == 0 && !isUpper(t.b[k.start]) && t.hasFolded(k.word, "passwd") == no {
		if a := t.phrase(k.value); a.verdict != no {
			return a
		}
	}
	v := t.bareValue(k.value)
	b := t.b[k.value:v.end]
	if v.more {
		return wait(k.value)
	}
	if !v.long && (len(b) < r.least || r.sameName(b, k, t) && !t.constant(k)) {
		return answer{}
	}
	if len(b) == 0 || isPlaceholder(b) || code(b) || b[0] == '!' && plainWord(b[1:]) || b[0] == '{' || b[0] == '[' || b[0] == '(' {
		return answer{}
	}
	if v.long {
		return t.opened(k.value, swallow{pos: v.end, kind: swallowBare})
	}
	next := t.skipBlanks(v.end)
	if next == len(t.b) && !t.eof {
		return wait(k.value)
	}
	if !r.accepts(t, k, v.end, next) {
		return answer{}
	}
	return matched(k.value, v.end)
}

// constant tells whether the name is written as that of a constant is.
func (t *text) constant(k *key) bool {
	return isUpper(t.b[k.start]) && isUpper(t.b[min(k.start+1, len(t.b)-1)])
}

// accepts decides on a whole unquoted value that is no placeholder, nor too short,
// nor the name again. next is the
// first byte behind it and its blanks.
func (r *rule) accepts(t *text, k *key, end, next int) bool {
	b := t.b[k.value:end]
	upper := t.constant(k)
	plain := plainWord(b)
	switch {
	case plain && len(b) < 4, allDigits(b) && !r.words && len(b) < 8:
		return false
	case !plain && !r.words && !mixed(b) && len(b) < 16:
		return false
	}
	ends := next == len(t.b) || isEOL(t.b[next])
	switch {
	case k.sep == ' ':
		return !bytes.HasPrefix(b, []byte("--")) && (!plain || !proseWord(string(b)) && !isUpper(b[len(b)-1]))
	case k.sep == ':' && !k.spaced && !k.flag && k.quote == 0 && !hasDigit(b):
		return false // a list of fields: user:password:group
	case k.spaced && k.sep == '=' && !r.words && (len(b) < 8 || b[0] == '0' || b[0] == '-'):
		return false // a number in code
	case r.words && k.line && ends && !plain && !codePath(b) && !bytes.HasPrefix(b, []byte("0x")):
		return true // a line of an ini file
	case !plain:
		return !codePath(b) && (!k.spaced || k.sep != '=' || len(b) >= 6 && !identifier(b))
	case k.sep == ':':
		ends = ends || t.b[next] == '#' || t.b[next] == '"' || t.b[next] == '}'
		return r.words && ends && !proseWord(string(b)) || len(b) >= 24 && bytes.IndexByte(b, '_') < 0
	case k.spaced:
		return false
	}
	separated := bytes.IndexByte(b, '_') > 0 || camel(b)
	closed := end < len(t.b) && (t.b[end] == ')' || t.b[end] == ',' && end+1 < len(t.b) && t.b[end+1] == ' ')
	return upper && (r.words || len(b) >= 6) || !separated && !closed && (r.words || len(b) >= 8)
}

// camel tells whether the case of b changes inside.
func camel(b []byte) bool {
	for i := 1; i < len(b); i++ {
		if isUpper(b[i]) && isLower(b[i-1]) {
			return true
		}
	}
	return false
}

// identifier tells whether b could be a variable: letters, digits, underscores,
// and few digits.
func identifier(b []byte) bool {
	return len(b) < 12 && !isDigit(b[0]) && lowerWord.run(b, 0) == len(b)
}

// codePath tells whether b is a path of identifiers: self.password, cfg.token.
func codePath(b []byte) bool {
	set := class{lo: dotBits | dashBits | 1<<'>' | 1<<':', hi: alphaBits | underBits}
	if len(b) == 0 || !set.has(b[len(b)-1]) || set.run(b, 0) < len(b) {
		return false
	}
	return bytes.IndexByte(b, '.') >= 0 || bytes.Contains(b, []byte("->")) || bytes.Contains(b, []byte("::"))
}

// code tells whether b begins as a call, a subscript or a reference does.
func code(b []byte) bool {
	i := 0
	for i < len(b) && (b[i] == '&' || b[i] == '*' || b[i] == '!') {
		i++
	}
	end := wordDot.run(b, i)
	for bytes.HasPrefix(b[end:], []byte("::")) {
		end = wordDot.run(b, end+2)
	}
	if i > 0 && end > i && isAlpha(b[i]) && (end == len(b) && (plainWord(b[i:]) || bytes.IndexByte(b, '.') > 0) || end < len(b) && b[end] == '{') {
		return true
	}
	return end > i && !isDigit(b[i]) && end < len(b) && (b[end] == '(' || b[end] == '[' && end+1 < len(b) || b[end] == '{' && isUpper(b[i])) && bytes.IndexByte(b[i:end], '-') < 0
}

// blockScalar finds the text of a YAML block (YAML 1.2, 8.1): the lines that are
// indented more than the key's line.
func (t *text) blockScalar(k *key) answer {
	i := k.value + 1
	for i < len(t.b) && i < k.value+4 && (t.b[i] == '-' || t.b[i] == '+' || isDigit(t.b[i])) {
		i++
	}
	i = t.skipBlanks(i)
	for i < len(t.b) && i < k.value+8 && t.b[i] == '\r' {
		i++
	}
	if v := t.hasWord(i, "\n"); v != match {
		return unheld(t, v)
	}
	line := t.lineStart(k.start)
	indent := t.skipBlanks(line) - line
	first := t.blockIndent(i + 1)
	switch {
	case first == len(t.b):
		return unheld(t, t.atEnd())
	case isEOL(t.b[first]) || first-i-1 <= indent:
		return answer{}
	}
	return t.opened(first, swallow{pos: first, kind: swallowBlock, indent: int32(indent)})
}

// blockIndent returns where the line at i begins behind its indent.
func (t *text) blockIndent(i int) int {
	for i < len(t.b) && t.b[i] == ' ' {
		i++
	}
	return i
}

// block ends at the end of the last line that is indented enough. A line
// without anything in it belongs to the block if another of its lines follows.
func (s *swallow) block(t *text) bool {
	for {
		for s.pos < len(t.b) && !isEOL(t.b[s.pos]) {
			s.pos++
		}
		i := s.pos
		for {
			for i < len(t.b) && isEOL(t.b[i]) {
				i++
			}
			first := t.blockIndent(i)
			if first == len(t.b) {
				if t.eof {
					return true
				}
				return first > s.pos+maxName*16
			}
			if isEOL(t.b[first]) {
				i = first
				continue
			}
			if first-i <= int(s.indent) {
				return true
			}
			s.pos = first
			break
		}
	}
}
