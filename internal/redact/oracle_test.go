package redact

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// oracle redacts literals in the slow, obvious way: it looks for each at each
// place, joins what overlaps, and names the joint after the one that begins
// first, the longest of those.
func oracle(text string, names, values []string) string {
	type found struct{ start, end, which int }
	var all []found
	for i := range text {
		for k, v := range values {
			rest := text[i:]
			if strings.HasPrefix(rest, v) {
				all = append(all, found{i, i + len(v), k})
			} else if len(rest) < len(v) && strings.HasPrefix(v, rest) && len(rest) > len(v)/2 {
				all = append(all, found{i, len(text), k})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if a.start != b.start {
			return a.start < b.start
		}
		return len(values[a.which]) > len(values[b.which])
	})
	var out strings.Builder
	done := 0
	for _, f := range all {
		if f.start >= done {
			out.WriteString(text[min(done, f.start):f.start])
			fmt.Fprintf(&out, "[REDACTED:%s]", names[f.which])
			done = f.end
		}
		done = max(done, f.end)
	}
	return out.String() + text[done:]
}

// TestLiteralsAgreeWithOracle draws secrets from few letters, so that they
// contain, overlap and repeat one another, and texts made of their pieces.
func TestLiteralsAgreeWithOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]string{"ab", "abz", "qxj"}).Draw(t, "letters")
		word := rapid.StringOfN(rapid.RuneFrom([]rune(letters)), MinLiteral, 14, -1)
		var names, values []string
		seen := map[string]bool{}
		for _, v := range rapid.SliceOfN(word, 1, 5).Draw(t, "secrets") {
			if !seen[v] {
				seen[v] = true
				names = append(names, fmt.Sprintf("s%d", len(values)))
				values = append(values, v)
			}
		}
		piece := rapid.OneOf(rapid.SampledFrom(values), rapid.StringOfN(rapid.RuneFrom([]rune(letters+" -\\n")), 0, 9, -1))
		text := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "text"), "")
		var list []Literal
		for i, v := range values {
			list = append(list, Literal{Name: names[i], Value: []byte(v)})
		}
		set, err := Compile(Options{Literals: list})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		w := set.NewWriter(&out)
		for rest := text; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if want := oracle(text, names, values); out.String() != want {
			t.Fatalf("secrets %q in %q:\n got  %q\n want %q", values, text, out.String(), want)
		}
	})
}
