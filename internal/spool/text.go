package spool

import "unicode/utf8"

// whole returns the greatest m ≤ n at which p is not cut within a character.
// Bytes that begin no character stand for themselves. Where p ends within what
// may still become a character, n = len(p) is a cut.
func whole(p []byte, n int) int {
	for k := 1; k < utf8.UTFMax && k <= n; k++ {
		if !utf8.RuneStart(p[n-k]) {
			continue
		}
		rest := p[n-k:]
		if _, size := utf8.DecodeRune(rest); size > k || !utf8.FullRune(rest) {
			return n - k
		}
		return n
	}
	return n
}
