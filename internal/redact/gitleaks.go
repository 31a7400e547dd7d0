package redact

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Gitleaks is a set of rules in the form of gitleaks
// (https://github.com/gitleaks/gitleaks, config): expressions, keywords, secret
// groups, entropies and allow-lists.
//
// On a stream a rule looks at the text around each of its keywords: the match
// must have the keyword in it, and of the secret only what begins with the
// keyword or behind it can still be withheld. A rule without keywords is searched
// for everywhere, as Pattern is. What speaks of paths and commits finds nothing
// to speak of here; Skipped lists the rules that do nothing else.
type Gitleaks struct {
	Skipped []string // names of rules that a stream has no use for: of paths, or reported by others only

	keyed, everywhere []ownRule
}

type gitleaksFile struct {
	Extend struct {
		UseDefault bool
		Path       string
		URL        string
	}
	Rules      []gitleaksRule
	Allowlist  gitleaksAllow
	Allowlists []gitleaksAllow
}

type gitleaksRule struct {
	ID          string
	Regex       string
	Path        string
	SecretGroup int
	Entropy     float64
	Keywords    []string
	Allowlist   gitleaksAllow
	Allowlists  []gitleaksAllow
	SkipReport  bool       // used by others only
	Required    []struct { // other rules that must match near by
		ID string
	}
}

type gitleaksAllow struct {
	Condition   string
	RegexTarget string
	Regexes     []string
	Paths       []string
	Commits     []string
	StopWords   []string
	TargetRules []string
}

// GitleaksFile reads a gitleaks.toml.
func GitleaksFile(name string) (*Gitleaks, error) {
	const most = 4 << 20
	data, err := readRules(name, most)
	var g *Gitleaks
	if err == nil {
		g, err = parseGitleaks(data)
	}
	if err != nil {
		return nil, fmt.Errorf("gitleaks file %q: %w", name, err)
	}
	return g, nil
}

func parseGitleaks(data []byte) (*Gitleaks, error) {
	var f gitleaksFile
	if err := toml.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Extend.UseDefault || f.Extend.Path != "" || f.Extend.URL != "" {
		return nil, fmt.Errorf("[extend]: only rules of the file itself are read; give the other file too, or put them together")
	}
	g := &Gitleaks{}
	for i := range f.Rules {
		if err := g.add(&f, &f.Rules[i]); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// add takes over one rule.
func (g *Gitleaks) add(f *gitleaksFile, r *gitleaksRule) error {
	switch {
	case r.Regex == "" || r.Path != "" || r.SkipReport:
		g.Skipped = append(g.Skipped, r.ID)
		return nil
	case len(r.Required) > 0:
		return fmt.Errorf("rule %q: required %q: a stream does not go back for another rule's match; take it out, or give the rule a regex of its own", r.ID, r.Required[0].ID)
	}
	if !validName(strings.ToLower(r.ID)) {
		return fmt.Errorf("rule %q: an id has a-z, 0-9, '.', '_' and '-', 64 characters at most", r.ID)
	}
	a, err := compileAutomaton(r.Regex)
	if err != nil {
		return fmt.Errorf("rule %q: regex: %w", r.ID, err)
	}
	if r.SecretGroup < 0 || r.SecretGroup > a.re.NumSubexp() {
		return fmt.Errorf("rule %q: secretGroup %d: the regex has %d groups", r.ID, r.SecretGroup, a.re.NumSubexp())
	}
	lists := append(slices.Clone(r.Allowlists), r.Allowlist)
	for _, l := range append(slices.Clone(f.Allowlists), f.Allowlist) {
		if len(l.TargetRules) == 0 || slices.Contains(l.TargetRules, r.ID) {
			lists = append(lists, l)
		}
	}
	allowed, err := compileAllow(lists)
	if err != nil {
		return fmt.Errorf("rule %q: %w", r.ID, err)
	}
	own := ownRule{name: strings.ToLower(r.ID), automaton: a, group: r.SecretGroup}
	if own.group == 0 {
		own.group = min(1, a.re.NumSubexp())
	}
	own.accept = func(line, match, secret string) bool {
		return (r.Entropy == 0 || entropy(secret) > r.Entropy) && !allowed(line, match, secret)
	}
	for _, k := range r.Keywords {
		own.keywords = append(own.keywords, strings.ToLower(k))
	}
	if own.keywordsFit() {
		g.keyed = append(g.keyed, own)
	} else {
		g.everywhere = append(g.everywhere, own)
	}
	return nil
}

// compileAllow returns what tells whether one of the lists allows a match.
func compileAllow(lists []gitleaksAllow) (func(line, match, secret string) bool, error) {
	var checks []func(line, match, secret string) bool
	for _, l := range lists {
		if err := l.check(); err != nil {
			return nil, err
		}
		var regexes []*regexp.Regexp
		for _, expr := range l.Regexes {
			re, err := regexp.Compile(expr)
			if err != nil {
				return nil, fmt.Errorf("allowlist: %w", err)
			}
			regexes = append(regexes, re)
		}
		all := strings.EqualFold(l.Condition, "and") || l.Condition == "&&"
		if all && len(l.Paths)+len(l.Commits) > 0 {
			continue // a stream has neither: the condition never holds
		}
		checks = append(checks, func(line, match, secret string) bool {
			target := secret
			switch l.RegexTarget {
			case "match":
				target = match
			case "line":
				target = line
			}
			byRegex := slices.ContainsFunc(regexes, func(re *regexp.Regexp) bool { return re.MatchString(target) })
			lower := strings.ToLower(secret)
			byWord := slices.ContainsFunc(l.StopWords, func(w string) bool { return strings.Contains(lower, strings.ToLower(w)) })
			if all {
				return (byRegex || len(regexes) == 0) && (byWord || len(l.StopWords) == 0) && len(regexes)+len(l.StopWords) > 0
			}
			return byRegex || byWord
		})
	}
	return func(line, match, secret string) bool {
		return slices.ContainsFunc(checks, func(f func(line, match, secret string) bool) bool { return f(line, match, secret) })
	}, nil
}

// check refuses words that gitleaks does not know: a list that allows more or
// less than its writer thinks is worse than none.
func (l *gitleaksAllow) check() error {
	switch strings.ToUpper(l.Condition) {
	case "", "OR", "||", "AND", "&&":
	default:
		return fmt.Errorf("allowlist: condition %q: want OR or AND", l.Condition)
	}
	switch l.RegexTarget {
	case "", "secret", "match", "line":
		return nil
	}
	return fmt.Errorf("allowlist: regexTarget %q: want secret, match or line", l.RegexTarget)
}

// entropy returns Shannon's entropy of s in bits a byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// firstKeyed is the first number of rules with keywords in the index.
const firstKeyed = 1 << 16

// keywordsFit tells whether the rule has keywords that the index can find: of
// three bytes or more.
func (r *ownRule) keywordsFit() bool {
	return len(r.keywords) > 0 && !slices.ContainsFunc(r.keywords, func(k string) bool { return len(k) < 3 })
}

// addKeywords enters the keywords. One of three bytes is found by what follows.
func (x *index) addKeywords(r *ownRule, number int32) {
	for i, k := range r.keywords {
		if len(k) > 3 {
			x.add(k, entry{target: number, back: int16(rarest(k, len(k))), anchor: int16(i)})
			continue
		}
		for c := byte(' '); c < 0x7f; c++ {
			x.add(k+string(rune(c)), entry{target: number, anchor: int16(i)})
		}
	}
}

// heldKeyword returns where the end of the text may be the beginning of a
// keyword, which may be where a secret begins.
func (s *Set) heldKeyword(b []byte) int {
	held := len(b)
	for i := range s.keyed {
		for _, k := range s.keyed[i].keywords {
			for n := min(max(len(k), 4)-1, len(b)); n > len(b)-held; n-- {
				tail := b[len(b)-n:]
				if head := k[:min(n, len(k))]; bytes.EqualFold(tail[:len(head)], []byte(head)) {
					held = len(b) - n
					break
				}
			}
		}
	}
	return held
}

// match runs the expression over the text around the keyword.
func (r *ownRule) match(t *text, c *candidate) answer {
	if v := t.hasFolded(c.at, r.keywords[c.anchor]); v != match {
		if v == more {
			return wait(c.at)
		}
		return answer{}
	}
	lo := max(0, c.at-lookback)
	p := pursuit{pos: lo, begin: lo}
	var a answer
	decided := false
	for !decided && p.pos < len(t.b) {
		before := p.pos
		r.read(&p, t, 1, func(from, to int) {
			if to > c.at && !decided {
				a, decided = r.pick(t, c.at, from, to), true
			}
		})
		decided = decided || len(p.now.list) == 0 && p.pos > c.at
		if p.pos == before {
			break
		}
	}
	switch {
	case decided:
		return a
	case !t.eof:
		return wait(c.at)
	case p.matched:
		return r.pick(t, c.at, p.begin, len(t.b))
	}
	return answer{}
}

// pick returns the first match in the stretch that has the keyword in it, or
// begins behind it, and that no allow-list allows.
func (r *ownRule) pick(t *text, at, from, to int) answer {
	lo := max(0, from-8)
	hi := min(len(t.b), to+4)
	for _, m := range r.re.FindAllSubmatchIndex(t.b[lo:hi], -1) {
		start, end := r.secret(m)
		start, end = max(start+lo, at), end+lo
		if m[0]+lo < from || m[1]+lo > to || end <= start {
			continue
		}
		first := bytes.LastIndexByte(t.b[:m[0]+lo], '\n') + 1
		line := t.b[max(first, m[0]+lo-lookback):to]
		if r.accept(string(line), string(t.b[m[0]+lo:m[1]+lo]), string(t.b[start:end])) {
			return matched(start, end)
		}
	}
	return answer{}
}
