package redact

import "bytes"

// Flags whose letter does not tell what they are. The command before them does.

// commandLine returns what stands before at on the same line, as far as a
// matcher may look.
func (t *text) commandLine(at int) []byte { return t.b[t.lineStart(at):at] }

// A lineMemo is what is known of the line that was asked for last.
type lineMemo struct {
	start, end int // no line ends between the two
}

func (m *lineMemo) shift(n int) {
	m.start = max(0, m.start-n)
	m.end = max(0, m.end-n)
}

// lineStart returns where the line begins that the byte before at is in, or how
// far back a matcher may look. Nothing is looked at twice however many matchers
// ask for the same line.
func (t *text) lineStart(at int) int {
	least := max(0, at-lookback)
	i := at
	for i > least && !isEOL(t.b[i-1]) {
		i--
		if m := t.lines; m != nil && m.start < i && i <= m.end {
			i = m.start
		}
	}
	i = max(i, least)
	if t.lines != nil {
		*t.lines = lineMemo{start: i, end: at}
	}
	return i
}

// command returns what stands before at in the same command of the line.
func (t *text) command(at int) []byte {
	line := t.commandLine(at)
	for i := len(line) - 1; i > 0; i-- {
		if line[i] != ' ' {
			continue
		}
		if c := line[i-1]; c == ';' || c == '&' || c == '|' { // and no part of a URL
			return line[i:]
		}
	}
	return line
}

// mentions tells whether the command line names one of the words.
func mentions(line []byte, words ...string) bool {
	for _, w := range words {
		if bytes.Contains(line, []byte(w)) {
			return true
		}
	}
	return false
}

// matchPasswordFlag finds the password of mysql -pX, sshpass -p X, docker login
// -p X, redis-cli -a X. It begins at the blank before the flag.
func matchPasswordFlag(r *rule, t *text, c *candidate) answer {
	i := c.at + len(" -p")
	if v := t.atFlag(i); v != match {
		return unheld(t, v)
	}
	apart, ok := t.b[i] == ' ', false
	if apart && i+1 < len(t.b) && t.b[i+1] == '-' {
		return answer{} // another flag
	}
	line := t.command(c.at)
	switch t.b[c.at+2] {
	case 'p':
		ok = apart && mentions(line, "sshpass", " login", "mongo", "twine ") || !apart && mentions(line, "mysql", "mariadb", "sshpass", "7z ", "rar ")
	case 'P':
		ok = apart && mentions(line, "zip")
	case 'a':
		ok = apart && mentions(line, "redis-cli", "keydb-cli", "valkey-cli")
	case 'k':
		ok = apart && mentions(line, "openssl enc ", "openssl aes-", "openssl des")
	case 'w':
		ok = apart && mentions(line, "ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami", "ldappasswd", "ldapdelete")
	}
	if !ok {
		return answer{}
	}
	if apart {
		i++
	}
	return t.flagValue(i)
}

// atFlag tells whether the text goes on behind a flag.
func (t *text) atFlag(end int) verdict {
	if end >= len(t.b) {
		return t.atEnd()
	}
	if isSpace(t.b[end]) && t.b[end] != ' ' {
		return no
	}
	return match
}

// matchCookieFlag finds the cookies in curl -b. It begins at the blank before
// the flag.
func matchCookieFlag(r *rule, t *text, c *candidate) answer {
	i := c.at + len(c.word)
	if v := t.hasWord(c.at, c.word); v != match {
		return unheld(t, v)
	}
	if !mentions(t.commandLine(c.at), "curl") {
		return answer{}
	}
	if i = t.skipBlanks(i); i < len(t.b) && (t.b[i] == '"' || t.b[i] == '\'') {
		i++
	}
	a := t.cookiePair(i)
	if a.end > 0 && a.verdict != more {
		a.next = &nextCookie
	}
	return a
}

// flagValue takes the argument at i.
func (t *text) flagValue(i int) answer {
	q := t.openQuote(i)
	if q.kind == quoteMore || i == len(t.b) && !t.eof {
		return wait(i)
	}
	if q.char != 0 && q.level == 0 {
		v := t.bareValue(q.end)
		if v.more {
			return wait(q.end)
		}
		if isPlaceholder(t.b[q.end:v.end]) {
			return answer{}
		}
		return t.opened(q.end, q.swallow(q.end))
	}
	v := t.bareValue(i)
	switch b := t.b[i:v.end]; {
	case v.more:
		return wait(i)
	case isPlaceholder(b) || b[0] == '-':
		return answer{}
	case v.long:
		return t.opened(i, swallow{pos: v.end, kind: swallowBare})
	}
	return matched(i, v.end)
}

// matchUserFlag finds the password in curl -u user:password, --user and their
// kin, behind the colon. It begins at the blank before the flag.
func matchUserFlag(r *rule, t *text, c *candidate) answer {
	head := c.word
	i := c.at + len(head)
	if v := t.hasWord(c.at, head); v != match {
		return unheld(t, v)
	}
	if v := t.atFlag(i); v != match {
		return unheld(t, v)
	}
	if t.b[i] == ' ' || t.b[i] == '=' {
		i++
	}
	if i < len(t.b) && (t.b[i] == '"' || t.b[i] == '\'') {
		i++
	}
	start := i
	i, v := t.behindUser(start)
	if percent := bytes.IndexByte(t.b[start:min(i, len(t.b))], '%'); percent > 0 && mentions(t.commandLine(c.at), "smbclient", "rpcclient") {
		i, v = start+percent+1, match
	}
	if v != match {
		return unheld(t, v)
	}
	if !mentions(t.commandLine(c.at), "curl", "wget", "http", "lftp", "ncftp", "smbclient", "rpcclient") {
		return answer{}
	}
	if t.b[start-1] != '"' && t.b[start-1] != '\'' {
		return t.flagValue(i)
	}
	b := t.bareValue(i)
	switch {
	case b.more:
		return wait(i)
	case isPlaceholder(t.b[i:b.end]):
		return answer{}
	}
	return t.opened(i, swallow{pos: i, kind: swallowQuoted, quote: t.b[start-1]})
}

// matchNetrc finds the password of a netrc entry: the word behind password,
// where login and machine stand before. It begins at the word password.
func matchNetrc(r *rule, t *text, c *candidate) answer {
	i := c.at + len("password ")
	if v := t.hasFolded(c.at, "password "); v != match || c.at > 0 && !isSpace(t.b[c.at-1]) {
		return unheld(t, v)
	}
	before := bytes.Fields(t.b[max(0, c.at-lookback):c.at])
	n := len(before)
	if n < 3 || string(before[n-2]) != "login" && string(before[n-2]) != "account" {
		return answer{}
	}
	end := i
	for end < len(t.b) && end < i+sureLength && !isSpace(t.b[end]) {
		end++
	}
	switch {
	case end == len(t.b) && !t.eof:
		return wait(i)
	case isPlaceholder(t.b[i:end]) || proseWord(string(t.b[i:end])):
		return answer{}
	}
	return t.opened(i, swallow{pos: end, kind: swallowDark})
}

// matchDirective finds the password behind the word that begins a line of a
// configuration, or follows CONFIG SET.
func matchDirective(r *rule, t *text, c *candidate) answer {
	if v := t.hasFolded(c.at, c.word); v != match || !t.freeLeft(c.at) {
		return unheld(t, v)
	}
	line := bytes.TrimLeft(t.commandLine(c.at), " \t")
	if len(line) > 0 && !bytes.HasSuffix(bytes.ToLower(line), []byte("config set ")) {
		return answer{}
	}
	i := c.at + len(c.word)
	if i == len(t.b) {
		return unheld(t, t.atEnd())
	}
	return t.flagValue(i)
}
