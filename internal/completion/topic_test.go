package completion

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const help = `usage: spool-x show [options] FILE
       spool-x show --into FILE REF

Shows it. See --help.

Options:
  -o, --into FILE         where to; may not be there, and what is said of it
                          goes on here (default a:b) [SPOOL_INTO]
  --how auto|off|REGEX|D  a way
  --what complete|unknown[:NOTE]
                          its state (repeatable) [SPOOL_WHAT]
  --dir DIR               the namespace
  --disable NAME          not this
  --json                  print JSON
  --help                  print this help

Exit status:
  0  done
`

func TestReadTellsTheParts(t *testing.T) {
	got, err := Read(help)
	if err != nil {
		t.Fatal(err)
	}
	want := Topic{Name: "spool-x show", Operand: Reference, Options: []Option{
		{Letter: "o", Name: "into", Arg: "FILE", About: "where to; may not be there, and what is said of it goes on here", Kind: File},
		{Name: "how", Arg: "auto|off|REGEX|D", About: "a way", Words: []string{"auto", "off"}},
		{Name: "what", Arg: "complete|unknown[:NOTE]", About: "its state", Repeat: true, Words: []string{"complete", "unknown"}},
		{Name: "dir", Arg: "DIR", About: "the namespace", Kind: Dir},
		{Name: "disable", Arg: "NAME", About: "not this", Kind: Rule},
		{Name: "json", About: "print JSON"},
		{Name: "help", About: "print this help"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	rows := "--into=@file -o=@file --how=auto|off --what=complete|unknown --dir=@dir --disable=@rule --json --help"
	if diff := cmp.Diff(strings.Fields(rows), got.Table()); diff != "" {
		t.Error(diff)
	}
	if valued := strings.Join(got.Valued(), " "); valued != "--into -o --how --what --dir --disable" {
		t.Errorf("valued: %s", valued)
	}
}

func TestQuotesHoldInTheirShell(t *testing.T) {
	for text, want := range map[string][2]string{
		`plain`: {`'plain'`, `'plain'`},
		`it's`:  {`'it'\''s'`, `'it\'s'`},
		`a\b$c`: {`'a\b$c'`, `'a\\b$c'`},
	} {
		if got := [2]string{quote(text), fishQuote(text)}; got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
