package redact

import (
	"iter"
	"slices"
	"strings"
)

// A rule is one way to know a secret that nobody has named.
type rule struct {
	name    string
	about   string   // what it finds, for the list of rules
	rank    int32    // of rules that match at the same place, the lowest names the marker
	anchors []string // one of them is in every match; [abc] and [a-z] stand for one byte
	match   func(r *rule, t *text, c *candidate) answer

	// Of tokens, which begin with their anchor:
	parts []part // what follows the anchor's fixed text
	loose bool   // may begin inside a word
	skip  int    // of matchAfter: bytes before the fixed text
	digit bool   // a digit must be among the first bytes of the last part

	// Of keys:
	least int  // bytes; a shorter value is none
	words bool // the value may be a word, as passwords are
	weak  bool // the word alone is no key
}

// groups are the built-in rules.
var groups = [...][]rule{forgeRules, cloudRules, modelRules, serviceRules, formatRules, placeRules, keyRules}

// groupSize is more than the rules of any group: a rule's number is that of its
// group times groupSize, and its place there.
const groupSize = 64

func builtin(number int32) *rule { return &groups[number/groupSize][number%groupSize] }

// Ranks. Literals have negative ones.
const (
	rankToken  = 1
	rankFormat = 2 // key blocks, JWTs
	rankPlace  = 3 // known by where it stands: headers, URLs
	rankKey    = 4 // known by the name before it
)

// builtins yields every built-in rule with its number.
func builtins() iter.Seq2[*rule, int32] {
	return func(yield func(*rule, int32) bool) {
		for g := range groups {
			for i := range groups[g] {
				if !yield(&groups[g][i], int32(g*groupSize+i)) {
					return
				}
			}
		}
	}
}

// fixed returns the text that every string of an anchor begins with, or, where
// it begins with a set, the text behind that.
func fixed(anchor string) string {
	if anchor[0] == '[' {
		_, anchor, _ = strings.Cut(anchor, "]")
	}
	text, _, _ := strings.Cut(anchor, "[")
	return text
}

// A RuleInfo describes a rule to users.
type RuleInfo struct {
	Name  string
	About string
}

// Rules lists the built-in rules by name.
func Rules() []RuleInfo {
	var list []RuleInfo
	for r := range builtins() {
		if r.about != "" && !slices.ContainsFunc(list, func(x RuleInfo) bool { return x.Name == r.name }) {
			list = append(list, RuleInfo{Name: r.name, About: r.about})
		}
	}
	slices.SortFunc(list, func(a, b RuleInfo) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// maxHeld is from where in a secret on no window is chosen: up to the window's
// end the secret cannot be told from text and must be held.
const maxHeld = 12

// held tells whether the rule's secrets begin with their anchor.
func (r *rule) held() bool { return r.rank <= rankFormat && r.parts != nil }

// addRule enters the anchors of a rule, and what must be held before them if the
// secret begins with its anchor.
func (x *index) addRule(r *rule, number int32) {
	for i, a := range r.anchors {
		for _, word := range expand(a) {
			limit := len(word)
			if r.held() {
				limit = maxHeld
			}
			back := rarest(word, limit)
			e := entry{target: number, back: int16(back), anchor: int16(i), word: fixed(a), bound: r.held() && !r.loose}
			if a[0] == '[' {
				e.skip = 1
			}
			x.add(word, e)
			if r.held() {
				x.addPrefix(prefix{text: word[:back+4], bound: !r.loose}, 0)
			}
		}
	}
}

// expand returns the strings that an anchor stands for.
func expand(a string) []string {
	i := strings.IndexByte(a, '[')
	if i < 0 {
		return []string{a}
	}
	end := i + strings.IndexByte(a[i:], ']')
	set := a[i+1 : end]
	var all []string
	for _, rest := range expand(a[end+1:]) {
		for j := 0; j < len(set); j++ {
			last := set[j]
			if j+2 < len(set) && set[j+1] == '-' {
				last = set[j+2]
			}
			for c := int(set[j]); c <= int(last); c++ {
				all = append(all, a[:i]+string(rune(c))+rest)
			}
			if last != set[j] {
				j += 2
			}
		}
	}
	return all
}
