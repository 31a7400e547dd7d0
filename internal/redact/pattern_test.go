package redact

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPatterns(t *testing.T) {
	cases := []struct{ expr, in, want string }{
		{`CORP-[0-9]{8}`, "a CORP-12345678 b CORP-1234 c CORP-87654321", "a [REDACTED:own] b CORP-1234 c [REDACTED:own]"},
		{`\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b`, "n 123-45-6789, 0123-45-6789 123-45-67890\n", "n [REDACTED:own], 0123-45-6789 123-45-67890\n"},
		{`key is (\w+)`, "the key is abc; done", "the key is [REDACTED:own]; done"},
		{`^pin: \d+$`, "pin: 123\npin: 12x\n a pin: 1\npin: 9", "[REDACTED:own]\npin: 12x\n a pin: 1\n[REDACTED:own]"},
		{`a+b`, "aaab aaa ab", "[REDACTED:own] aaa [REDACTED:own]"},
		{`BEGIN\n.*\nEND`, "x\nBEGIN\nsecret\nEND\ny", "x\n[REDACTED:own]\ny"},
		{`(?i)grün-\d+`, "GRÜN-12 grün-3", "[REDACTED:own] [REDACTED:own]"},
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for _, c := range cases {
		set := compile(t, Options{Patterns: []Pattern{{Name: "own", Expr: c.expr}}})
		if got := set.String(c.in); got != c.want {
			t.Errorf("%s in %q:\n got  %q\n want %q", c.expr, c.in, got, c.want)
		}
		for range 100 {
			pieces := cut(rng, c.in)
			if got, _ := redactPieces(t, set, pieces...); got != c.want {
				t.Errorf("%s in %q:\n got  %q\n want %q", c.expr, pieces, got, c.want)
				break
			}
		}
	}
}

func TestPatternsHoldNothingThatCannotMatch(t *testing.T) {
	set := compile(t, Options{Patterns: []Pattern{{Name: "own", Expr: `CORP-[0-9]{8}`}}})
	var out strings.Builder
	w := set.NewWriter(&out)
	if _, err := w.Write([]byte("Your name? ")); err != nil {
		t.Fatal(err)
	}
	if out.String() != "Your name? " {
		t.Errorf("a prompt is held: %q came out", out.String())
	}
}

func TestPatternBeyondTheWindowIsOmitted(t *testing.T) {
	set := compile(t, Options{Patterns: []Pattern{{Name: "own", Expr: `<[^>]*>`}}, Window: MinWindow})
	in := "a <" + strings.Repeat("x", 3000) + " y> b"
	want := set.String(in)
	if !strings.HasPrefix(want, "a [spool: 3001 bytes omitted: own]") || strings.Contains(want, "x") {
		t.Errorf("got %q", want)
	}
	if got, _ := redactPieces(t, set, strings.SplitAfter(in, "x")...); got != want {
		t.Errorf("in pieces %q, want %q", got, want)
	}
}

func TestPatternsThatAStreamCannotDoAreRefused(t *testing.T) {
	for expr, reason := range map[string]string{`\Aabc`: "a stream", `abc\z`: "a stream", `x*`: "where nothing is", `(`: "missing closing"} {
		_, err := Compile(Options{Patterns: []Pattern{{Name: "own", Expr: expr}}})
		if err == nil || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), `"own"`) {
			t.Errorf("%s: %v, want one that names the pattern and says %q", expr, err, reason)
		}
	}
	for _, s := range []string{"abc", "=x", "A=x", "a="} {
		if _, err := ParsePattern(s); err == nil {
			t.Errorf("%q is taken for a pattern", s)
		}
	}
}

const gitleaksTOML = `
title = "own"
[[rules]]
id = "corp-token"
description = "corp"
regex = '''\b(corp_[a-z0-9]{16})\b'''
keywords = ["corp_"]
entropy = 2
[[rules]]
id = "generic"
regex = '''(?i)[\w.-]{0,20}(?:adobe)(?:\s|=|:){1,3}["']?([a-f0-9]{12})'''
keywords = ["Adobe"]
[rules.allowlist]
stopwords = ["deadbeef"]
[[rules]]
id = "short"
regex = '''Z[0-9]{9}'''
[[rules]]
id = "by-path"
path = '''\.pem$'''
[allowlist]
regexes = ['''aaaa''']
`

func TestGitleaksRules(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gitleaks.toml")
	if err := os.WriteFile(path, []byte(gitleaksTOML), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := GitleaksFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Skipped) != 1 || g.Skipped[0] != "by-path" {
		t.Errorf("skipped %q", g.Skipped)
	}
	set := compile(t, Options{Gitleaks: g})
	in := "x corp_abcd1234efgh5678 y corp_bbbbbbbbbbbbbbbb my.ADOBE = \"0123456789ab\" adobe: deadbeef0123 corp_aaaa1234efgh5678 Z123456789\n"
	want := "x [REDACTED:corp-token] y corp_bbbbbbbbbbbbbbbb my.ADOBE = \"[REDACTED:generic]\" adobe: deadbeef0123 corp_aaaa1234efgh5678 [REDACTED:short]\n"
	if got := set.String(in); got != want {
		t.Errorf("\n got  %q\n want %q", got, want)
	}
	for i := range in {
		if got, _ := redactPieces(t, set, in[:i], in[i:]); got != want {
			t.Fatalf("cut at %d:\n got  %q\n want %q", i, got, want)
		}
	}
}

func TestGitleaksErrorsNameTheRule(t *testing.T) {
	for text, reason := range map[string]string{
		"[extend]\nuseDefault = true":                                          "[extend]",
		"[[rules]]\nid = \"a\"\nregex = '('":                                   `rule "a"`,
		"[[rules]]\nid = \"a\"\nregex = 'b'\nsecretGroup = 2":                  "secretGroup 2",
		"[[rules]]\nid = \"a\"\nregex = 'b'\n[rules.allowlist]\nregexes=['(']": "allowlist",
		"[[rules": "toml",
	} {
		if _, err := parseGitleaks([]byte(text)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %q in it", text, err, reason)
		}
	}
}
