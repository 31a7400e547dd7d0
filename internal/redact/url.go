package redact

import "bytes"

// matchUserinfo finds the password in a URL (RFC 3986, 3.2.1). Passwords that
// should have been encoded are found too: it ends at the last @ of the
// authority, and where the part before the first / is no port, at the last @
// before the next /.
func matchUserinfo(r *rule, t *text, c *candidate) answer {
	at, mark := c.at, c.word
	if c.anchor == 0 {
		at++ // behind the scheme's last letter
	}
	i := at + len(mark)
	if v := t.hasWord(at, mark); v != match {
		return unheld(t, v)
	}
	if i < len(t.b) && t.b[i] == '[' { // an IPv6 address
		return answer{}
	}
	if a := t.tokenUser(at, i); a.verdict != no {
		return a
	}
	user := i
	for user < len(t.b) && t.b[user] != ':' {
		if urlEnd(t.b[user]) || user-i > lookback {
			return answer{}
		}
		user++
	}
	if user == len(t.b) {
		return unheld(t, t.hasWord(user, ":"))
	}
	start := user + 1
	end := max(start, c.memo)
	for end < len(t.b) && !urlEnd(t.b[end]) {
		end++
	}
	c.memo = end
	if end == len(t.b) && !t.eof {
		return wait(start)
	}
	at = bytes.LastIndexByte(t.b[start:end], '@')
	if at < 0 {
		at = -1
		if end < len(t.b) && end > start && !isSpace(t.b[end]) && digits.run(t.b[:end], start) < end {
			var wants bool
			if at, wants = t.strayAt(start, end); wants {
				return wait(start)
			}
		}
	}
	if at <= 0 || isPlaceholder(t.b[start:start+at]) {
		return answer{}
	}
	return matched(start, start+at)
}

// leastTokenUser is from how many bytes on a user's name without a password may
// be a token.
const leastTokenUser = 20

// tokenUser finds the token that is the user of the https URL at i, where no
// password follows. The scheme's mark is at at.
func (t *text) tokenUser(at, i int) answer {
	if b := t.b[max(0, at-len("https")):at]; len(b) > 0 && b[len(b)-1] != 's' && b[len(b)-1] != 'p' || !bytes.HasSuffix(b, []byte("https")) && !bytes.HasSuffix(b, []byte("http")) {
		return answer{}
	}
	end := wordDash.run(t.b[:min(len(t.b), i+lookback)], i)
	b := t.b[i:end]
	switch {
	case end == len(t.b) && !t.eof && len(b) < lookback:
		return wait(i)
	case end == len(t.b) || len(b) == lookback || t.b[end] != '@' || len(b) < leastTokenUser || !telling(b):
		return answer{}
	case len(b) == 32 && anyHex.run(b, 0) == len(b): // the public key that an error report is sent with
		return answer{}
	}
	return matched(i, end)
}

// urlEnd tells whether an authority ends before c.
func urlEnd(c byte) bool {
	return isSpace(c) || c == '/' || c == '?' || c == '#' || urlOutside(c)
}

// urlOutside tells whether a URL ends before c.
func urlOutside(c byte) bool {
	return isSpace(c) || c == '"' || c == '<' || c == '>' || c == '`' || c == '\\'
}

// strayAt looks for the @ behind a password with a / in it, which is not far.
func (t *text) strayAt(start, end int) (at int, wants bool) {
	const reach = 128
	at = -1
	for i := end; i < end+reach; i++ {
		if i == len(t.b) {
			return at, !t.eof
		}
		c := t.b[i]
		switch {
		case urlOutside(c) || c == '/' && (at >= 0 || t.b[i-1] == ':'):
			if at >= 0 && isAlnum(t.b[start+at+1]) {
				return at, false
			}
			return -1, false
		case c == '@' && i+1 < len(t.b):
			at = i - start
		}
	}
	return -1, false
}

// matchEncodedUserinfo finds the password in a URL that is a part of another: all
// its marks are encoded.
func matchEncodedUserinfo(r *rule, t *text, c *candidate) answer {
	if v := t.hasFolded(c.at, c.word); v != match {
		return unheld(t, v)
	}
	user, at, slash := -1, -1, -1
	i := c.at + len(c.word)
	for end := i + lookback; i < len(t.b) && i < end && encodedURL.has(t.b[i]); i++ {
		switch {
		case t.b[i] != '%':
		case user < 0 && t.hasFolded(i, "%3a") == match:
			user = i + len("%3a")
		case user < 0 && t.hasFolded(i, "%2f") == match:
			return answer{}
		case user >= 0 && t.hasFolded(i, "%40") == match:
			if at < 0 || slash < 0 {
				at = i
			}
		case user >= 0 && slash < 0 && t.hasFolded(i, "%2f") == match:
			slash = i
			if at >= 0 || digits.run(t.b[:i], user) == i { // a host, with its port
				i = end
			}
		}
	}
	switch {
	case user < 0 && i == len(t.b):
		return unheld(t, t.atEnd())
	case user < 0:
		return answer{}
	case i == len(t.b) && !t.eof:
		return wait(user)
	case at <= user || isPlaceholder(t.b[user:at]):
		return answer{}
	}
	return matched(user, at)
}

// encodedURL is what a URL inside another is made of.
var encodedURL = class{lo: digitBits | dashBits | dotBits | 1<<'%' | 1<<'+' | 1<<'!' | 1<<'*', hi: alphaBits | underBits | tildeBits}
