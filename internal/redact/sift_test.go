package redact

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSiftIsTheSameEverywhere compares what the processor's own instructions give
// with what the portable code gives, on texts of every length and kind.
func TestSiftIsTheSameEverywhere(t *testing.T) {
	x := compile(t, Options{Literals: randomLiterals(100)}).index
	rng := rand.New(rand.NewPCG(2, 12))
	texts := [][]byte{[]byte(logText(5000)), []byte("token=token=sk-ghp_eyJ://")}
	for range 200 {
		b := make([]byte, rng.IntN(3*sieveSize))
		for i := range b {
			b[i] = byte(rng.IntN(256))
			if rng.IntN(40) > 0 {
				b[i] = "eytoken://sk-ghp_ =\n"[rng.IntN(20)]
			}
		}
		texts = append(texts, b)
	}
	for _, text := range texts {
		for from := range min(64, len(text)) {
			b := text[from:]
			var own, portable blocks
			n, i := siftWhole(x.triples, b, &own)
			m, k := siftWholeGeneric(x.triples, b, &portable)
			if n != m || i != k || !slices.Equal(own[:n], portable[:m]) {
				t.Fatalf("from %d of %d bytes: %d blocks up to %d, want %d up to %d: %x, want %x", from, len(text), n, i, m, k, own[:n], portable[:m])
			}
		}
	}
}

// TestUsualIsTheSameEverywhere tries each byte at each place of a block.
func TestUsualIsTheSameEverywhere(t *testing.T) {
	for n := range 70 {
		b := slices.Repeat([]byte("a"), n)
		if got := usualLen(b); got > n || got < n-15 {
			t.Fatalf("%d of %d usual bytes", got, n)
		}
		for i := range b {
			for c := range 256 {
				b[i] = byte(c)
				want := textLen(b[:i+1]) > i || c >= 0x80
				for name, f := range map[string]func([]byte) int{"own": usualLen, "portable": usualLenGeneric} {
					got := f(b)
					if usual := want && c < 0x80; !usual && got > i || got > n || usual && got < n-15 {
						t.Fatalf("%s: %#x at %d of %d: %d bytes are usual", name, c, i, n, got)
					}
				}
			}
			b[i] = 'a'
		}
	}
}
