package redact

import "bytes"

// Languages put more than a mark between a name and its value: a type, the bounds
// of an array, an arrow; or less: nothing but a blank.

// declared reads on from i behind a name that no mark follows. A value only
// counts where a quote opens it.
func (t *text) declared(k *key, i int) (width int, v verdict) {
	if k.quote != 0 {
		return 0, no
	}
	switch c := t.b[i]; {
	case c == '<': // of R
		if v = t.hasWord(i, "<-"); v == no {
			v = t.hasWord(i, "<<-")
		}
		k.sep, k.spaced = '=', true
		return bytes.IndexByte(t.b[i:min(len(t.b), i+3)], '-') + 1, v
	case c == '{' && !k.spaced, c == '(' && !k.spaced && t.setter(k):
		k.sep = '='
		if c == '(' {
			k.sep = ','
		}
		return 1, t.opens(i + 1)
	case c == '[' && !k.spaced:
		end := word.run(t.b[:min(len(t.b), i+maxName)], i+1)
		if v = t.hasWord(end, "]"); v != match {
			return 0, v
		}
		value, v := t.equals(end + 1)
		k.sep, k.spaced = '=', true
		return value - i, v
	case k.spaced && (t.keyword(k) || t.statement(k) || t.macro(k)):
		k.sep = ' '
		return 0, t.opens(i)
	case k.spaced && bytes.Contains(t.commandLine(k.start), []byte("rclone config ")):
		k.sep = ' '
		return 0, match
	case k.spaced:
		value, v := t.typed(i)
		k.sep = '='
		return value - i, v
	}
	return 0, no
}

// opens tells whether a quote opens a string at i, behind such letters as
// languages put before one.
func (t *text) opens(i int) verdict {
	i = t.literal(i)
	if i == len(t.b) {
		return t.atEnd()
	}
	if t.b[i] == '"' || t.b[i] == '\'' || t.b[i] == '`' {
		return match
	}
	return no
}

// literal skips what stands before the quote of a string that begins at i: the
// $'…' of shells, b"…" and r'…' of Python and Rust, N'…' of SQL, @"…" of C#. It
// returns i where no quote follows.
func (t *text) literal(i int) int {
	for j := i; j < len(t.b) && j < i+3; j++ {
		switch t.b[j] {
		case '"', '\'':
			return j
		case '$', '@', 'b', 'B', 'f', 'F', 'L', 'n', 'N', 'r', 'R', 'u', 'U':
			continue
		}
		break
	}
	return i
}

// stringAt finds where the string of a key's value may begin: behind a type, a
// call that only wraps it, letters before its quote.
func (t *text) stringAt(k *key) (start int, v verdict) {
	if k.sep == ':' && k.quote == 0 {
		switch value, v := t.typed(k.value); v {
		case more:
			return k.value, more
		case match:
			k.value, k.sep, k.spaced = value, '=', true
		}
	}
	quote, v := t.wrapper(k.value)
	return t.literal(quote), v
}

// newLine tells whether only blanks stand before i on its line.
func (t *text) newLine(i int) bool {
	for i > 0 && (t.b[i-1] == ' ' || t.b[i-1] == '\t') {
		i--
	}
	return i > 0 && isEOL(t.b[i-1])
}

// typed finds where the value begins behind the type that stands at i and an
// equals sign.
func (t *text) typed(i int) (value int, v verdict) {
	if i < len(t.b) && !isAlpha(t.b[i]) && bytes.IndexByte([]byte("&*[("), t.b[i]) < 0 {
		return i, no
	}
	blanks := 0
	for j := i; j < i+maxName; j++ {
		switch {
		case j == len(t.b):
			return i, t.atEnd()
		case t.b[j] == ' ':
			if blanks++; blanks > 3 {
				return i, no
			}
		case t.b[j] == '=':
			return t.equals(j)
		case !typeByte.has(t.b[j]):
			return i, no
		}
	}
	return i, no
}

// typeByte is what a type is written with.
var typeByte = class{
	lo: digitBits | dotBits | 1<<'&' | 1<<'*' | 1<<'(' | 1<<')' | 1<<'<' | 1<<'>' | 1<<'?' | 1<<',' | 1<<':' | 1<<'\'',
	hi: alphaBits | underBits | 1<<('['-64) | 1<<(']'-64) | 1<<('|'-64),
}

// equals finds the quoted value behind the equals sign at i, or behind blanks
// there.
func (t *text) equals(i int) (value int, v verdict) {
	i = t.skipBlanks(i)
	if v := t.hasWord(i, "="); v != match {
		return i, v
	}
	i = t.skipBlanks(i + 1)
	if v := t.opens(i); v != no {
		return i, v
	}
	if _, v := t.wrapper(i); v != no {
		return i, v
	}
	return i, no
}

// keyword tells whether the name is one of Lisp's: :password, and no namespace's
// ::password.
func (t *text) keyword(k *key) bool {
	i := k.start
	for i > 0 && i > k.start-maxName && (isWord(t.b[i-1]) || t.b[i-1] == '/' || t.b[i-1] == '.' || t.b[i-1] == '-') {
		i--
	}
	if i == 0 || t.b[i-1] != ':' {
		return false
	}
	return i == 1 || isSpace(t.b[i-2]) || bytes.IndexByte([]byte("{[(,"), t.b[i-2]) >= 0
}

// macro tells whether the name is one that C's preprocessor is given.
func (t *text) macro(k *key) bool {
	i := k.start
	for least := max(0, i-maxBlanks); i > least && (t.b[i-1] == ' ' || t.b[i-1] == '\t'); i-- {
	}
	return i < k.start && bytes.HasSuffix(t.b[:i], []byte("#define"))
}

// setter tells whether the name is that of a method which takes the value: the
// word alone, as builders have it, or behind set and the like.
func (t *text) setter(k *key) bool {
	method := k.start
	if dot := bytes.LastIndexByte(t.b[k.start:k.word], '.'); dot >= 0 {
		if method += dot + 1; method == k.word {
			return true
		}
	}
	for _, head := range []string{"set", "with", "add", "use"} {
		if t.hasFolded(method, head) == match {
			return true
		}
	}
	return false
}

// wrapper finds the quote behind a call at i that only makes a string into
// another kind of string.
func (t *text) wrapper(i int) (quote int, v verdict) {
	if i == len(t.b) {
		return i, t.atEnd()
	}
	v = no
	for _, head := range wrappers(t.b[i] | 0x20) {
		switch t.hasFolded(i, head) {
		case match:
			quote := t.skipBlanks(i + len(head))
			return quote, t.opens(quote)
		case more:
			v = more
		}
	}
	return i, v
}

// wrappers returns the calls, in lower case, of those that begin with c.
func wrappers(c byte) []string {
	switch c {
	case 'b':
		return []string{"base64.b64decode(", "bytes(", "buffer.from(", "b64decode("}
	case 'c':
		return []string{"char[]{", "cstring("}
	case 'n':
		return []string{"new securestring(", "new string(", "new secret("}
	case 'o':
		return []string{"ok("}
	case 'p':
		return []string{"password("}
	case 's':
		return []string{"string::from(", "string(", "str(", "secretstr(", "secret(", "secretstring(", "some(", "std::string("}
	case 0x7b: // a bracket, folded
		return []string{"[]byte("}
	}
	return nil
}

// statement tells whether the name is the clause of a statement of SQL that sets
// a password.
func (t *text) statement(k *key) bool {
	if t.hasFolded(k.start, "password") != match || k.start != k.word {
		return false
	}
	return t.setsUser(k.start)
}

// setsUser tells whether a statement of SQL before at makes or changes one who
// may log in.
func (t *text) setsUser(at int) bool {
	line := bytes.ToLower(t.b[max(0, at-lookback):at])
	return mentions(line, "user ", "role ", "login ", "grant ", "credential ", "set password") &&
		mentions(line, "create ", "alter ", "grant ", "set password")
}

// matchIdentified finds the password in SQL's IDENTIFIED BY, IDENTIFIED WITH … BY
// and SET PASSWORD FOR … =. It begins at the first word.
func matchIdentified(r *rule, t *text, c *candidate) answer {
	if v := t.hasFolded(c.at, c.word); v != match || !t.freeLeft(c.at) {
		return unheld(t, v)
	}
	i := c.at + len(c.word)
	set := c.word == "set password for "
	for end := i + maxName; set || c.word == "identified with "; i++ { // a plugin, or a user
		switch {
		case i >= len(t.b):
			return unheld(t, t.atEnd())
		case i == end || isEOL(t.b[i]):
			return answer{}
		case set && t.b[i] == '=':
			i = t.skipBlanks(i + 1)
		case !set && (t.hasFolded(i, " by ") == match || t.hasFolded(i, " as ") == match):
			i += len(" by ")
		default:
			continue
		}
		break
	}
	if quote, v := t.wrapper(i); v == match {
		i = quote
	} else if v == more {
		return unheld(t, v)
	}
	i = t.literal(i)
	q := t.openQuote(i)
	switch {
	case q.kind == quoteMore:
		return wait(i)
	case !set && !t.setsUser(c.at):
		return answer{}
	case q.char != 0:
		return t.quoted(r, &key{start: len(t.b), sep: ' '}, q)
	}
	v := t.bareValue(i)
	if v.more {
		return wait(i)
	}
	b := bytes.TrimSuffix(t.b[i:v.end], []byte(";"))
	if len(b) < 3 || isPlaceholder(b) || proseWord(string(b)) {
		return answer{}
	}
	if v.long {
		return t.opened(i, swallow{pos: v.end, kind: swallowBare})
	}
	return matched(i, i+len(b))
}
