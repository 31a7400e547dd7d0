package redact

import "strings"

// Commands also stand as lists of their arguments, each in quotes: in the
// configuration of a container, in a program that starts another.

// matchListFlag finds the password in ["mysql", "-pX"], ["redis-cli", "-a", "X"],
// ["curl", "-u", "user:X"]. It begins at the quote before the flag.
func matchListFlag(r *rule, t *text, c *candidate) answer {
	if v := t.hasWord(c.at, c.word); v != match {
		return unheld(t, v)
	}
	q := quoteMark{char: t.b[c.at]}
	word := strings.TrimRight(c.word, "\"'\\")
	for q.level < 7 && c.at > int(q.level) && t.b[c.at-int(q.level)-1] == '\\' {
		q.level++
	}
	i := c.at + len(word)
	value, v := t.nextArgument(i, q)
	if v == more {
		return unheld(t, v)
	}
	before, apart := t.b[max(0, c.at-lookback):c.at], v == match
	user := false
	switch flag := word[2:]; {
	case flag == "p" && mentions(before, "sshpass"):
	case flag == "p" && apart && mentions(before, "login\"", "login'"):
	case flag == "p" && !apart && mentions(before, "mysql", "mariadb"):
	case flag == "a" && apart && mentions(before, "redis-cli", "keydb-cli", "valkey-cli"):
	case flag == "b" && apart && mentions(before, "curl"):
		a := t.cookiePair(value)
		if a.end > 0 && a.verdict != more {
			a.next = &nextCookie
		}
		return a
	case (flag == "u" || apart && (flag == "-user" || flag == "-proxy-user")) && mentions(before, "curl", "wget", "http"):
		user = true
	default:
		return answer{}
	}
	if apart {
		i = value
	}
	if q.end = i; user {
		if q.end, v = t.behindUser(i); v != match {
			return unheld(t, v)
		}
	}
	return t.quoted(r, &key{start: len(t.b), sep: ' '}, q)
}

// nextArgument finds the argument behind the one whose closing quote is expected
// at i.
func (t *text) nextArgument(i int, q quoteMark) (start int, v verdict) {
	quote := strings.Repeat(`\`, int(q.level)) + string(rune(q.char))
	for _, word := range []string{quote, ",", quote} {
		if v := t.hasWord(i, word); v != match {
			return i, v
		}
		if i += len(word); word != quote || start == 0 {
			i, start = t.skipSpace(i), i
		}
	}
	return i, match
}

// behindUser skips a user's name and the colon behind it.
func (t *text) behindUser(i int) (password int, v verdict) {
	for end := i + maxName; i < len(t.b) && i < end && t.b[i] != ':'; i++ {
		if isSpace(t.b[i]) || t.b[i] == '/' || t.b[i] == '"' || t.b[i] == '\'' || t.b[i] == '\\' {
			return i, no
		}
	}
	return i + 1, t.hasWord(i, ":")
}

// listed finds the value of a flag that is an item of a list in YAML: the next
// item. It is called at the end of the flag's line.
func (t *text) listed(k *key, i int) (width int, v verdict) {
	line := strings.TrimLeft(string(t.commandLine(k.start)), " \t")
	if line != "- --" && line != "- -" && line != `- "--` && line != "- '--" {
		return 0, no
	}
	end := t.skipSpace(i)
	if v := t.hasWord(end, "- "); v != match {
		return 0, v
	}
	k.sep, k.spaced = ' ', true
	return end + len("- ") - i, match
}

// A login reads its password from its input: echo X | docker login
// --password-stdin, gh auth login --with-token <<< X.

// matchPipedLogin begins at the word that writes the password.
func matchPipedLogin(r *rule, t *text, c *candidate) answer {
	if v := t.hasWord(c.at, c.word); v != match || !t.freeLeft(c.at) {
		return unheld(t, v)
	}
	i := c.at + len(c.word)
	if i+1 < len(t.b) && t.b[i] == '-' && (t.b[i+1] == 'n' || t.b[i+1] == 'e') {
		i = t.skipBlanks(i + 2)
	}
	if strings.HasPrefix(c.word, "printf") {
		for _, format := range []string{`'%s' `, `"%s" `, `%s `, `'%s\n' `, `"%s\n" `, `%s\\n `} {
			switch t.hasWord(i, format) {
			case match:
				i += len(format)
			case more:
				return wait(i)
			}
		}
	}
	q := t.openQuote(i)
	if q.kind == quoteMore {
		return wait(i)
	}
	start, end := q.end, q.end
	for end < len(t.b) && end < start+lookback && !isEOL(t.b[end]) && (q.char != 0 || t.b[end] != ' ' && t.b[end] != '|') && (q.char == 0 || t.b[end] != q.char) {
		end++
	}
	switch {
	case end == len(t.b) && !t.eof:
		return wait(start)
	case end == len(t.b) || end == start+lookback || end < start+4 || isPlaceholder(t.b[start:end]):
		return answer{}
	}
	after := end
	if q.char != 0 {
		after++
	}
	switch v := t.logsIn(after); v {
	case more:
		return wait(start)
	case match:
		return matched(start, end)
	}
	return answer{}
}

// logsIn tells whether what stands at i goes on to a command that reads a
// password: behind a pipe, or as the next command of a trace.
func (t *text) logsIn(i int) verdict {
	i = t.skipBlanks(i)
	if v := t.hasWord(i, "|"); v != match {
		eol := i
		for eol < len(t.b) && isEOL(t.b[eol]) {
			eol++
		}
		if v == more || eol == i {
			return v
		}
		if v := t.hasWord(eol, "+ "); v != match {
			return v
		}
		i = eol
	}
	for j := i; j < i+lookback; j++ {
		switch {
		case j == len(t.b):
			return t.atEnd()
		case isEOL(t.b[j]) || t.b[j] == ';':
			return no
		}
		for _, flag := range []string{"--password-stdin", "--with-token", "--token-stdin"} {
			if v := t.hasWord(j, flag); v != no {
				return v
			}
		}
	}
	return no
}

// matchHereString begins at the flag that makes a command read a password.
func matchHereString(r *rule, t *text, c *candidate) answer {
	if v := t.hasWord(c.at, c.word); v != match {
		return unheld(t, v)
	}
	i := t.skipBlanks(c.at + len(c.word))
	if v := t.hasWord(i, "<<<"); v != match {
		return unheld(t, v)
	}
	return t.flagValue(t.skipBlanks(i + len("<<<")))
}
