package redact

// matchJWT finds JSON Web Tokens (RFC 7519, in the compact forms of RFC 7515 and
// RFC 7516): two parts of base64url that begin as a JSON object does, or one and
// an empty one.
func matchJWT(r *rule, t *text, c *candidate) answer {
	const least = 10
	if t.hasWord(c.at, "eyJ") != match || !t.freeLeft(c.at) || c.at > 0 && t.b[c.at-1] == '-' {
		return answer{}
	}
	end := c.run(t, &wordDash, c.at)
	if end == len(t.b) && !t.eof {
		return wait(c.at)
	}
	if end-c.at < least || end == len(t.b) || t.b[end] != '.' {
		return answer{}
	}
	next := end + 1
	if next < len(t.b) && t.b[next] == '.' {
		next++ // a JWE whose key is agreed upon
	}
	body := wordDash.run(t.b[:min(len(t.b), next+least)], next)
	switch {
	case body-next >= least:
		return t.opened(c.at, swallow{pos: body, kind: swallowRun, class: &wordDot})
	case body == len(t.b) && !t.eof:
		return wait(c.at)
	}
	return answer{}
}
