package redact

// A text is what a matcher sees: the kept past, the undecided present, and no
// more of what is still to come than the window allows.
type text struct {
	b   []byte
	eof bool // nothing follows b

	beside *inserts   // what is invisible in b; nil if nobody knows
	past   *swallowed // nil if nobody knows
	lines  *lineMemo  // nil if nobody knows

	swallow *swallow // of the matcher's answer, if that is open
}

// A verdict is what a matcher knows so far.
type verdict uint8

const (
	no    verdict = iota // it is no secret
	match                // [start, end) is one
	open                 // one begins at start; the text's swallow knows how to find its end
	more                 // more text is needed; nothing from hold on may go out
)

// An answer is a matcher's result. It must be a function of the whole stream:
// where a byte that has not come yet could change it, the answer is more. That
// alone makes the output independent of how the input was cut into pieces.
type answer struct {
	outcome
	start int   // more: nothing from there on may go out; never after the start of the secret that it may become
	end   int   // not of one that is open
	next  *rule // looked for again at the secret's end: the next cookie
}

// An outcome is a structure of its own because only one of up to four fields is
// kept in registers.
type outcome struct {
	verdict verdict
	wrap    wrapping
}

// A wrapping is put on both sides of a marker: quotes, where a JSON number stood.
type wrapping struct {
	quote byte  // 0 for none
	level uint8 // backslashes before it
}

// A candidate is a place where an anchor was seen and which is not decided yet.
type candidate struct {
	rule   *rule
	family family   // of a literal's forms; nil for a rule's candidate
	form   *form    // of the family, the one that it is
	own    *ownRule // of the user; neither rule nor family then
	anchor int      // which of the rule's
	word   string   // the fixed text of the rule's anchor
	at     int      // where the anchor's word begins
	hold   int      // of the last answer, if that was more
	memo   int      // how far a run has been looked at, so that no byte is looked at twice; ≥ at
}

// lookback is how many bytes before a candidate a matcher may look at. The
// buffer keeps at least that many, so what it sees there does not depend on the
// pieces either.
const lookback = 256

func matched(start, end int) answer {
	return answer{outcome: outcome{verdict: match}, start: start, end: end}
}
func wait(hold int) answer { return answer{outcome: outcome{verdict: more}, start: hold} }

// opened begins a secret at start whose end s has yet to find; up to s.pos it is
// known to be one.
func (t *text) opened(start int, s swallow) answer {
	*t.swallow = s
	return begun(start)
}

// begun is opened where the text's swallow is ready.
func begun(start int) answer { return answer{outcome: outcome{verdict: open}, start: start} }

// hasWord tells whether the bytes at i are word. It answers more if they may
// still become it.
func (t *text) hasWord(i int, word string) verdict {
	n := min(len(word), len(t.b)-i)
	if n < 0 || string(t.b[i:i+n]) != word[:n] {
		return no
	}
	if n < len(word) {
		if t.eof {
			return no
		}
		return more
	}
	return match
}

// freeLeft tells whether a token may begin at i: after a byte that is no part of
// a word, or after an escape (\n, \u003d, %20) whose last letter only looks like
// one.
func (t *text) freeLeft(i int) bool {
	if i == 0 || !isWord(t.b[i-1]) {
		return true
	}
	b := t.b[max(0, i-7):i]
	n := len(b)
	if n >= 3 && b[n-3] == '%' && isHex(b[n-2]) && isHex(b[n-1]) {
		return true
	}
	if n >= 2 && b[n-2] == '\\' {
		switch b[n-1] {
		case 'n', 't', 'r', 'b', 'f', 'v', '0':
			return true
		}
	}
	return n >= 6 && b[n-6] == '\\' && b[n-5] == 'u' && isHex(b[n-4]) && isHex(b[n-3]) && isHex(b[n-2]) && isHex(b[n-1])
}
