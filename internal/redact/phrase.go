package redact

import (
	"bytes"
	"strings"
)

// maxPhrase bounds a passphrase of several words that nothing quotes.
const maxPhrase = 80

// phrase finds a passphrase: all that stands at i to the end of the line or a
// comment, if that is several words and no sentence. YAML takes all of it for the
// value.
func (t *text) phrase(i int) answer {
	end := i
	for end < len(t.b) && !isEOL(t.b[end]) {
		if end++; end > i+maxPhrase {
			return answer{}
		}
	}
	line, whole := t.b[i:end], end < len(t.b) || t.eof
	if comment := bytes.Index(line, []byte(" #")); comment > 0 {
		line = line[:comment]
	}
	line = bytes.TrimRight(line, " \t")
	switch {
	case sentence(line, whole):
		return answer{}
	case !whole:
		return wait(i)
	case bytes.IndexByte(line, ' ') < 0:
		return answer{}
	}
	return matched(i, i+len(line))
}

// sentence tells whether a line is prose or has a structure of its own. Of a line
// that is not whole the last word is not looked at.
func sentence(line []byte, whole bool) bool {
	if bytes.ContainsAny(line, "=(){}[]<>\"'`,;|$") || bytes.Contains(line, []byte(": ")) {
		return true
	}
	words := bytes.Fields(line)
	if len(words) > 8 {
		return true
	}
	for k, w := range words {
		last := k == len(words)-1
		if last && !whole {
			return false
		}
		bare := bytes.TrimRight(w, ".?!:")
		switch s := strings.ToLower(string(bare)); {
		case last && k > 0 && len(bare) < len(w), k == 0 && (isPlaceholder(w) || !isAlnum(w[0])):
			return true
		case joins(s) && k > 0 && !plainWord(words[0]):
		case proseWord(s):
			return true
		}
	}
	return false
}

// joins tells whether a word only joins others, as it may in a passphrase too.
func joins(s string) bool {
	switch s {
	case "and", "or", "of", "the", "a", "in", "on", "for", "to":
		return true
	}
	return false
}

// proseWord tells whether a plain word is one of a sentence, not a password.
func proseWord(s string) bool {
	switch strings.ToLower(s) {
	case "to", "or", "is", "and", "must", "flag", "option", "options", "for", "with", "if", "in", "was", "are", "has", "will", "can", "cannot", "should", "may",
		"not", "when", "from", "the", "a", "an", "as", "at", "by", "of", "on", "be", "it", "that", "this", "which", "value", "field", "argument", "arguments",
		"parameter", "given", "provided", "needed", "used", "using", "via", "instead", "before", "after", "then", "but", "so", "use", "changed", "updated",
		"reset", "rotated", "mismatch", "incorrect", "wrong", "accepted", "rejected", "denied", "granted", "found", "prompt", "here", "name", "type", "again", "only", "also",
		"generated", "created", "deleted", "revoked", "refreshed", "loaded", "stored", "saved", "sent", "received", "verified", "authentication", "authenticated", "error", "warning",
		"password", "passphrase", "secret", "token", "least", "characters", "character", "empty", "please", "invalid", "required", "missing", "expected",
		"unexpected", "short", "long", "too", "weak", "expired", "expires", "because", "without", "failed", "set", "unset", "no", "any", "each", "every",
		"there", "you", "your", "we", "were", "does", "do", "did", "is:", "leave", "enter", "contains", "contain", "match", "matches", "refused", "ignored", "stays":
		return true
	}
	return false
}
