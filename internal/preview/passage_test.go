package preview

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPassageShowsWhatAnyChunkingShows(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"plain é 汉 😀\n":             "plain é 汉 😀\n",
		"a\r\nb\r\r\nc":             "a\nb\nc",
		"10%\r20%\r\r30%\r":         "10%\n20%\n30%\n",
		"\r":                        "\n",
		"\x1b[2Jx\a\u202ey\u009bz":  "␛[2Jx␇\uFFFDy\uFFFDz",
		"torn \xe2\x80":             "torn \uFFFD\uFFFD",
		"ill \xff\xe2 formed\t\x00": "ill \uFFFD\uFFFD formed\t␀",
	} {
		for size := 1; size <= len(in)+1; size++ {
			var b bytes.Buffer
			p := NewPassage(&b)
			for rest := in; rest != ""; {
				n := min(size, len(rest))
				if k, err := p.Write([]byte(rest[:n])); k != n || err != nil {
					t.Fatal(k, err)
				}
				rest = rest[n:]
			}
			if err := p.Close(); err != nil || b.String() != want {
				t.Errorf("%q by %d: %q, want %q, %v", in, size, b.String(), want, err)
			}
		}
	}
}

func TestPassageLetsNothingThroughThatSteers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		p := NewPassage(&b)
		for range rapid.IntRange(0, 5).Draw(t, "writes") {
			_, _ = p.Write(streams().Draw(t, "piece")) // it fails with the buffer alone
		}
		_ = p.Close() // as above
		checkTerminal(t, b.Bytes())
	})
}

func TestPassageTellsThatTheTerminalHasGone(t *testing.T) {
	gone := errors.New("gone")
	p := NewPassage(errorWriter{gone})
	if _, err := p.Write([]byte(strings.Repeat("x", 9))); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}

type errorWriter struct{ err error }

func (w errorWriter) Write([]byte) (int, error) { return 0, w.err }
