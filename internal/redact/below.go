package redact

import "bytes"

// scalarBelow finds the value of a key in YAML that stands alone on the next line:
// one word or a quoted string, indented more than the key, with no other such line
// behind it.
func (t *text) scalarBelow(r *rule, k *key) answer {
	line := k.value
	if t.b[line] == '\r' {
		line++
	}
	if v := t.hasWord(line, "\n"); v != match {
		return unheld(t, v)
	}
	line++
	indent := k.start - t.lineStart(k.start)
	start := t.skipBlanks(line)
	switch {
	case start == len(t.b):
		return unheld(t, t.atEnd())
	case start-line <= indent || isEOL(t.b[start]):
		return answer{}
	}
	end := start
	for end < len(t.b) && end < start+lookback && !isEOL(t.b[end]) {
		end++
	}
	switch b := bytes.TrimRight(t.b[start:end], " \t"); {
	case end == start+lookback:
		return answer{}
	case end == len(t.b) && !t.eof:
		return wait(start)
	case !r.standsAlone(k, b):
		return answer{}
	default:
		if b[0] == '"' || b[0] == '\'' {
			start++
			b = b[1 : len(b)-1]
		}
		switch t.dedents(end, indent) {
		case more:
			return wait(start)
		case match:
			return matched(start, start+len(b))
		}
	}
	return answer{}
}

// standsAlone tells whether b, all of a line, is a secret and no beginning of a
// mapping, a list, a sentence or code.
func (r *rule) standsAlone(k *key, b []byte) bool {
	if n := len(b); n > 2 && (b[0] == '"' || b[0] == '\'') {
		inner := b[1 : n-1]
		return b[n-1] == b[0] && bytes.IndexByte(inner, b[0]) < 0 && n-2 >= r.least && !isPlaceholder(inner) && !r.message(k, inner) && (r.words || telling(inner))
	}
	return telling(b) && !isPlaceholder(b) && !codePath(b) && isAlnum(b[0]) && !bytes.ContainsAny(b, "(){}[]<>:=,;|\"'`")
}

// dedents tells whether the line behind the one that ends at i is not indented
// more than that: or nothing follows.
func (t *text) dedents(i, indent int) verdict {
	for end := i + 4; i < len(t.b) && i < end && isEOL(t.b[i]); {
		i++
	}
	first := t.skipBlanks(i)
	if first == len(t.b) && !t.eof {
		return more
	}
	if first < len(t.b) && first-i > indent {
		return no
	}
	return match
}
