package redact

// A part of a token: fixed text, or a run of bytes of a set. A run takes as many
// bytes as it can.
type part struct {
	text     string
	set      class
	min, max int // of the run; max 0: no bound
}

// matchToken finds a token that is known by its prefix and its shape.
func matchToken(r *rule, t *text, c *candidate) answer {
	prefix := c.word
	switch t.hasWord(c.at, prefix) {
	case no:
		return answer{}
	case more:
		return wait(c.at)
	}
	if !r.loose && !t.freeLeft(c.at) {
		return answer{}
	}
	i := c.at + len(prefix)
	for k := range r.parts {
		p := &r.parts[k]
		if p.text != "" {
			switch t.hasWord(i, p.text) {
			case no:
				return answer{}
			case more:
				return wait(c.at)
			}
			i += len(p.text)
			continue
		}
		last := k == len(r.parts)-1
		limit := p.max
		if last && p.max == 0 {
			limit = p.min
		}
		end := p.run(t, c, i, limit)
		switch {
		case end-i < p.min && end == len(t.b) && !t.eof:
			return wait(c.at)
		case end-i < p.min:
			return answer{}
		case last && r.digit && !hasDigit(t.b[i:end]):
			return answer{}
		case last && p.max == 0:
			return t.opened(c.at, swallow{pos: end, kind: swallowRun, class: &p.set})
		case end == len(t.b) && !t.eof:
			return wait(c.at)
		case last && end < len(t.b) && p.set.has(t.b[end]):
			return answer{} // longer than the token ever is
		}
		i = end
	}
	return matched(c.at, i)
}

// run returns the end of the run at i, of at most limit bytes if that is not 0.
func (p *part) run(t *text, c *candidate, i, limit int) int {
	if limit > 0 {
		b := t.b[:min(len(t.b), i+limit)]
		return p.set.run(b, i)
	}
	return c.run(t, &p.set, i)
}

// run returns the end of the run at i, however long. How far it has been looked
// at is remembered.
func (c *candidate) run(t *text, set *class, i int) int {
	c.memo = set.run(t.b, max(c.memo, i))
	return c.memo
}
