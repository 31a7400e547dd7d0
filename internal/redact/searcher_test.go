package redact

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestHelpersChangeNothing redacts dense text with one searcher and with four, each
// time in other pieces: the result, the facts and every hit are the same.
func TestHelpersChangeNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var mixed strings.Builder
	rng := rand.New(rand.NewPCG(4, 12))
	all := adversaries()
	for mixed.Len() < 1<<20 {
		mixed.WriteString(strings.Repeat(all[rng.IntN(len(all))].unit, 1+rng.IntN(2000)))
	}
	all = append(all, adversary{name: "all-of-them", unit: mixed.String()})
	for _, a := range all {
		text := a.text(1<<19 + 12345)
		redact := func(procs int) (out string, s Stats, hits []Hit, helpers int) {
			runtime.GOMAXPROCS(procs)
			o := a.options()
			o.Audit = func(h Hit) { hits = append(hits, h) }
			var b bytes.Buffer
			w := compile(t, o).NewWriter(&b)
			rng := rand.New(rand.NewPCG(uint64(procs), 12))
			for rest := text; rest != ""; {
				n := min(len(rest), 1+rng.IntN(3*pieceSize))
				if _, err := w.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			return b.String(), w.Stats(), hits, len(w.helpers)
		}
		out, s, hits, n := redact(1)
		if n != 0 {
			t.Fatalf("%s: %d helpers of one", a.name, n)
		}
		got, gotStats, gotHits, n := redact(4)
		if a.name == "quotes" && n != maxHelpers {
			t.Errorf("%s: %d helpers, want %d", a.name, n, maxHelpers)
		}
		if got != out {
			i := 0
			for i < min(len(got), len(out)) && got[i] == out[i] {
				i++
			}
			t.Errorf("%s: at %d: %q, want %q", a.name, i, got[i:min(len(got), i+80)], out[i:min(len(out), i+80)])
		}
		if !reflect.DeepEqual(gotStats, s) {
			t.Errorf("%s: %+v, want %+v", a.name, gotStats, s)
		}
		if !reflect.DeepEqual(gotHits, hits) {
			t.Errorf("%s: %d hits, want %d", a.name, len(gotHits), len(hits))
		}
	}
}

// TestDenseSecretsAreAllFound has more secrets in one piece than are decided at a
// time, at every distance from where the search begins anew.
func TestDenseSecretsAreAllFound(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const unit, n = "token=aB3dE6gH9jK2 ", 32 * manySpans
	for pad := range len(unit) {
		out, _ := redactPieces(t, compile(t, Options{}), strings.Repeat(".", pad)+strings.Repeat(unit, n))
		if left := strings.Count(out, "aB3dE6gH9jK2"); left > 0 {
			t.Errorf("%d bytes before them: %d of %d secrets are left", pad, left, n)
		}
	}
}
