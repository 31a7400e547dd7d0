package redact

import "bytes"

// A key is a name with what separates it from its value:
//
//	NAME=v  name: v  "name": v  \"name\": v  'name' => v  --name v  <name>v
type key struct {
	start int  // of the name
	word  int  // of its last word, which tells a secret
	value int  // the first byte behind the separator and its blanks
	sep   byte // '=', ':', ' ' behind a flag, '>' of an element, ',' between arguments
	quote byte // that closes the name, 0 for none
	level int  // backslashes before that quote

	spaced   bool  // blanks stand before or behind the separator
	flag     bool  // the name is a command-line flag's
	variable bool  // a $ stands before the name
	paired   bool  // the value is a field of its own
	line     bool  // the name begins its line, but for blanks
	next     *rule // looked for where the quoted value ends, nil for nothing
	set      bool  // a command stands before it that takes name and value as words
}

// Of what surrounds a name, this much is looked at.
const (
	maxName   = 64
	maxBlanks = 64
)

// keyKind says what else may separate a name from its value.
type keyKind uint8

const (
	keyPlain  keyKind = iota
	keyHeader         // a comma may: Set("Authorization", "…")
)

// hasFolded is hasWord for a lower-case word in any case.
func (t *text) hasFolded(i int, lower string) verdict {
	n := max(0, min(len(lower), len(t.b)-i))
	for k := range n {
		c := t.b[i+k]
		if isUpper(c) {
			c |= 0x20
		}
		if c != lower[k] {
			return no
		}
	}
	if n < len(lower) {
		return t.atEnd()
	}
	return match
}

// mayBe tells whether the text at i is the word in any case, as far as it goes.
// It takes a few marks for others.
func (t *text) mayBe(i int, word string) bool {
	b := t.b[min(i, len(t.b)):min(i+len(word), len(t.b))]
	for k, c := range b {
		if (c^word[k])&^0x20 != 0 {
			return false
		}
	}
	return true
}

// afterName is what may stand right behind a name: a separator, what closes a
// quote, a blank, the end of the line, the bracket of an array or a call, an
// arrow.
var afterName = class{
	lo: 1<<'=' | 1<<':' | 1<<'?' | 1<<'%' | 1<<'>' | 1<<',' | 1<<'"' | 1<<'\'' | 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r' | 1<<'(' | 1<<'<',
	hi: 1<<('\\'-64) | 1<<('`'-64) | 1<<('['-64) | 1<<('{'-64),
}

// keyAt reads into k the key whose name ends with the lower-case word at position at.
func (t *text) keyAt(k *key, at int, lower string, kind keyKind) verdict {
	end := at + len(lower)
	if end < len(t.b) && !afterName.has(t.b[end]) {
		return no
	}
	if v := t.hasFolded(at, lower); v != match {
		return v
	}
	if end == len(t.b) {
		return t.atEnd()
	}
	t.name(k, at)
	return t.separator(k, end, kind)
}

// name fills in where the name begins that has a word at position at.
func (t *text) name(k *key, at int) {
	i := at
	for i > 0 && i > at-maxName && wordDot.has(t.b[i-1]) {
		i--
	}
	*k = key{start: i, word: at}
	for k.start < at && t.b[k.start] == '-' {
		k.start++
	}
	before := byte(' ')
	if i > 0 {
		before = t.b[i-1]
	}
	k.flag = k.start > i && !isAlnum(before) && (before != '\\' || i < 2 || !isAlnum(t.b[i-2])) // troff escapes dashes
	k.variable = before == '$'
	k.set = t.setsNext(i, k.start)
	for i > 0 && i > at-2*maxName && (t.b[i-1] == ' ' || t.b[i-1] == '\t') {
		i--
	}
	k.line = i == 0 || isEOL(t.b[i-1])
}

// setsNext tells whether the name at i follows a command that takes a name and
// its value as two words: a Dockerfile's ENV, setenv, aws configure set.
func (t *text) setsNext(i, name int) bool {
	if i > 1 && t.b[i-1] == ':' && t.b[i-2] == '/' { // npm's //host/:_authToken
		least := max(0, i-maxName)
		i = least + bytes.LastIndexByte(t.b[least:i], ' ') + 1
		name = i
	}
	if i == 0 || i < name || t.b[i-1] != ' ' {
		return false
	}
	switch t.b[max(0, i-2)] { // the last letters of the commands
	case 'V', 'v', 't', 'x', 'q', 'r', 'f', 'g', 'l':
	default:
		return false
	}
	line := t.commandLine(i)
	for _, command := range []string{
		"ENV ", "setenv ", "SetEnv ", "configure set ", "set -x ", "set -gx ", "set -Ux ",
		"setx ", "config set ", "git config ", "git config --global ", "git config --local ",
		"setq ", "defvar ", "defparameter ", "defconst ", "def ",
	} {
		if before, ok := bytes.CutSuffix(line, []byte(command)); ok {
			return len(before) == 0 || isSpace(before[len(before)-1]) || before[len(before)-1] == '('
		}
	}
	return false
}

// separator reads on behind the name. What has not come yet makes it more; the
// name and the separator need not be held.
func (t *text) separator(k *key, i int, kind keyKind) verdict {
	for i < len(t.b) && t.b[i] == '\\' && k.level < 8 {
		k.level++
		i++
	}
	if i < len(t.b) && (t.b[i] == '"' || t.b[i] == '\'' || t.b[i] == '`') {
		k.quote = t.b[i]
		i++
		if i < len(t.b) && t.b[i] == ']' {
			i++
		}
	}
	if i < len(t.b) && k.level > 0 && k.quote == 0 {
		return no
	}
	blanks := i
	i = t.skipBlanks(i)
	k.spaced = i > blanks
	if i == len(t.b) {
		return t.atEnd()
	}
	if p, ok := t.pairing(k, i); ok {
		value, v := t.pairedValue(k, p, i)
		if v != no {
			k.spaced, k.paired, k.value = true, true, value
			return v
		}
	}
	width, v := t.separatorWidth(k, i, kind)
	if v != match {
		return v
	}
	i += width
	blanks = i
	if (k.sep == ':' || k.sep == ',') && k.quote != 0 {
		for i < len(t.b) && i < blanks+maxBlanks && isSpace(t.b[i]) {
			i++
		}
	}
	if k.sep != '>' {
		i = t.skipBlanks(i)
	}
	k.spaced = k.spaced || i > blanks
	k.value = i
	if i == len(t.b) {
		return t.atEnd()
	}
	return match
}

func (t *text) skipBlanks(i int) int {
	for end := i + maxBlanks; i < len(t.b) && i < end && (t.b[i] == ' ' || t.b[i] == '\t'); {
		i++
	}
	return i
}

// atEnd is the verdict where the text ends before it could be told.
func (t *text) atEnd() verdict {
	if t.eof {
		return no
	}
	return more
}

// separatorWidth returns the length of the separator at i.
func (t *text) separatorWidth(k *key, i int, kind keyKind) (int, verdict) {
	k.sep = t.b[i]
	next := byte(0)
	if i+1 < len(t.b) {
		next = t.b[i+1]
	} else if !t.eof {
		next = 1
	}
	switch k.sep {
	case '=':
		switch next {
		case 1:
			return 0, more
		case '=', '~':
			return 0, no
		case '>':
			return 2, match
		}
		return 1, match
	case ':', '?':
		switch {
		case next == 1:
			return 0, more
		case next == '=':
			k.sep = '='
			k.spaced = true
			return 2, match
		case next == ':', k.sep == '?':
			return 0, no
		}
		return 1, match
	case '%':
		v := t.hasWord(i, "%3D")
		if w := t.hasWord(i, "%3d"); v == no {
			v = w
		}
		k.sep = '='
		return 3, v
	case '>':
		if k.spaced || k.quote != 0 || k.start == 0 || t.b[k.start-1] != '<' {
			return 0, no
		}
		return 1, match
	case ',':
		if k.quote == 0 || kind != keyHeader && !t.mayList(k) {
			return 0, no
		}
		return 1, match
	}
	if (k.flag || k.set) && k.spaced && k.quote == 0 {
		k.sep = ' '
		return 0, match
	}
	switch {
	case kind == keyHeader:
		return 0, no
	case k.flag && isEOL(t.b[i]):
		return t.listed(k, i)
	}
	return t.declared(k, i)
}
