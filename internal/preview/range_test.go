package preview

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"spool/internal/capture"
	"spool/pkg/format"
)

func TestConcatenatedRangesAreTheStream(t *testing.T) {
	for name, form := range forms {
		form.raw = true // the bytes as they are: what redact strips is not at issue
		for seed := range 8 {
			data := bytes.Repeat(streams().Example(seed), 16)
			c := captured(t, namespaceIn(t, t.TempDir()), form, map[string][]byte{"stdout": data})
			for _, step := range []int{len(data)/37 + 1, len(data)/3 + 1, max(len(data), 1)} {
				var all bytes.Buffer
				for at := 0; at < len(data); at += step {
					var s said
					to := min(at+step, len(data))
					if err := Bytes(c, "", RangeOptions{Range: Range{int64(at), int64(to)}, Exact: true, Limit: 1 << 40, Output: s.output()}); err != nil {
						t.Fatal(err)
					}
					if s.Len() != to-at || len(s.notes) > 0 {
						t.Fatalf("%s [%d, %d): %d bytes, %q", name, at, to, s.Len(), s.notes)
					}
					all.Write(s.Bytes())
				}
				if !bytes.Equal(all.Bytes(), data) {
					t.Fatalf("%s, by %d: the ranges do not make the stream", name, step)
				}
			}
			c.Close()
		}
	}
}

func TestRangeIsShrunkToWholeCharacters(t *testing.T) {
	data := []byte("aé好👩z")
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": data})
	defer c.Close()
	for from := range len(data) + 1 {
		for to := from; to <= len(data); to++ {
			var s said
			if err := Bytes(c, "stdout", RangeOptions{Range: Range{int64(from), int64(to)}, Output: s.output()}); err != nil {
				t.Fatalf("[%d, %d): %v", from, to, err)
			}
			if !utf8.Valid(s.Bytes()) || !bytes.Contains(data[from:to], s.Bytes()) || s.Len() < to-from-6 {
				t.Errorf("[%d, %d): %q", from, to, s.String())
			}
			if shrunk := s.Len() < to-from; shrunk != strings.Contains(s.note(), "shrunk to whole characters") {
				t.Errorf("[%d, %d): %d bytes, told %q", from, to, s.Len(), s.note())
			}
		}
	}
}

func TestRangeStopsAtTheLimitAndTellsHowToGoOn(t *testing.T) {
	data := []byte(strings.Repeat("好", 1000))
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": data})
	defer c.Close()
	var all bytes.Buffer
	for at, rounds := int64(0), 0; at < int64(len(data)); rounds++ {
		var s said
		if err := Bytes(c, "", RangeOptions{Range: Range{at, 1 << 62}, Limit: 100, Output: s.output()}); err != nil {
			t.Fatal(err)
		}
		if s.Len() > 100 || s.Len() == 0 || rounds > 100 {
			t.Fatalf("%d bytes, %q", s.Len(), s.note())
		}
		all.Write(s.Bytes())
		at += int64(s.Len())
		if at < int64(len(data)) && !strings.Contains(s.note(), fmt.Sprintf("--bytes-range %d:", at)) {
			t.Fatalf("the way on is not told: %q", s.note())
		}
	}
	if !bytes.Equal(all.Bytes(), data) {
		t.Error("the pieces do not make the stream")
	}
}

func TestRangeBeyondTheEndIsAClearError(t *testing.T) {
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": []byte("ten bytes\n"), "stderr": nil})
	defer c.Close()
	for name, tt := range map[string]struct {
		stream string
		err    string
		do     func(o Output, stream string) error
	}{
		"bytes":   {"stdout", "byte 11 is not there: the stream has 10 bytes", func(o Output, s string) error { return Bytes(c, s, RangeOptions{Range: Range{11, 12}, Output: o}) }},
		"lines":   {"stdout", "line 2 is not there: it has 1", func(o Output, s string) error { return Lines(c, s, RangeOptions{Range: Range{2, 2}, Output: o}) }},
		"unnamed": {"", "has several streams", func(o Output, s string) error { return Bytes(c, s, RangeOptions{Output: o}) }},
		"none":    {"output", "has no stream", func(o Output, s string) error { return Bytes(c, s, RangeOptions{Output: o}) }},
		"cursor": {"stdout", "beyond the end", func(o Output, s string) error {
			return Poll(t.Context(), c, s, PollOptions{From: format.Some(capture.Position{Generation: 1, Offset: 11}), Output: o})
		}},
		"generation": {"stdout", "another generation", func(o Output, s string) error {
			return Poll(t.Context(), c, s, PollOptions{From: format.Some(capture.Position{Generation: 2}), Output: o})
		}},
	} {
		var s said
		if err := tt.do(s.output(), tt.stream); err == nil || !strings.Contains(err.Error(), tt.err) || s.Len() > 0 {
			t.Errorf("%s: %v, printed %q", name, err, s.String())
		}
	}
}

func TestLinesAreCountedFromOneAndInclusive(t *testing.T) {
	var data []byte
	want := []string{""}
	for i := 1; i <= 30_000; i++ {
		line := fmt.Sprintf("%d,%s\n", i, strings.Repeat("x", i%40))
		want, data = append(want, line), append(data, line...)
	}
	data = append(data, "no newline"...)
	want = append(want, "no newline")
	for name, form := range forms {
		c := captured(t, namespaceIn(t, t.TempDir()), form, map[string][]byte{"stdout": data})
		for _, r := range []Range{{1, 1}, {2, 5}, {23456, 23456}, {30_000, 30_001}, {30_001, 30_001}, {0, 2}, {30_001, 1 << 62}} {
			var s said
			if err := Lines(c, "stdout", RangeOptions{Range: r, Output: s.output()}); err != nil {
				t.Fatalf("%s: lines %v: %v", name, r, err)
			}
			if w := strings.Join(want[max(r.Low, 1):min(r.High, 30_001)+1], ""); s.String() != w {
				t.Errorf("%s: lines %v: got %.60q, want %.60q", name, r, s.String(), w)
			}
		}
		c.Close()
	}
}
