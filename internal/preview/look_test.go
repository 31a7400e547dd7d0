package preview

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"spool/internal/capture"
	"spool/internal/receipt"
	"spool/internal/spool"
	"spool/pkg/format"
)

func TestStageWritesNothingIntoAFinalCapture(t *testing.T) {
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": []byte("x\n")})
	defer c.Close()
	in := strings.NewReader(strings.Repeat("late\n", 100_000))
	var out bytes.Buffer
	err := Stage(t.Context(), c.Path(), ForwardAll, filterOptions(), in, &out)
	if !errors.Is(err, capture.ErrPublished) || in.Len() > 0 || out.Len() == 0 {
		t.Errorf("%v, %d bytes unread, %d printed", err, in.Len(), out.Len())
	}
	if _, err := c.Preview("stdout"); err == nil {
		t.Error("a report was left in a final capture")
	}
}

func TestLookCannotBeForged(t *testing.T) {
	forged := "x\n[spool: stderr, 3 bytes follow; 0 of 3 bytes omitted]\nok\n"
	c := captured(t, namespaceIn(t, t.TempDir()), made{exit: 3, label: "make test"}, map[string][]byte{"stdout": []byte(forged), "stderr": []byte("real")})
	defer c.Close()
	var s said
	if err := Look(c, "", LookOptions{Output: s.output()}); err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(s.String(), "\n")
	want := fmt.Sprintf(`spool %s process=exited exit=3 capture=complete omitted=0 representation=redacted-utf8 origin=local untrusted producer="make test"`, c.ID())
	if first != want {
		t.Errorf("first line %q, want %q", first, want)
	}
	got := map[string]string{}
	for rest != "" {
		head, body, _ := strings.Cut(rest, "\n")
		m := regexp.MustCompile(`^\[spool: (\w+), (\d+) bytes follow; 0 of \d+ bytes omitted\]$`).FindStringSubmatch(head)
		if m == nil {
			t.Fatalf("no header: %q", head)
		}
		var n int
		fmt.Sscan(m[2], &n)
		got[m[1]], rest = body[:n], body[n:]
		if !strings.HasSuffix(got[m[1]], "\n") {
			rest = strings.TrimPrefix(rest, "\n")
		}
	}
	if got["stdout"] != forged || got["stderr"] != "real" || len(got) != 2 {
		t.Errorf("parsed %q", got)
	}
}

func TestJSONNamesItsSource(t *testing.T) {
	data := []byte(strings.Repeat("good line\n", 3000) + "a.c:1:2: error: it\n" + strings.Repeat("more\n", 3000))
	c := captured(t, namespaceIn(t, t.TempDir()), made{exit: 1, label: "make"}, map[string][]byte{"stdout": data})
	defer c.Close()
	for name, do := range map[string]func(o Output) error{
		"look":  func(o Output) error { return Look(c, "", LookOptions{Highlight: AutoHighlighting(), Output: o}) },
		"bytes": func(o Output) error { return Bytes(c, "", RangeOptions{Range: Range{0, 10}, Output: o}) },
		"lines": func(o Output) error { return Lines(c, "", RangeOptions{Range: Range{2, 2}, Output: o}) },
		"match": func(o Output) error {
			_, err := Match(c, "", MatchOptions{Pattern: regexp.MustCompile("error"), Max: 1, Output: o})
			return err
		},
		"poll": func(o Output) error { return Poll(t.Context(), c, "", PollOptions{Output: o}) },
	} {
		var s said
		o := s.output()
		o.JSON = true
		if err := do(o); err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(s.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got["producer"] != "make" || got["untrusted"] != true || got["origin"] != nil || got["representation"].(map[string]any)["kind"] != "redacted-utf8" || got["final"] != true {
			t.Errorf("%s: the source is not named: %.300s", name, s.String())
		}
		switch name {
		case "look":
			out := got["streams"].(map[string]any)["stdout"].(map[string]any)
			lines := out["highlights"].([]any)
			if len(lines) != 1 || lines[0].(map[string]any)["line"] != 3001.0 || lines[0].(map[string]any)["offset"] != 30000.0 {
				t.Errorf("highlights %v", lines)
			}
			ranges := out["omitted_ranges"].([]any)[0].([]any)
			if out["head"] != string(data[:int(ranges[0].(float64))]) || out["tail"] != string(data[int(ranges[1].(float64)):]) {
				t.Error("head and tail do not fit the omitted range")
			}
		case "bytes", "lines":
			if got["data"] != "good line\n" || got["encoding"] != "utf-8" {
				t.Errorf("%s: data %v", name, got["data"])
			}
		case "poll":
			if got["next"] != fmt.Sprintf("1:%d", len(data)) && got["next"] != "1:65536" {
				t.Errorf("next %v", got["next"])
			}
		}
	}
}

func TestDamageIsTold(t *testing.T) {
	data := []byte(strings.Repeat("a line\n", 50_000))
	for name, tt := range map[string]struct {
		form made
		harm func(path string) error
		want string
	}{
		"missing":       {made{}, os.Remove, "file is missing"},
		"truncated":     {made{}, func(p string) error { return os.Truncate(p, 1000) }, "damaged"},
		"a link":        {made{}, func(p string) error { return errors.Join(os.Rename(p, p+"2"), os.Symlink("/etc/passwd", p)) }, "stdout"},
		"packed, short": {made{compress: spool.CompressZstd}, func(p string) error { return os.Truncate(p+".zst", 60) }, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			c := captured(t, namespaceIn(t, t.TempDir()), tt.form, map[string][]byte{"stdout": data})
			defer c.Close()
			if err := tt.harm(filepath.Join(c.Path(), "stdout")); err != nil {
				t.Fatal(err)
			}
			for _, do := range []func(o Output) error{
				func(o Output) error { return Look(c, "", LookOptions{Output: o}) },
				func(o Output) error { return Bytes(c, "", RangeOptions{Range: Range{0, 10}, Output: o}) },
				func(o Output) error { return Poll(t.Context(), c, "", PollOptions{Consumer: "x", Output: o}) },
			} {
				var s said
				if err := do(s.output()); err == nil || !strings.Contains(err.Error(), tt.want) || s.Len() > 0 {
					t.Errorf("%v, printed %q", err, s.String())
				}
			}
		})
	}
}

func TestNothingYetIsNoError(t *testing.T) {
	c, err := receipt.Begin(namespaceIn(t, t.TempDir()), receipt.BeginOptions{Streams: []string{"stdout"}, Tool: format.Tool{Name: "t", Version: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var s said
	if err := Look(c, "", LookOptions{Output: s.output()}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.String(), "process=running capture=pending") || !strings.Contains(s.String(), "nothing yet") {
		t.Errorf("got %q", s.String())
	}
	var p said
	if err := Poll(t.Context(), c, "", PollOptions{Consumer: "x", Output: p.output()}); err != nil || p.Len() > 0 || p.note() != "cursor 1:0" {
		t.Errorf("%v, %q, %q", err, p.String(), p.note())
	}
}

func TestTerminalAnswersCarryNoControlCharacters(t *testing.T) {
	data := []byte("a\x1b[31mred\u202e\u0085\x07\r\nneedle\x1b\n")
	c := captured(t, namespaceIn(t, t.TempDir()), made{raw: true}, map[string][]byte{"stdout": data})
	defer c.Close()
	for name, do := range map[string]func(o Output) error{
		"look":  func(o Output) error { return Look(c, "", LookOptions{Output: o}) },
		"bytes": func(o Output) error { return Bytes(c, "", RangeOptions{Range: Range{0, 1 << 62}, Output: o}) },
		"match": func(o Output) error {
			_, err := Match(c, "", MatchOptions{Pattern: regexp.MustCompile("needle"), Max: 1, Output: o})
			return err
		},
		"poll": func(o Output) error { return Poll(t.Context(), c, "", PollOptions{Output: o}) },
	} {
		for _, asJSON := range []bool{false, true} {
			var s said
			o := s.output()
			o.Terminal, o.JSON = true, asJSON
			if err := do(o); err != nil {
				t.Fatal(err)
			}
			if i := bytes.IndexFunc(s.Bytes(), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || isHostile(r) }); i >= 0 {
				t.Errorf("%s, json %v: %q", name, asJSON, s.String()[i:])
			}
		}
	}
}
