package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLabel is the greatest length of a label in characters.
const MaxLabel = 256

// CleanText makes s fit for metadata: valid UTF-8, without control, format
// (bidi override and the like) or line-separator characters, each replaced by a
// space, trimmed, and cut to limit characters (the last one is then '…').
// Secrets must be gone before: a cut leaves fragments that no rule knows.
func CleanText(s string, limit int) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if isUnprintable(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

func isUnprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs)
}

// isClean tells whether s is what CleanText may leave for a label.
func isClean(s string) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxLabel && strings.IndexFunc(s, isUnprintable) < 0
}
