package redact

import "bytes"

// Commands that take a password as a word of its own, with no flag that tells it.

// matchLogin finds the token behind vault login and cargo login. It begins at the
// command.
func matchLogin(r *rule, t *text, c *candidate) answer {
	if v := t.hasWord(c.at, c.word); v != match || !t.freeLeft(c.at) {
		return unheld(t, v)
	}
	i := c.at + len(c.word)
	v := t.bareValue(i)
	switch b := t.b[i:v.end]; {
	case v.more:
		return wait(i)
	case !telling(b) || !isAlnum(b[0]) || isPlaceholder(b) || bytes.ContainsAny(b, "=:/("):
		return answer{}
	case v.long:
		return t.opened(i, swallow{pos: v.end, kind: swallowBare})
	}
	return matched(i, v.end)
}

// matchPasswordFile finds the password in htpasswd -b FILE USER X: the last of
// its words. It begins at the command.
func matchPasswordFile(r *rule, t *text, c *candidate) answer {
	if v := t.hasWord(c.at, c.word); v != match || !t.freeLeft(c.at) {
		return unheld(t, v)
	}
	i := c.at + len(c.word) - len("-")
	batch, words := false, 2
	for end := i + lookback; words > 0; {
		if i >= len(t.b) {
			return unheld(t, t.atEnd())
		}
		start := i
		for i < len(t.b) && i < end && !isSpace(t.b[i]) {
			i++
		}
		switch {
		case i == len(t.b):
			return unheld(t, t.atEnd())
		case i == end || i == start || t.b[i] != ' ':
			return answer{}
		case t.b[start] != '-':
			words--
		default:
			batch = batch || bytes.IndexByte(t.b[start:i], 'b') > 0
			if bytes.IndexByte(t.b[start:i], 'n') > 0 { // there is no file
				words--
			}
		}
		i = t.skipBlanks(i)
	}
	switch {
	case !batch:
		return answer{}
	case i == len(t.b):
		return unheld(t, t.atEnd())
	}
	return t.flagValue(i)
}

// matchNetUser finds the password in net use … /user:NAME X. It begins at the
// flag.
func matchNetUser(r *rule, t *text, c *candidate) answer {
	if v := t.hasFolded(c.at, c.word); v != match {
		return unheld(t, v)
	}
	if !mentions(bytes.ToLower(t.commandLine(c.at)), "net use ") {
		return answer{}
	}
	i := c.at + len(c.word)
	for end := i + maxName; i < len(t.b) && i < end && !isSpace(t.b[i]); i++ {
	}
	if v := t.hasWord(i, " "); v != match {
		return unheld(t, v)
	}
	if i = t.skipBlanks(i); i == len(t.b) {
		return unheld(t, t.atEnd())
	}
	if t.b[i] == '/' {
		return answer{}
	}
	return t.flagValue(i)
}
