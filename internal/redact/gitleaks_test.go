package redact

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// teamRules has what a gitleaks.toml of version 8 may have.
const teamRules = `
title = "team rules"
minVersion = "v8.25.0"

[extend]
disabledRules = ["generic-api-key"]

[allowlist]
description = "of old"
paths = ['''(?i)vendor/''', '''go\.sum$''']
regexes = ['''(?i)example-key''']
stopwords = ["dummy"]

[[allowlists]]
targetRules = ["corp-token"]
regexTarget = "match"
regexes = ['''^corp_doc''']

[[rules]]
id = "corp-token"
description = "token of our own service"
regex = '''(?i)\b(corp_[a-z0-9]{16})\b'''
keywords = ["corp_"]
entropy = 2.5
secretGroup = 1
tags = ["corp"]

[[rules.allowlists]]
condition = "AND"
regexTarget = "line"
regexes = ['''ignore-me''']
stopwords = ["aaaa"]

[[rules.allowlists]]
condition = "AND"
paths = ['''_test\.go$''']
regexes = ['''corp_''']

[rules.allowlist]
commits = ["274eb95285fcf983f22e1279fe64b8b5ae4e8179"]

[[rules]]
id = "pin"
regex = '''PIN-[0-9]{6}'''

[[rules]]
id = "key-file"
path = '''\.pem$'''

[[rules]]
id = "helper"
regex = '''helper[0-9]+'''
skipReport = true
`

func gitleaks(t *testing.T, text string) (*Gitleaks, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "gitleaks.toml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return GitleaksFile(name)
}

func TestGitleaksRulesAreUsedAsTheyAre(t *testing.T) {
	g, err := gitleaks(t, teamRules)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"key-file", "helper"}; !slices.Equal(g.Skipped, want) {
		t.Errorf("skipped %q, want %q", g.Skipped, want)
	}
	set := compile(t, Options{Gitleaks: g})
	for in, want := range map[string]string{
		"a corp_ab12cd34ef56gh78 b":            "a [REDACTED:corp-token] b",
		"corp_aaaaaaaaaaaaaaaa low entropy":    "corp_aaaaaaaaaaaaaaaa low entropy",
		"corp_dummy2cd34ef56gh stopword":       "corp_dummy2cd34ef56gh stopword",
		"corp_doc12cd34ef56gh7 by its match":   "corp_doc12cd34ef56gh7 by its match",
		"ignore-me corp_aaaa12cd34ef56g7 both": "ignore-me corp_aaaa12cd34ef56g7 both",
		"ignore-me corp_bbca12cd34ef56g7 one":  "ignore-me [REDACTED:corp-token] one",
		"no keyword PIN-123456.":               "no keyword [REDACTED:pin].",
		"helper12345":                          "helper12345",
	} {
		for i := range in {
			if got, _ := redactPieces(t, set, in[:i], in[i:]); got != want {
				t.Errorf("%q cut at %d: %q", in, i, got)
				break
			}
		}
	}
}

func TestGitleaksSaysWhatAStreamCannotDo(t *testing.T) {
	rule := "[[rules]]\nid = \"a\"\nregex = 'x'\n"
	for text, want := range map[string]string{
		"[extend]\nuseDefault = true\n":                         "[extend]",
		"[extend]\npath = \"other.toml\"\n":                     "[extend]",
		rule + "[[rules.required]]\nid = \"b\"\n":               `rule "a": required "b"`,
		rule + "secretGroup = 2\n":                              `rule "a": secretGroup 2`,
		rule + "[[rules.allowlists]]\ncondition = \"XOR\"\n":    `condition "XOR"`,
		rule + "[[rules.allowlists]]\nregexTarget = \"file\"\n": `regexTarget "file"`,
		rule + "[[rules.allowlists]]\nregexes = ['(']\n":        `rule "a": allowlist: `,
		"[[rules]]\nid = \"a\"\nregex = '('\n":                  `rule "a": regex: `,
		"[[rules]]\nid = \"a b\"\nregex = 'x'\n":                `rule "a b": an id has`,
		"[[rules]\n":                                            "gitleaks file",
	} {
		if _, err := gitleaks(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", text, err, want)
		}
	}
}
