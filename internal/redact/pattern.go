package redact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// A Pattern is a rule of the user's own: an expression of RE2. Its first group
// is the secret, if it has one, otherwise all that it matches. ^ and $ stand for
// the ends of a line, and a match may go over several.
//
// On a stream, the text is held from where a match may have begun until it is
// known whether it has. If that takes more than the window, the text is omitted.
type Pattern struct {
	Name string // of the marker: lower-case letters, digits, '.', '_' and '-'
	Expr string
}

// String returns the pattern as [ParsePattern] reads it.
func (p Pattern) String() string { return p.Name + "=" + p.Expr }

// ParsePattern reads NAME=REGEX.
func ParsePattern(s string) (Pattern, error) {
	name, expr, ok := strings.Cut(s, "=")
	if !ok || expr == "" {
		return Pattern{}, fmt.Errorf("pattern %q: want NAME=REGEX", s)
	}
	p := Pattern{Name: name, Expr: expr}
	if !validName(name) {
		return Pattern{}, fmt.Errorf("pattern %q: a name has a-z, 0-9, then also '.', '_' and '-', 64 characters at most", name)
	}
	if _, err := compileAutomaton(p.Expr); err != nil {
		return Pattern{}, fmt.Errorf("pattern %q: %w", name, err)
	}
	return p, nil
}

func validName(s string) bool {
	const first = "abcdefghijklmnopqrstuvwxyz0123456789"
	return s != "" && len(s) <= maxName && strings.Trim(s, first+"._-") == "" && strings.IndexByte(first, s[0]) >= 0
}

// PatternsFile reads patterns, one a line; empty lines and those that begin with
// # are passed over.
func PatternsFile(name string) ([]Pattern, error) {
	const most = 1 << 20
	data, err := readRules(name, most)
	if err != nil {
		return nil, fmt.Errorf("patterns file %q: %w", name, err)
	}
	var list []Pattern
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		p, err := ParsePattern(line)
		if err != nil {
			return nil, fmt.Errorf("patterns file %q, line %d: %w", name, number, err)
		}
		list = append(list, p)
	}
	return list, nil
}

// readRules reads a file of at most that many bytes.
func readRules(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, reason(err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("larger than %d bytes", most)
	}
	return data, nil
}

// reason takes the name off an error about a file, where it was told already.
func reason(err error) error {
	if named, ok := errors.AsType[*fs.PathError](err); ok {
		return named.Err
	}
	return err
}

// An own rule is one of the user's, ready for use.
type ownRule struct {
	name string
	*automaton
	group int // which is the secret; 0: all

	keywords []string                              // in lower case
	accept   func(line, match, secret string) bool // nil: everything
}

func compilePatterns(list []Pattern) ([]ownRule, error) {
	var rules []ownRule
	for _, p := range list {
		a, err := compileAutomaton(p.Expr)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", p.Name, err)
		}
		rules = append(rules, ownRule{name: p.Name, automaton: a, group: min(1, a.re.NumSubexp())})
	}
	return rules, nil
}

// secret returns what of a match is the secret.
func (r *ownRule) secret(m []int) (start, end int) {
	if m[2*r.group] < 0 { // the group took no part
		return m[0], m[1]
	}
	return m[2*r.group], m[2*r.group+1]
}

// rankOwn puts the user's own rules behind literals and before the built-in
// ones.
const rankOwn = 0

// pursue carries the user's patterns on and returns up to where none is under
// way.
func (w *Writer) pursue(t *text) int {
	limit := len(t.b)
	for i := range w.set.patterns {
		r, p := &w.set.patterns[i], &w.pursuits[i]
		for !r.read(p, t, w.set.window, func(from, to int) { w.collect(r, t, from, to) }) {
			w.opening = swallow{pos: p.pos, kind: swallowDark}
			w.open(t, p.begin, r.name, rankOwn, true, nil)
			*p = pursuit{pos: p.pos, begin: p.pos}
		}
		if t.eof {
			if p.matched {
				w.collect(r, t, p.begin, len(t.b))
			}
			continue
		}
		hold := p.hold()
		limit = min(limit, hold)
	}
	return limit
}

// collect enters the matches in the stretch.
func (w *Writer) collect(r *ownRule, t *text, from, to int) {
	lo := max(0, from-8) // enough for what \b and ^ look at
	hi := min(len(t.b), to+4)
	for _, m := range r.re.FindAllSubmatchIndex(t.b[lo:hi], -1) {
		start, end := r.secret(m)
		start, end = start+lo, end+lo
		if m[0]+lo < from || m[1]+lo > to || start == end {
			continue
		}
		if r.accept != nil {
			first := bytes.LastIndexByte(t.b[:m[0]+lo], '\n') + 1
			line := t.b[max(first, m[0]+lo-lookback):to]
			if !r.accept(string(line), string(t.b[m[0]+lo:m[1]+lo]), string(t.b[start:end])) {
				continue
			}
		}
		w.addSpan(start, r.name, rankOwn).end = end
	}
}
