package redact

import "bytes"

// matchWebhook finds the secret part of a webhook's address, which is all there
// is to it: who has it may post.
func matchWebhook(r *rule, t *text, c *candidate) answer {
	head := c.word
	if v := t.hasWord(c.at, head); v != match {
		return unheld(t, v)
	}
	i := c.at + len(head)
	for k := range r.parts {
		p := &r.parts[k]
		if p.text != "" {
			if v := t.hasWord(i, p.text); v != match {
				return unheld(t, v)
			}
			i += len(p.text)
			continue
		}
		end := p.set.run(t.b[:min(len(t.b), i+max(p.min, p.max))], i)
		last := k == len(r.parts)-1
		switch {
		case end == len(t.b) && !t.eof && last:
			return wait(i)
		case end == len(t.b) && !t.eof:
			return wait(len(t.b))
		case end-i < p.min:
			return answer{}
		case last:
			return t.opened(i, swallow{pos: end, kind: swallowRun, class: &p.set})
		}
		i = end
	}
	return answer{}
}

// matchAfter finds a run of a set right behind its anchor, which stays: the bot
// of a Telegram token, the mark inside an Azure secret, a URL's sig=.
func matchAfter(r *rule, t *text, c *candidate) answer {
	head := c.word
	i := c.at + r.skip + len(head)
	if v := t.hasWord(c.at+r.skip, head); v != match {
		return unheld(t, v)
	}
	p := &r.parts[0]
	end := p.set.run(t.b[:min(len(t.b), i+p.min)], i)
	switch {
	case end == len(t.b) && end-i < p.min && !t.eof:
		return wait(i)
	case end-i < p.min || isPlaceholder(t.b[i:end]):
		return answer{}
	}
	return t.opened(i, swallow{pos: end, kind: swallowRun, class: &p.set})
}

// matchTelegram takes what matchAfter finds behind the number of a bot. A number
// of few digits is none: go.sum has h1:AA….
func matchTelegram(r *rule, t *text, c *candidate) answer {
	i := c.at
	for i > 0 && i > c.at-11 && isDigit(t.b[i-1]) {
		i--
	}
	if n := c.at - i; n < 6 || n > 10 {
		return answer{}
	}
	return matchAfter(r, t, c)
}

// matchSignature finds the signature in a presigned URL.
func matchSignature(r *rule, t *text, c *candidate) answer {
	lower := c.word
	i := c.at + len(lower)
	if v := t.hasFolded(c.at, lower); v != match {
		return unheld(t, v)
	}
	var k key
	t.name(&k, c.at)
	if inside := k.start > 0 && bytes.IndexByte([]byte("?&;"), t.b[k.start-1]) >= 0; !inside {
		if k.start > 0 && !isSpace(t.b[k.start-1]) {
			return answer{}
		}
		switch is, wants := t.signs(&k, i); {
		case wants:
			return wait(i)
		case !is:
			return answer{}
		}
	}
	end := urlSignature.run(t.b[:min(len(t.b), i+16)], i)
	switch {
	case end == len(t.b) && !t.eof:
		return wait(i)
	case end-i < 16:
		return answer{}
	}
	return t.opened(i, swallow{pos: end, kind: swallowRun, class: &urlSignature})
}

// signs tells whether the value at i of a parameter that no URL stands before is a
// signature: its name says so, or a further parameter follows.
func (t *text) signs(k *key, i int) (is, wants bool) {
	if t.hasFolded(k.start, "x-amz-") == match || t.hasFolded(k.start, "x-goog-") == match {
		return true, false
	}
	end := urlSignature.run(t.b[:min(len(t.b), i+lookback)], i)
	switch {
	case end == i+lookback:
		return false, false
	case end == len(t.b):
		return false, !t.eof
	case t.b[end] != '&':
		return false, false
	}
	return t.pairAt(end + 1)
}

// urlSignature is what a signature in a URL is made of.
var urlSignature = class{lo: base64Any.lo | dotBits | 1<<'%', hi: base64Any.hi | tildeBits}
