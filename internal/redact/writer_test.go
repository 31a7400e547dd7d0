package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// redactPieces returns the result for the stream that the pieces make.
func redactPieces(tb testing.TB, set *Set, pieces ...string) (string, Stats) {
	tb.Helper()
	var out strings.Builder
	w := set.NewWriter(&out)
	for _, p := range pieces {
		if _, err := w.Write([]byte(p)); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	s := w.Stats()
	if s.Observed != s.Accepted || s.Emitted != int64(out.Len()) || s.Pending != 0 || s.Discarded != 0 {
		tb.Fatalf("counts after the end: %+v, %d bytes came out", s, out.Len())
	}
	return out.String(), s
}

func compile(tb testing.TB, o Options) *Set {
	tb.Helper()
	set, err := Compile(o)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

func literals(values ...string) []Literal {
	var list []Literal
	for _, v := range values {
		list = append(list, Literal{Name: "secret", Value: []byte(v)})
	}
	return list
}

// cut cuts s into pieces of random length, mostly short.
func cut(rng *rand.Rand, s string) []string {
	var pieces []string
	for len(s) > 0 {
		n := 1 + rng.IntN(1+rng.IntN(1+min(len(s), 40)))
		n = min(n, len(s))
		pieces = append(pieces, s[:n])
		s = s[n:]
	}
	return pieces
}

// streams are texts with something of everything in them.
var streams = []string{
	"x key77key77 y key7 key77key7", "pk-aaaalive9 z pk-aaaaliv",
	"q abcdXX77defgh r abcdXX77 abcdX",
	"export DB_PASSWORD=hunter77; echo 'done'\nPASSWORD='it''s good99'\nplain text\n",
	`{"a":1,"password":"a\"bcdefg99","n":{"api_key":"zzzz9999yy","pin":12},"password":12345678,"z":true}` + "\n",
	`"{\"a\":1,\"password\":\"a\\\"bcdefg99\",\"password\":12345678,\"z\":\"\"}"` + "\n",
	"-----BEGIN RSA PRIVATE KEY-----\nMIIEow00QZkZkZkZkZkZkZkZ\nMIIEow01QZkZkZkZkZkZkZkZkZkZk\nab12==\n-----END RSA PRIVATE KEY-----\nafter\n",
	"a lone -----BEGIN RSA PRIVATE KEY----- line\nand more\n-----BEGIN RSA PRIVATE KEY-----\nand text\n",
	"k: \"-----BEGIN PRIVATE KEY-----\\nMIIEow00QZkZkZkZkZkZkZkZ\\nMIIEow01QZ\\/ZkZkZkZkZkZkZkZkZkZk\\n-----END PRIVATE KEY-----\\n\"\n",
	"pg://u:abc@def99@h/db https://h:9090 by a@b.c pg://u:p/q99@h/db git@github.com:a/b http://[::1]:80/x@y\n",
	"Authorization: Basic dTpwYXNzd29yZDk5\nauthorization: bearer abcdefgh12345678abcd\n> Authorization: Digest username=\"x\", response=\"abc\"\n",
	"Cookie: a=b; sid=abcdef99; c=$X\nSet-Cookie: sid=abcd99; Path=/; HttpOnly\nCookie: {\n",
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.abcDEF123 eyJhbGciOiJIUzI1NiJ9 eyJ.eyJ.eyJ\n",
	"password: |\n  line one 1\n\n  line two 2\nnext: 1\n password: >-\n   x9x9x9x9\n other: 2\n",
	"a\x1b[31mg\x1b[0mhp_aB3dE6gH9jK2mN5pQ8\x00sT1vW4xY7zA0cD3fG6hJ9x\u200bk \x1b]0;title\x07z\x00\x00 \u200b\n",
	"bad \xff\xfe\xe2\x80 utf-8 \xf0\x9f\x98 \u2603\n", "run --password hunter77pw --user bob --api-key=zz99zz99zz --token\n",
	"<password>hunter2</password><Token>\nurl?token=abcdef99&x=1 (secret=abcd99ef) [token=abcd99ef, x=y]\n",
	strings.Repeat("://eyJ-password=\"'\\", 20),
}

func streamSet(tb testing.TB) *Set {
	tb.Helper()
	return compile(tb, Options{Literals: literals("key77key77", "pk-aaaa", "pk-aaaalive9", "abcdXX77", "XX77defgh"), KeepANSI: true})
}

func TestAnyCutGivesTheSameBytes(t *testing.T) {
	set := streamSet(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range streams {
		want, stats := redactPieces(t, set, s)
		for i := 0; i <= len(s); i++ {
			if got, _ := redactPieces(t, set, s[:i], s[i:]); got != want {
				t.Fatalf("cut at %d of %q:\n got %q\nwant %q", i, s, got, want)
			}
		}
		if got, _ := redactPieces(t, set, strings.Split(s, "")...); got != want && !strings.Contains(s, "\xff") {
			t.Fatalf("single characters of %q:\n got %q\nwant %q", s, got, want)
		}
		for range 200 {
			pieces := cut(rng, s)
			got, st := redactPieces(t, set, pieces...)
			if got != want {
				t.Fatalf("pieces %q:\n got %q\nwant %q", pieces, got, want)
			}
			if st.Replaced != stats.Replaced || len(st.Redactions) != len(stats.Redactions) {
				t.Fatalf("pieces %q: stats %+v, want %+v", pieces, st, stats)
			}
		}
	}
}
