package preview

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestMatchTellsOffsetLineAndWindow(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, "line %d of many\n", i)
	}
	data := b.String()
	for name, form := range forms {
		c := captured(t, namespaceIn(t, t.TempDir()), form, map[string][]byte{"stdout": []byte(data)})
		var s said
		found, err := Match(c, "", MatchOptions{Pattern: regexp.MustCompile(`(?m)^line (7777|49999) of`), Max: 20, Output: s.output()})
		if err != nil || !found {
			t.Fatalf("%s: %v, %v", name, found, err)
		}
		want := ""
		for _, i := range []int{7777, 49999} {
			line := fmt.Sprintf("line %d of many", i)
			at := strings.Index(data, line+"\n")
			want += fmt.Sprintf("[spool: line %d, bytes %d-%d match; %d bytes from %d follow]\n%s\n", i+1, at, at+len(line)-5, len(line), at, line)
		}
		if s.String() != want {
			t.Errorf("%s: got %q, want %q", name, s.String(), want)
		}
		c.Close()
	}
}

func TestMatchShowsABoundedWindowOfALongLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{100, blockSize - 1, blockSize, blockSize + 1, 3*blockSize + 77}).Draw(t, "length")
		at := rapid.IntRange(0, n-8).Draw(t, "at")
		if rapid.Bool().Draw(t, "at a seam") {
			at = min(max(blockSize-overlap-4+rapid.IntRange(-8, 8).Draw(t, "by"), 0), n-8)
		}
		data := bytes.Repeat([]byte("é"), n/2+1)[:n]
		copy(data[at&^1:], "{needle}")
		s := &reading{stored: &stored{size: int64(n)}, limit: 1 << 20}
		m := &matching{reading: s, o: MatchOptions{Pattern: regexp.MustCompile(`(?m)needle`), Max: 3}, src: bytes.NewReader(data)}
		if err := m.search(); err != nil {
			t.Fatal(err)
		}
		if len(m.hits) != 1 || m.hits[0].Offset != int64(at&^1)+1 || m.hits[0].Line != 1 || !strings.Contains(m.hits[0].Text, "{needle}") {
			t.Fatalf("hits %+v, want one at %d", m.hits, at&^1+1)
		}
		h := m.hits[0]
		if len(h.Text) > windowMost || !bytes.HasPrefix(data[h.Start:], []byte(h.Text)) || !utf8.ValidString(h.Text) {
			t.Fatalf("window %q from %d", h.Text, h.Start)
		}
	})
}

func TestMatchStopsAfterSoMany(t *testing.T) {
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": bytes.Repeat([]byte("hit\n"), 100)})
	defer c.Close()
	var s said
	found, err := Match(c, "", MatchOptions{Pattern: regexp.MustCompile("(?m)hit"), Max: 3, Output: s.output()})
	if err != nil || !found || strings.Count(s.String(), "match;") != 3 || !strings.Contains(s.note(), "there are more") {
		t.Errorf("%v, %v, %q, %q", found, err, s.String(), s.note())
	}
	found, err = Match(c, "", MatchOptions{Pattern: regexp.MustCompile("(?m)miss"), Max: 3, Output: s.output()})
	if err != nil || found || !strings.Contains(s.note(), "no match") {
		t.Errorf("%v, %v, %q", found, err, s.note())
	}
}
