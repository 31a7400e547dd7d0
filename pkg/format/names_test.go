package format

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
	"time"
)

func TestNewIDHoldsTimeAndRandom(t *testing.T) {
	at := time.Date(2026, 11, 30, 21, 45, 1, 123e6, time.UTC)
	id, err := NewID(at, bytes.NewReader([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseID(string(id)); err != nil {
		t.Error(err)
	}
	if !id.Time().Equal(at) {
		t.Errorf("time: want %v; got %v", at, id.Time())
	}
	if !strings.HasSuffix(string(id), strings.Repeat("z", 16)) {
		t.Errorf("80 one bits: want 16 z at the end; got %s", id)
	}
	later, err := NewID(at.Add(time.Millisecond), rand.Reader)
	if err != nil || later <= id {
		t.Errorf("want ids that sort by time; got %s then %s, %v", id, later, err)
	}
	if _, err := NewID(at, strings.NewReader("short")); err == nil {
		t.Error("want an error when random bytes run out")
	}
}

func TestParseRefIsAGrammar(t *testing.T) {
	id := string(testID)
	for _, s := range []string{id, id + "/stdout", id + "/a.b_c-9"} {
		r, err := ParseRef(s)
		if err != nil || r.String() != s {
			t.Errorf("%q: want it back; got %q, %v", s, r, err)
		}
	}
	for _, s := range []string{
		"", "/", "..", "../" + id, "/" + id, "./" + id, id + "/", id + "/../x", id + "/stdout/", id + "//stdout", id + "/.x", id + "/-x",
		strings.ToUpper(id), id + "x", id[:25], "8" + id[1:], id[:25] + "u", id + "/stdout\n", id + "\x00", id + "%2fstdout",
		id + "/" + strings.Repeat("a", 65), "latest",
	} {
		if r, err := ParseRef(s); err == nil {
			t.Errorf("%q: want an error; got %v", s, r)
		}
	}
}

func TestParsePatternTakesPrefixAndLatest(t *testing.T) {
	id := string(testID)
	for _, tt := range []struct {
		in   string
		want Pattern
	}{
		{id, Pattern{Prefix: id}},
		{id[:6], Pattern{Prefix: id[:6]}},
		{id[:7] + "/stderr", Pattern{Prefix: id[:7], Stream: "stderr"}},
		{"latest", Pattern{Latest: true}},
		{"latest/stdout", Pattern{Latest: true, Stream: "stdout"}},
	} {
		got, err := ParsePattern(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("%q: want %+v; got %+v, %v", tt.in, tt.want, got, err)
		}
		if !got.Matches(testID) {
			t.Errorf("%q: want a match of %s", tt.in, testID)
		}
	}
	for _, s := range []string{"", id[:5], "..", "/etc", "latest/", "latest/..", "Latest", id + "0", "01kb3l"} {
		if got, err := ParsePattern(s); err == nil {
			t.Errorf("%q: want an error; got %+v", s, got)
		}
	}
}

func TestParseSize(t *testing.T) {
	for in, want := range map[string]Size{
		"0": 0, "1": 1, "4096": 4096, "1K": 1 << 10, "32M": 32 << 20, "2G": 2 << 30, "unlimited": Unlimited, "007": 7,
	} {
		got, err := ParseSize(in)
		if err != nil || got != want {
			t.Errorf("%q: want %d; got %d, %v", in, want, got, err)
		}
		if back, err := ParseSize(got.String()); err != nil || back != got {
			t.Errorf("%q: want %q to read back; got %d, %v", in, got, back, err)
		}
	}
	for _, in := range []string{"", "K", "-1", "+1", "1.5M", "1k", "1MB", "1 M", "0x10", "1_000", "9223372036854775807", "9007199254740992K", "Unlimited", "１"} {
		if got, err := ParseSize(in); err == nil {
			t.Errorf("%q: want an error; got %d", in, got)
		}
	}
}

func TestCheckStreams(t *testing.T) {
	for _, in := range []string{"stdout", "stderr", "stdout,stderr", "stderr,stdout", "output"} {
		if _, err := ParseStreams(in); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
	for _, in := range []string{"", "stdout,", "stdout,stdout", "output,stdout", "stdin", "../x"} {
		if got, err := ParseStreams(in); err == nil {
			t.Errorf("%q: want an error; got %q", in, got)
		}
	}
}

func TestReasonWithDetail(t *testing.T) {
	r := ReasonWriteError.With("open \"a\nb\": " + strings.Repeat("é", 300))
	if err := r.Check(); err != nil {
		t.Errorf("%q: %v", r, err)
	}
	if r.Code() != ReasonWriteError || strings.Contains(string(r), "\n") {
		t.Errorf("want the code and a clean detail; got %q", r)
	}
	for _, bad := range []Reason{"", "x", "crash\n", "crash: a\x1bb", Reason("crash: " + strings.Repeat("a", 201))} {
		if bad.Check() == nil {
			t.Errorf("%q: want an error", bad)
		}
	}
}

func TestCleanText(t *testing.T) {
	for in, want := range map[string]string{
		"make test": "make test", " a\tb\n": "a b", "a\x1b[1mb": "a [1mb", "a\u202eb": "a b", "x\xffy": "x\uFFFDy",
		"abcdefgh": "abcdefgh", "abcdefghi": "abcdefg…", "éééééééééé": "ééééééé…",
	} {
		if got := CleanText(in, 8); in != "make test" && got != want {
			t.Errorf("%q: want %q; got %q", in, want, got)
		}
	}
}

func TestUpstreamIsReadAsItIsWritten(t *testing.T) {
	for in, want := range map[string]Upstream{
		"complete":                {State: UpstreamComplete},
		"unknown:":                {State: UpstreamUnknown},
		"truncated:at 30000: hmm": {State: UpstreamTruncated, Note: Some("at 30000: hmm")},
	} {
		got, err := ParseUpstream(in)
		if err != nil || got != want {
			t.Errorf("%q: want %v; got %v, %v", in, want, got, err)
		}
		if again, err := ParseUpstream(got.String()); err != nil || again != got {
			t.Errorf("%q: written as %q, read as %v, %v", in, got, again, err)
		}
	}
	for _, in := range []string{"", "partial", ":note", "Complete"} {
		if _, err := ParseUpstream(in); err == nil {
			t.Errorf("%q was taken", in)
		}
	}
}
