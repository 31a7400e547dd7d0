package redact

import (
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// An adversary is an input that is made to be slow: one string again and again,
// or, where one is too regular, a draw of several.
type adversary struct {
	name     string
	unit     string
	draw     []string // nil for unit alone
	literals []string
}

// text returns about n bytes of it, always the same.
func (a adversary) text(n int) string {
	if a.draw == nil {
		return strings.Repeat(a.unit, n/len(a.unit))
	}
	rng := rand.New(rand.NewPCG(1, 11))
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(a.draw[rng.IntN(len(a.draw))])
	}
	return b.String()
}

func (a adversary) options() Options { return Options{Literals: literals(a.literals...)} }

// adversaries are beginnings without ends, anchors without secrets, secrets
// without an end of them, and what is not text.
func adversaries() []adversary {
	var shared, single []string
	for i := range 100 {
		shared = append(shared, fmt.Sprintf("shared-beginning-of-all-%03d", i))
	}
	for c := 'a'; c <= 'z'; c++ {
		single = append(single, strings.Repeat(string(c), MinLiteral))
	}
	const words = "password|token: |secret=|api_key|://|eyJ|Bearer |Authorization: |Cookie: |-----BEGIN PRIVATE KEY-----|ghp_|sk-|AKIA|\n|\r\n| |=|:|\"|'|\\|,|;|{|}|x7Yz|hunter2hunter2|curl -u |--token |@|/|.|<password>|</"
	escaped := `"`
	for range 5 {
		escaped = strings.ReplaceAll(strings.ReplaceAll(escaped, `\`, `\\`), `"`, `\"`) + `"`
	}
	return []adversary{
		{name: "jwt-beginnings", unit: "eyJ"},
		{name: "jwt-parts", unit: "eyJhbGciOiJI."},
		{name: "jwt-dashes", unit: "eyJhbGciOiJI-"},
		{name: "key-blocks", unit: "-----BEGIN RSA PRIVATE KEY-----\n"},
		{name: "key-lines", unit: "-----BEGIN RSA PRIVATE KEY-----\nMIIEow00QZkZkZkZkZkZkZkZ\n"},
		{name: "scheme", unit: "://"},
		{name: "schemes", unit: "a://b:"},
		{name: "userinfo", unit: "a://b:c/"},
		{name: "userinfo-at", unit: "a://b:c@d/"},
		{name: "quotes", unit: `password="`},
		{name: "nested-quotes", unit: `\"password\":\"`},
		{name: "deep-escapes", unit: `{"password":"{` + escaped + `password` + escaped},
		{name: "backslashes", unit: `password="\\\\\\\\\\\\\\\\\\\\\\`},
		{name: "assignments", unit: "token="},
		{name: "assignments-of-commas", unit: "token=,"},
		{name: "assignments-of-prose", unit: "password: is not valid\n"},
		{name: "quoted-prose", unit: `password="the value is a"` + "\n"},
		{name: "names", unit: "token."},
		{name: "long-names", unit: "a_token_b_secret_c_password.d_api_key-e"},
		{name: "keys", unit: "key: key: key: token: "},
		{name: "colons", unit: "token: "},
		{name: "real-tokens", unit: "token=aB3dE6gH9jK2 "},
		{name: "real-passwords", unit: "DB_PASSWORD=hunter2hunter\n"},
		{name: "vendor-tokens", unit: "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6 "},
		{name: "cookies", unit: "Cookie: a=b;"},
		{name: "cookie-pairs", unit: "Cookie: a=bcdefgh; c=d; efgh=ijklmnop; q=\n"},
		{name: "bearers", unit: "Bearer "},
		{name: "headers", unit: "Authorization: Basic "},
		{name: "real-headers", unit: "Authorization: Bearer aB3dE6gH9jK2mN5pQ8\n"},
		{name: "flags", unit: "mysql -p -u --password "},
		{name: "prefixes", unit: "sk-"},
		{name: "yaml", unit: "password: |\n  "},
		{name: "yaml-lines", unit: "password: |\n  a\n  b\n"},
		{name: "json-pairs", unit: `{"name":"API_TOKEN","value":"zz99yy88xx77"},`},
		{name: "pairs-without-values", unit: `{"name":"API_TOKEN","v":1, v `},
		{name: "keys-above-values", unit: "token:\n  abcdefg77\n"},
		{name: "addresses-of-names", unit: "/:token"},
		{name: "password-files", unit: "htpasswd -b a "},
		{name: "logins", unit: "cargo login a7 "},
		{name: "token-users", unit: "https://abcd77"},
		{name: "signatures", unit: " sig=abcd77"},
		{name: "names-of-names", unit: `"name":"api_key",`},
		{name: "pairs-on-lines", unit: "name: api_key\n"},
		{name: "json-numbers", unit: `"password":12345678,`},
		{name: "elements", unit: "<password>"},
		{name: "one-letter", unit: "a"},
		{name: "dashes", unit: "-"},
		{name: "newlines", unit: "\n"},
		{name: "carriage-returns", unit: "token\r"},
		{name: "blanks", unit: "token                                                                "},
		{name: "base64", unit: base64.StdEncoding.EncodeToString([]byte(strings.Repeat("long lines of base64, as mails have them", 40)))},
		{name: "escapes", unit: "\x1b[1m"},
		{name: "broken-escapes", unit: "\x1b["},
		{name: "strings", unit: "\x1b]"},
		{name: "coloured", unit: "\x1b[32mok\x1b[0m  \x1b[1mpkg\x1b[0m 0.1s\n"},
		{name: "nul", unit: "a\x00"},
		{name: "nul-runs", unit: "\x00"},
		{name: "controls", unit: "\x01\x02\x03"},
		{name: "nul-values", unit: "PASSWORD=a\x00"},
		{name: "ill-formed", unit: "\xff"},
		{name: "ill-formed-text", unit: "caf\xe9 "},
		{name: "cjk", unit: "漢"},
		{name: "zero-width", unit: "a\u200b"},
		{name: "words", draw: strings.Split(words, "|")},
		{name: "quotes-and-escapes", draw: strings.Split("token|password|\"|'|\\|=|:|,| |\\\"|a", "|")},
		{name: "literals-one-beginning", unit: "shared-beginning-of-all-", literals: shared},
		{name: "literals-of-one-beginning", unit: "shared-beginning-of-all-042 ", literals: shared},
		{name: "literals-of-one-letter", unit: "a", literals: single},
		{name: "literals-nearly", unit: "shared-beginning-of-all-00", literals: shared},
		{name: "literals-repeated", unit: "aaaaaaab", literals: append([]string{"aaaaaaaa", "aaaaaaac", "aaaaaaaaaaaaaaaaaaaaaaad"}, single...)},
	}
}

func BenchmarkAdversarial(b *testing.B) {
	for _, a := range adversaries() {
		b.Run(a.name, func(b *testing.B) { benchmark(b, a.options(), a.text(1<<20)) })
	}
}

// cost returns the least processor time that the text takes, of several tries:
// fewer if it is soon within the bound.
func cost(t *testing.T, set *Set, text string, bound time.Duration) time.Duration {
	t.Helper()
	least := time.Duration(math.MaxInt64)
	for range 8 {
		begun := cpuTime(t)
		w := set.NewWriter(io.Discard)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if least = min(least, cpuTime(t)-begun); least <= bound {
			break
		}
	}
	return least
}

// TestAdversariesAreBounded holds every adversary to a multiple of what clean
// text costs, and to a cost in proportion to its length. The margins are wide:
// they are for what looks at the same text again and again.
func TestAdversariesAreBounded(t *testing.T) {
	const (
		short, long = 64 << 10, 512 << 10
		dearest     = 75  // times clean text
		steepest    = 2.5 // times the cost of the short text, for as many bytes
	)
	log, plain := logText(long), compile(t, Options{})
	clean := cost(t, plain, log, 0)
	for _, a := range adversaries() {
		set := compile(t, a.options())
		bound := clean * dearest
		whole := cost(t, set, a.text(long), bound)
		if whole > bound { // was it the machine?
			clean = max(clean, cost(t, plain, log, 0))
			bound = clean * dearest
			whole = min(whole, cost(t, set, a.text(long), bound))
		}
		if whole > bound {
			t.Errorf("%s: %v for what takes %v as clean text", a.name, whole, clean)
		}
		part := cost(t, set, a.text(short), 0)
		bound = time.Duration(float64(part) * steepest * (long / short))
		if whole > bound { // was it the machine, either way?
			part = max(part, cost(t, set, a.text(short), 0))
			bound = time.Duration(float64(part) * steepest * (long / short))
			whole = min(whole, cost(t, set, a.text(long), bound))
		}
		if whole > bound && part > time.Millisecond/4 {
			t.Errorf("%s: %v for %d bytes, %v for %d", a.name, part, short, whole, long)
		}
	}
}
