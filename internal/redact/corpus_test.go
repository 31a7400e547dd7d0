package redact

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"
)

// unescape turns a line of the corpus into text. A broken bar keeps what looks
// like a token from looking like one in the file.
var unescape = strings.NewReplacer("¦", "", "␊", "\n", "␍", "\r", "␉", "\t", "␛", "\x1b")

// corpus calls f with each line: the text, with what must go between ⟦ and ⟧.
func corpusLines(t *testing.T, f func(line int, text string, positive bool)) {
	t.Helper()
	file, err := os.Open("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if kind, text, ok := strings.Cut(lines.Text(), " "); ok && kind != "#" {
			f(n, unescape.Replace(text), kind == "+")
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

var (
	anyMarker = regexp.MustCompile(`\[REDACTED:[a-z0-9-]+\]`)
	bracketed = regexp.MustCompile(`⟦[^⟧]*⟧`)
	// A JSON number becomes a string, so quotes around a marker do not count.
	quotedMark = regexp.MustCompile("(\\\\*\")?\x00(\\\\*\")?")
)

func unquoteMarks(s string) string { return quotedMark.ReplaceAllString(s, "\x00") }

// TestCorpus holds recall at 100 % and false alarms at none: of each line
// exactly what is bracketed goes.
func TestCorpus(t *testing.T) {
	set := compile(t, Options{KeepANSI: true})
	lines := 0
	corpusLines(t, func(n int, text string, positive bool) {
		lines++
		input := strings.NewReplacer("⟦", "", "⟧", "").Replace(text)
		got := set.String(input)
		if !positive {
			if got != input {
				t.Errorf("line %d: false alarm\n in  %q\n out %q", n, input, got)
			}
			return
		}
		want := unquoteMarks(bracketed.ReplaceAllString(text, "\x00"))
		if unquoteMarks(anyMarker.ReplaceAllString(got, "\x00")) != want {
			t.Errorf("line %d:\n in  %q\n out %q", n, text, got)
		}
	})
	if lines < 400 {
		t.Errorf("only %d lines", lines)
	}
}

// TestCorpusAtEveryCut holds the output to be the same wherever the input is cut
// in two.
func TestCorpusAtEveryCut(t *testing.T) {
	set := compile(t, Options{KeepANSI: true})
	corpusLines(t, func(n int, text string, _ bool) {
		input := strings.NewReplacer("⟦", "", "⟧", "").Replace(text)
		want := set.String(input)
		for i := range input {
			if got, _ := redactPieces(t, set, input[:i], input[i:]); got != want {
				t.Errorf("line %d cut at %d:\n got  %q\n want %q", n, i, got, want)
				return
			}
		}
		if got, _ := redactPieces(t, set, strings.Split(input, "")...); got != want {
			t.Errorf("line %d in single characters:\n got  %q\n want %q", n, got, want)
		}
	})
}
