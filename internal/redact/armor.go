package redact

import "bytes"

// A private key in armour (RFC 7468, RFC 4716, RFC 9580): what stands between
// its first and its last line goes, the two lines stay. Nothing is held for a
// first line, and only something that looks like a key is taken for one: a
// BEGIN line that stands alone does not eat the log.

// armorWord is what the lines of a key consist of, in base64, also inside a URL.
var armorWord = class{lo: base64Std.lo | 1<<'%', hi: base64Std.hi | underBits}

const (
	armorGap   = 96 // the longest run of line ends, indents and quotes between two lines
	armorSure  = 24 // a word of this length is a line of a key
	armorLines = 24 // a header of more lines is none
)

// matchArmor begins at the words PRIVATE KEY.
func matchArmor(r *rule, t *text, c *candidate) answer {
	i := c.at + len("PRIVATE KEY")
	if v := t.hasWord(c.at, "PRIVATE KEY"); v != match {
		return unheld(t, v)
	}
	before := t.b[max(0, c.at-40):c.at]
	k := bytes.LastIndex(before, []byte("BEGIN "))
	if k < 3 || string(before[k-3:k]) != "---" && string(before[k-3:k]) != "-- " {
		return answer{}
	}
	for _, word := range []string{" BLOCK", " ----", "-----"} {
		switch t.hasWord(i, word) {
		case more:
			return wait(len(t.b))
		case match:
			i += len(word)
		}
	}
	if t.b[i-1] != '-' {
		return answer{}
	}
	return t.armorBody(i, t.linePrefix(c.at-len(before)+k))
}

// matchPuTTY begins at the line that says how many lines the key has.
func matchPuTTY(r *rule, t *text, c *candidate) answer {
	if v := t.hasWord(c.at, "Private-Lines: "); v != match {
		return unheld(t, v)
	}
	i := digits.run(t.b, c.at+len("Private-Lines: "))
	if i == len(t.b) {
		return unheld(t, t.atEnd())
	}
	return t.armorBody(i, "")
}

// unheld turns the verdict on a word that no secret begins with into an answer.
func unheld(t *text, v verdict) answer {
	if v == more {
		return wait(len(t.b))
	}
	return answer{}
}

// maxPrefix bounds what a log may put before each line of a key.
const maxPrefix = 96

// linePrefix returns what a log has put before the BEGIN line whose word BEGIN is
// at i, and may put before each line of the key. Separators need no mention.
func (t *text) linePrefix(i int) string {
	for i > 0 && (t.b[i-1] == '-' || t.b[i-1] == ' ' && t.b[i] != ' ') && i > 1 && (t.b[i-1] == '-' || t.b[i-2] == '-') {
		i--
	}
	start := i
	for start > 0 && start > i-maxPrefix && !isEOL(t.b[start-1]) {
		start--
	}
	b := t.b[start:i]
	if len(b) == maxPrefix || bytes.IndexFunc(b, func(r rune) bool { return !armorSeparator(byte(r)) }) < 0 {
		return ""
	}
	return string(b)
}

// hasLike is hasWord for a word whose digits may be others, as those of a
// timestamp are.
func (t *text) hasLike(i int, word string) verdict {
	n := max(0, min(len(word), len(t.b)-i))
	for k := range n {
		if c := t.b[i+k]; c != word[k] && (!isDigit(c) || !isDigit(word[k])) {
			return no
		}
	}
	if n < len(word) {
		return t.atEnd()
	}
	return match
}

// armorBody looks for the first line of a key behind the BEGIN line.
func (t *text) armorBody(i int, before string) answer {
	start := -1
	for range armorLines {
		j, ok := t.armorGap(i, before)
		if !ok {
			return answer{}
		}
		if start < 0 {
			start = j
		}
		end := armorWord.run(t.b, j)
		if sure := t.b[j:min(end, j+armorSure)]; len(sure) == armorSure && mixed(sure) {
			return t.opened(start, swallow{pos: j + armorSure, kind: swallowArmor, before: before})
		}
		if wordDash.run(t.b, end) == len(t.b) && !t.eof {
			return wait(start)
		}
		switch v := t.hasWord(end, "-----"); {
		case v == match && end == j && end > start:
			return matched(start, t.trimGap(end, start))
		case v == more:
			return wait(start)
		case header(t, j): // Proc-Type, Version
			k := bytes.IndexAny(t.b[end:min(len(t.b), end+200)], "\n\\")
			if k < 0 && len(t.b) < end+200 && !t.eof {
				return wait(start)
			}
			if k < 0 {
				return answer{}
			}
			end += k
		case end-j >= 16 && mixed(t.b[j:end]):
			return t.opened(start, swallow{pos: end, kind: swallowArmor, before: before})
		case end == j, end < len(t.b) && !armorSeparator(t.b[end]), !mixed(t.b[j:end]) && end-j < 4:
			return answer{}
		}
		i = end
	}
	return answer{}
}

// header tells whether a header of the armour begins at i.
func header(t *text, i int) bool {
	end := wordDash.run(t.b[:min(len(t.b), i+32)], i)
	return end > i && end < len(t.b) && t.b[end] == ':'
}

// mixed tells whether b has more than one kind of letter or digit, as random
// base64 has and words do not.
func mixed(b []byte) bool {
	var upper, lower, digit int
	for _, c := range b {
		switch {
		case isUpper(c):
			upper = 1
		case isLower(c):
			lower = 1
		case isDigit(c):
			digit = 1
		}
	}
	return upper+lower+digit > 1 && b[0] != '/'
}

// armorSeparator tells whether c may stand between two lines of a key: white
// space, or what quotes, indents and joins lines in sources, patches and mails.
func armorSeparator(c byte) bool {
	return isSpace(c) || bytes.IndexByte([]byte(`\"'+#>|*,;.&-`), c) >= 0
}

// armorGap skips what stands between two lines of a key, with what a log has put
// before the second. It is not ok if that is too much to be it.
func (t *text) armorGap(i int, before string) (end int, ok bool) {
	for k := i; k < i+armorGap; k++ {
		switch {
		case k >= len(t.b):
			return len(t.b), true
		case before != "" && isEOL(t.b[k]):
			switch t.hasLike(k+1, before) {
			case more:
				return len(t.b), true
			case match:
				k += len(before)
				i += len(before)
			}
		case t.b[k] == '\\' && k+1 < len(t.b) && bytes.IndexByte([]byte("nrt"), t.b[k+1]) >= 0:
			k++
		case !armorSeparator(t.b[k]), t.hasWord(k, "-----") == match, t.b[k] == '+' && k > i && armorWord.has(t.b[k-1]):
			return k, true
		}
	}
	return i, false
}

// trimGap returns the end of the line that ends before end: what separates it
// from the next stays.
func (t *text) trimGap(end, start int) int {
	for end > start && (armorSeparator(t.b[end-1]) || end-2 >= start && t.b[end-2] == '\\' && !isDigit(t.b[end-1])) {
		end--
	}
	return end
}

// armor carries a key on, line by line. A line that is too short to be
// sure of belongs to it if the END line follows.
func (s *swallow) armor(t *text) bool {
	for {
		s.pos = armorWord.run(t.b, s.pos)
		if t.hasWord(s.pos, `\/`) == match { // JSON may escape it
			s.pos += 2
			continue
		}
		j, ok := t.armorGap(s.pos, s.before)
		if !ok || t.hasWord(j, "-----") == match {
			return true
		}
		end := armorWord.run(t.b, j)
		line := t.b[j:min(end, j+armorSure)]
		switch {
		case len(line) >= 16 && mixed(line):
		case end == len(t.b) && !t.eof:
			return false
		case end == j:
			return true
		default:
			last, wants := t.lastLine(end, line, s.before)
			if wants {
				return false
			}
			if !last {
				return true
			}
		}
		s.pos = end
	}
}

// lastLine tells whether the short line that ends at end is the last of a key:
// the END line follows, it has the padding or the checksum, or it looks like
// base64 and is long enough, or the end of the input.
func (t *text) lastLine(end int, line []byte, before string) (last, wants bool) {
	if line[len(line)-1] == '=' || line[0] == '=' {
		return true, false
	}
	j, ok := t.armorGap(end, before)
	if !ok {
		return false, false
	}
	switch t.hasWord(j, "-----E") {
	case match:
		return true, false
	case more:
		return false, true
	}
	return mixed(line) && (j == len(t.b) || len(line) >= 8), false
}
