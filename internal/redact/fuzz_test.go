package redact

import (
	"strings"
	"testing"
)

// FuzzAnyCut looks for an input whose result depends on how it is cut, and for
// one that makes the counts disagree.
func FuzzAnyCut(f *testing.F) {
	for _, s := range streams {
		f.Add(s, uint8(3))
	}
	set := streamSet(f)
	f.Fuzz(func(t *testing.T, s string, step uint8) {
		want, stats := redactPieces(t, set, s)
		var pieces []string
		for rest := s; len(rest) > 0; {
			n := min(len(rest), 1+int(step)%13)
			pieces, rest = append(pieces, rest[:n]), rest[n:]
			step = step*5 + 1
		}
		got, st := redactPieces(t, set, pieces...)
		if got != want {
			t.Fatalf("pieces %q:\n got  %q\n want %q", pieces, got, want)
		}
		if st.Replaced != stats.Replaced || st.OmittedBytes != stats.OmittedBytes {
			t.Fatalf("pieces %q: %+v, want %+v", pieces, st, stats)
		}
	})
}

// FuzzLiteral looks for a secret that comes through, whatever stands around it.
func FuzzLiteral(f *testing.F) {
	f.Add("hunter77pw", "password=", "\n")
	f.Add("abcabcabc", "abcabc", "abc")
	f.Add("-----BEGIN X", "\x1b[1m", "\x00")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		if len(asText([]byte(secret))) < MinLiteral || strings.Contains("[REDACTED:secret]", secret) {
			t.Skip()
		}
		got := compile(t, Options{Literals: literals(secret)}).String(before + secret + after)
		if plain := string(asText([]byte(secret))); len(plain) > len("[REDACTED:secret]") && strings.Contains(got, plain) {
			t.Fatalf("%q comes through in %q", secret, got)
		}
	})
}
