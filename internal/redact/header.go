package redact

import (
	"bytes"
	"strings"
)

// A header is known by its name. The name, the scheme and, of cookies, the names
// and attributes stay.

// matchAuthorization begins at the word authorization (RFC 9110, 11.6.2).
func matchAuthorization(r *rule, t *text, c *candidate) answer {
	var k key
	if v := t.keyAt(&k, c.at, "authorization", keyHeader); v != match {
		return unheld(t, v)
	}
	i := k.value
	if k.sep == ',' && t.b[i] != '"' && t.b[i] != '\'' {
		return answer{}
	}
	switch t.hasWord(i, "[]string{") {
	case more:
		return wait(i)
	case match:
		i = t.skipSpace(i + len("[]string{"))
	case no:
		if t.hasWord(i, "[") == match { // Go prints the values of a header so
			i++
		}
	}
	q := t.openQuote(t.literal(i))
	if q.kind == quoteMore {
		return wait(i)
	}
	i = q.end
	end := class{lo: wordDash.lo, hi: wordDash.hi}.run(t.b, i)
	if end == len(t.b) && end-i < 32 && !t.eof {
		return wait(i)
	}
	var lower [32]byte
	scheme := string(appendLower(lower[:0], t.b[i:min(end, i+32)]))
	list := isParametric(scheme)
	if list || isScheme(scheme) {
		switch t.hasWord(end, "%20") {
		case more:
			return wait(i)
		case match:
			return t.headerToken(end+len("%20"), q)
		}
	}
	if end < len(t.b) && (t.b[end] == ' ' || t.b[end] == '+') && (list || isScheme(scheme)) {
		start := end
		for start < len(t.b) && start < end+8 && (t.b[start] == ' ' || t.b[start] == '+') {
			start++
		}
		switch {
		case start == len(t.b):
			return unheld(t, t.atEnd())
		case list:
			return t.headerRest(start, q)
		}
		return t.headerToken(start, q)
	}
	return t.headerToken(i, q)
}

// isScheme tells whether s is an authentication scheme with one value (IANA's
// registry and the usual private ones).
func isScheme(s string) bool {
	switch s {
	case "basic", "bearer", "token", "apikey", "api-key", "key", "bot", "dpop", "negotiate", "ntlm", "jwt", "privatetoken",
		"geniekey", "sso-key", "ssws", "splunk", "pve", "discogs", "client-id", "gogs", "rest":
		return true
	}
	return false
}

// isParametric tells whether s is a scheme whose value is a list.
func isParametric(s string) bool {
	switch s {
	case "digest", "hawk", "oauth", "signature", "hoba", "mutual", "vapid", "mac", "hmac", "aws", "privatekeyauth", "gnap", "concealed":
		return true
	}
	return strings.HasPrefix(s, "aws4-") || strings.HasPrefix(s, "scram-") || strings.HasPrefix(s, "hmac-") || strings.HasPrefix(s, "goog4-")
}

// headerRest takes the whole rest of a header.
func (t *text) headerRest(start int, q quoteMark) answer {
	s := swallow{pos: start, kind: swallowLine}
	if q.char != 0 {
		s = q.swallow(start)
	}
	return t.opened(start, s)
}

// headerToken takes one credential, unless it is a word or a placeholder.
func (t *text) headerToken(start int, q quoteMark) answer {
	v := t.bareValue(start)
	if v.more {
		return wait(start)
	}
	b := t.b[start:v.end]
	switch {
	case !v.long && (len(b) < 6 || isPlaceholder(b) || plainWord(b) && len(b) < 32 || code(b) || codePath(b) || b[0] == q.char || b[0] == '{'):
		return answer{}
	case q.char != 0:
		return t.opened(start, q.swallow(start))
	}
	return t.opened(start, swallow{pos: v.end, kind: swallowBare})
}

// matchBearer begins at the word bearer, outside of a header.
func matchBearer(r *rule, t *text, c *candidate) answer {
	if v := t.hasFolded(c.at, c.word); v != match || !t.freeLeft(c.at) {
		return unheld(t, v)
	}
	start := c.at + len(c.word)
	end := base64Dot.run(t.b[:min(len(t.b), start+16)], start)
	switch {
	case end == len(t.b) && !t.eof:
		return wait(start)
	case end-start < 16 || !mixed(t.b[start:end]) || !hasDigit(t.b[start:end]):
		return answer{}
	}
	return t.opened(start, swallow{pos: end, kind: swallowRun, class: &base64Dot})
}

// base64Dot is the token68 of RFC 9110.
var base64Dot = class{lo: base64Any.lo | dotBits, hi: base64Any.hi | tildeBits}

// matchCookie begins at the word cookie (RFC 6265). Of Set-Cookie only the first
// pair is a cookie.
func matchCookie(r *rule, t *text, c *candidate) answer {
	var k key
	if v := t.keyAt(&k, c.at, "cookie", keyHeader); v != match {
		return unheld(t, v)
	}
	q := t.openQuote(k.value)
	if q.kind == quoteMore {
		return wait(k.value)
	}
	a := t.cookiePair(q.end)
	set := c.at >= 4 && strings.EqualFold(string(t.b[c.at-4:c.at]), "set-")
	if a.end > 0 && a.verdict != more && !set {
		a.next = &nextCookie
	}
	return a
}

// nextCookie looks for a further pair where one has ended.
var nextCookie = rule{name: "cookie", rank: rankPlace, match: matchNextCookie}

func matchNextCookie(r *rule, t *text, c *candidate) answer {
	i := c.at
	if t.hasWord(i, `"`) == match { // of the value that has ended
		i++
	}
	if v := t.hasWord(i, ";"); v != match {
		return unheld(t, v)
	}
	for i++; i < len(t.b) && t.b[i] == ' ' && i < c.at+8; i++ {
	}
	a := t.cookiePair(i)
	if a.end > 0 && a.verdict != more {
		a.next = r
	}
	return a
}

// cookiePair takes the value of the pair at i.
func (t *text) cookiePair(i int) answer {
	end := i
	for end < len(t.b) && end < i+lookback/2 && (isWord(t.b[end]) || bytes.IndexByte([]byte("!#$%&'*+-.^`|~[]()/:@"), t.b[end]) >= 0) {
		end++
	}
	switch {
	case end == len(t.b):
		return unheld(t, t.hasWord(end, "="))
	case end == i || t.b[end] != '=':
		return answer{}
	}
	start := end + 1
	if t.hasWord(start, `"`) == match {
		start++
	}
	end = start
	for end < len(t.b) && end < start+4 && cookieByte(t.b[end]) {
		end++
	}
	switch {
	case end == len(t.b) && !t.eof:
		return wait(start)
	case end < start+4: // too short to be one; another may follow
		return answer{end: end}
	}
	a := t.opened(start, swallow{pos: end, kind: swallowCookie})
	a.end = end
	return a
}

func cookieByte(c byte) bool { return !isSpace(c) && c != ';' && c != '"' && c != '\\' && c != '\'' }

func endsCookie(c byte) bool { return !cookieByte(c) }

// matchCookieList finds the cookies in a list of objects with a name and a value
// each, as records of requests have them. It begins at the word cookies.
func matchCookieList(r *rule, t *text, c *candidate) answer {
	var k key
	if v := t.keyAt(&k, c.at, "cookies", keyHeader); v != match {
		return unheld(t, v)
	}
	if k.quote == 0 || k.sep != ':' || t.b[k.value] != '[' {
		return answer{}
	}
	return answer{end: k.value + 1, next: &nextListedCookie}
}

// nextListedCookie looks for the value of a further object of the list.
var nextListedCookie = rule{name: "cookie", rank: rankPlace, words: true, least: 4, match: matchListedCookie}

func matchListedCookie(r *rule, t *text, c *candidate) answer {
	const reach = 2 * lookback
	for i := c.at; i < c.at+reach; i++ {
		switch {
		case i == len(t.b):
			return unheld(t, t.atEnd())
		case t.b[i] == ']':
			return answer{}
		case t.b[i] != 'v' || t.hasWord(i, "value") == no || i == 0 || t.b[i-1] != '"':
			continue
		}
		if i+len("value") > len(t.b) {
			return unheld(t, t.atEnd())
		}
		k := key{start: i, word: i}
		v := t.separator(&k, i+len("value"), keyHeader)
		switch {
		case v == more:
			return unheld(t, v)
		case v == no || k.sep != ':':
			continue
		}
		q := t.openQuote(k.value)
		if q.kind == quoteMore {
			return wait(k.value)
		}
		if q.char == 0 {
			continue
		}
		a := t.quoted(r, &key{start: len(t.b), sep: ' '}, q)
		if a.verdict == no {
			a.end = q.end
		}
		a.next = r
		return a
	}
	return answer{}
}
