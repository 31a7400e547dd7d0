package redact

import (
	"errors"
	"strings"
	"testing"
)

func TestTextIsPassedOnAtOnce(t *testing.T) {
	set := compile(t, Options{Literals: literals("Zunter77pw")})
	for _, s := range []string{"Password for x: ", "Continue? [y/N] ", "Enter your API token: ", "> ", "login: ", "50% done", "https://host/path", "a b c .\n", "password=", "Authorization: Bearer "} {
		var out strings.Builder
		w := set.NewWriter(&out)
		if _, err := w.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
		if out.String() != s {
			t.Errorf("of %q only %q came out", s, out.String())
		}
	}
}

func TestNothingUndecidedGoesOut(t *testing.T) {
	const secret = "hunter77pw-and-more"
	set := compile(t, Options{Literals: literals(secret)})
	for n := 1; n < len(secret); n++ {
		var out strings.Builder
		w := set.NewWriter(&out)
		if _, err := w.Write([]byte("x " + secret[:n])); err != nil {
			t.Fatal(err)
		}
		if s := w.Stats(); out.String() != "x " || s.Pending != int64(n) || s.Accepted != 2 {
			t.Errorf("after %d bytes %q came out: %+v", n, out.String(), s)
		}
	}
}

func TestMarkerGoesOutBeforeTheSecretEnds(t *testing.T) {
	var out strings.Builder
	w := compile(t, Options{}).NewWriter(&out)
	if _, err := w.Write([]byte("API_TOKEN=" + strings.Repeat("aB3", 40))); err != nil {
		t.Fatal(err)
	}
	if want := "API_TOKEN=[REDACTED:token]"; out.String() != want {
		t.Errorf("%q came out, want %q", out.String(), want)
	}
	long := strings.Repeat("xY9z", 1<<10)
	for range 1 << 10 {
		if _, err := w.Write([]byte(long)); err != nil {
			t.Fatal(err)
		}
	}
	if cap(w.buf) > 2*pieceSize {
		t.Errorf("%d bytes are kept of a secret that is swallowed", cap(w.buf))
	}
	if _, err := w.Write([]byte(" end\n")); err != nil {
		t.Fatal(err)
	}
	if want := "API_TOKEN=[REDACTED:token] end\n"; out.String() != want {
		t.Errorf("%q came out, want %q", out.String(), want)
	}
}

func TestSettleOmitsWhatIsUndecided(t *testing.T) {
	var out strings.Builder
	w := compile(t, Options{Literals: literals("hunter77pw")}).NewWriter(&out)
	if _, err := w.Write([]byte("x hunter7")); err != nil {
		t.Fatal(err)
	}
	if err := w.Settle(); err != nil {
		t.Fatal(err)
	}
	s := w.Stats()
	if out.String() != "x [spool: 7 bytes omitted: undecided]" || s.EOF || s.Discarded != 7 || s.Accepted != 2 || s.Pending != 0 || s.OmittedSpans != 1 || s.OmittedBytes != 7 {
		t.Errorf("%q came out: %+v", out.String(), s)
	}
}

func TestUndecidableTextIsOmittedToWhereItCanBeDecided(t *testing.T) {
	set := compile(t, Options{Window: MinWindow})
	in := "a eyJ" + strings.Repeat("x", 5000) + ".eyJ" + strings.Repeat("y", 20) + " b\n"
	want := "a [spool: 5027 bytes omitted: jwt] b\n"
	for _, pieces := range [][]string{{in}, strings.SplitAfter(in, "x"), {in[:700], in[700:4000], in[4000:]}} {
		if got, s := redactPieces(t, set, pieces...); got != want || s.OmittedBytes != 5027 {
			t.Errorf("in %d pieces %q, %+v", len(pieces), got, s)
		}
	}
}

func TestLongLinesAreNeitherHeldNorLost(t *testing.T) {
	var n int64
	w := compile(t, Options{}).NewWriter(writerFunc(func(p []byte) (int, error) { n += int64(len(p)); return len(p), nil }))
	piece := []byte(strings.Repeat("x", 1<<16))
	for i := range 1 << 10 {
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
		if w.Stats().Pending > 64 {
			t.Fatalf("after %d pieces %d bytes are held", i, w.Stats().Pending)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n != 1<<26 {
		t.Errorf("%d bytes came out", n)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestSinkErrorIsKeptAndTheInputGoesOnBeingCounted(t *testing.T) {
	broken := errors.New("broken")
	w := compile(t, Options{}).NewWriter(writerFunc(func([]byte) (int, error) { return 0, broken }))
	for range 3 {
		if n, err := w.Write([]byte("abc\n")); n != 4 || !errors.Is(err, broken) {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
	if err := w.Close(); !errors.Is(err, broken) {
		t.Errorf("Close: %v", err)
	}
	// The line that was lost counts as emitted: its neighbour has not seen it,
	// and that difference is what tells that something is missing.
	if s := w.Stats(); s.Observed != 12 || s.Accepted != 4 || s.Discarded != 8 || s.Emitted != 4 {
		t.Errorf("%+v", s)
	}
}

func TestDecoding(t *testing.T) {
	cases := []struct {
		encoding, in, want string
		replaced           int64
	}{
		{"", "\xff\xfet\x00o\x00k\x00e\x00n\x00=\x00", "token=", 0},
		{"auto", "\xfe\xff\x00a\x26\x03", "a☃", 0},
		{"utf-16le", "a\x00\x03\x26", "a☃", 0},
		{"windows-1252", "caf\xe9 \x80", "café €", 0},
		{"iso-8859-1", "caf\xe9", "café", 0},
		{"shift_jis", "\x93\xfa\x96{", "日本", 0},
		{"", "\xef\xbb\xbfx", "\ufeffx", 0},
		{"", "a\xffb\xe2\x80c\xf0\x9f\x98", "a�b�c�", 3},
		{"", "\xe2\x98\x83\xed\xa0\x80", "☃���", 3},
		{"", "a\x00b\x01\x7f\r\n", "a\x00b\x01\x7f\r\n", 0},
	}
	for _, c := range cases {
		set := compile(t, Options{Encoding: c.encoding})
		for k := 0; k <= len(c.in); k++ {
			got, s := redactPieces(t, set, c.in[:k], c.in[k:])
			if got != c.want || s.Replaced != c.replaced {
				t.Errorf("%s %q cut at %d: %q, %d replaced; want %q, %d", c.encoding, c.in, k, got, s.Replaced, c.want, c.replaced)
			}
		}
	}
	if _, err := Compile(Options{Encoding: "ebcdic-x"}); err == nil || !strings.Contains(err.Error(), "ebcdic-x") {
		t.Errorf("an unknown encoding: %v", err)
	}
}

func TestRawPassesEveryByte(t *testing.T) {
	in := "password=hunter77\x00\xff\x1b[31m"
	got, s := redactPieces(t, compile(t, Options{Raw: true}), in)
	if got != in || s.Kind != "binary" || len(s.Transforms) != 0 {
		t.Errorf("%q, %+v", got, s)
	}
}

func TestWrittenForms(t *testing.T) {
	const secret = `p"w\d/9 ü'&$<`
	set := compile(t, Options{Literals: literals(secret)})
	for _, written := range []string{
		secret, `p%22w%5Cd%2F9%20%C3%BC%27%26%24%3C`, `p%22w%5cd%2f9+%c3%bc%27%26%24%3c`, `p\"w\\d/9 ü'&$<`, `p\"w\\d\/9 \u00fc'&$<`, `p\"w\\d/9 ü'\u0026$\u003c`,
		`p"w\d/9 ü'\''&$<`, `p\"w\\d/9 ü'&\$<`, `p\\\"w\\\\d/9 ü'&$<`, "cCJ3XGQvOSDDvCcmJDw=", "7022775c642f3920c3bc2726243c", "7022775C642F3920C3BC2726243C",
	} {
		if got := set.String("a " + written + " b"); !strings.HasPrefix(got, "a [REDACTED:secret]") || !strings.HasSuffix(got, " b") || len(got) > 24 {
			t.Errorf("%q became %q", written, got)
		}
	}
}

func TestEnvLiterals(t *testing.T) {
	environ := []string{"API_TOKEN=abcdef99", "TOKEN=ghijkl99", "TOKENS=xxxxxx", "MY_SECRETS=mnopqr", "X_PASSWORD=abc", "EMPTY_TOKEN=", "OTHER=zzzzzz", "CORP_X=yyyyyy"}
	list, warnings, err := EnvLiterals(environ, []string{"CORP_*"}, true)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range list {
		names = append(names, l.Name)
	}
	if got := strings.Join(names, " "); got != "env:API_TOKEN env:TOKEN env:MY_SECRETS env:CORP_X" {
		t.Errorf("taken: %s", got)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "X_PASSWORD") || strings.Contains(warnings[0], "abc") {
		t.Errorf("warnings: %q", warnings)
	}
	if _, _, err := EnvLiterals(environ, []string{"[a"}, true); err == nil {
		t.Error("a bad glob is taken")
	}
}
