package redact

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// An automaton tells, for a regular expression on a stream, what regexp cannot:
// whether a match may still be under way where the text ends so far. The matches
// themselves regexp finds, in text of which that is known.
type automaton struct {
	prog  *syntax.Prog
	re    *regexp.Regexp
	first [256]bool // a match may begin with this byte
}

// compileAutomaton compiles an expression of RE2, with ^ and $ at line ends. It
// refuses what a stream cannot do.
func compileAutomaton(expr string) (*automaton, error) {
	parsed, err := syntax.Parse(expr, syntax.Perl&^syntax.OneLine)
	if err != nil {
		return nil, err
	}
	if anchored(parsed) {
		return nil, fmt.Errorf("\\A and \\z: a stream is not searched as a whole; ^ and $ stand for the ends of a line")
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile("(?m:" + expr + ")")
	if err != nil {
		return nil, err
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("it matches where nothing is: every place of the stream would be one")
	}
	a := &automaton{prog: prog, re: re}
	a.findFirst()
	return a, nil
}

// anchored tells whether the expression asks for the end or beginning of the
// whole text.
func anchored(re *syntax.Regexp) bool {
	if re.Op == syntax.OpBeginText || re.Op == syntax.OpEndText {
		return true
	}
	return slices.ContainsFunc(re.Sub, anchored)
}

// findFirst fills in what a match may begin with.
func (a *automaton) findFirst() {
	for _, before := range []rune{'a', ' ', '\n', -1} {
		for c := range 256 {
			r := rune(c)
			if c >= utf8.RuneSelf {
				a.first[c] = true // the first of several bytes: not worth telling apart
				continue
			}
			var s threads
			a.follow(&s, uint32(a.prog.Start), 0, before, r)
			for _, th := range s.list {
				if in := &a.prog.Inst[th.pc]; in.Op == syntax.InstMatch || in.MatchRune(r) {
					a.first[c] = true
				}
			}
		}
	}
}

// A thread is a match under way.
type thread struct {
	pc    uint32
	start int // where it began
}

// threads is a set of them, one for each instruction: the one that began first.
type threads struct {
	list    []thread
	seen    map[uint32]int // index in list, by instruction
	matched bool
}

func (s *threads) reset() {
	s.list, s.matched = s.list[:0], false
	clear(s.seen)
}

// follow adds the instruction, or what it leads to between the characters before
// and after.
func (a *automaton) follow(s *threads, pc uint32, start int, before, after rune) {
	if s.seen == nil {
		s.seen = map[uint32]int{}
	}
	if i, ok := s.seen[pc]; ok && (i < 0 || s.list[i].start <= start) {
		return
	}
	in := &a.prog.Inst[pc]
	switch in.Op {
	case syntax.InstFail:
	case syntax.InstMatch:
		s.matched = true
	case syntax.InstAlt, syntax.InstAltMatch:
		s.seen[pc] = -1
		a.follow(s, in.Out, start, before, after)
		a.follow(s, in.Arg, start, before, after)
	case syntax.InstCapture, syntax.InstNop:
		s.seen[pc] = -1
		a.follow(s, in.Out, start, before, after)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(in.Arg)&^syntax.EmptyOpContext(before, after) == 0 {
			a.follow(s, in.Out, start, before, after)
		}
	default:
		s.seen[pc] = len(s.list)
		s.list = append(s.list, thread{pc, start})
	}
}

// A pursuit is an automaton on its way along a stream.
type pursuit struct {
	now, next threads
	pos       int // the text before it has been read
	begin     int // no match that begins before it is under way or unreported
	matched   bool
}

// shift follows the buffer when its first n bytes go.
func (p *pursuit) shift(n int) {
	p.pos -= n
	p.begin -= n
	for i := range p.now.list {
		p.now.list[i].start -= n
	}
}

// read goes on along the text and calls found with each stretch that has matches
// in it, and none that goes on behind it. It stops one character before the end
// that there is, because what stands behind a match may matter, and where a
// stretch gets longer than the window; then it returns false.
func (a *automaton) read(p *pursuit, t *text, window int, found func(from, to int)) bool {
	for p.pos < len(t.b) {
		if len(p.now.list) == 0 {
			for p.pos < len(t.b) && !a.first[t.b[p.pos]] {
				p.pos++
			}
			if p.begin = p.pos; p.pos == len(t.b) {
				return true
			}
		}
		r, n := utf8.DecodeRune(t.b[p.pos:])
		if p.pos+n == len(t.b) && !t.eof {
			return true
		}
		a.step(p, t, r, n)
		if len(p.now.list) == 0 {
			if p.matched {
				found(p.begin, p.pos)
			}
			p.matched, p.begin = false, p.pos
		} else if p.pos-p.begin >= window {
			return false
		}
	}
	return true
}

// step reads the character r, of n bytes.
func (a *automaton) step(p *pursuit, t *text, r rune, n int) {
	before, after := rune(-1), rune(-1)
	if p.pos > 0 {
		before, _ = utf8.DecodeLastRune(t.b[:p.pos])
	}
	if p.pos+n < len(t.b) {
		after, _ = utf8.DecodeRune(t.b[p.pos+n:])
	}
	a.follow(&p.now, uint32(a.prog.Start), p.pos, before, r)
	p.next.reset()
	for _, th := range p.now.list {
		if in := &a.prog.Inst[th.pc]; in.MatchRune(r) {
			a.follow(&p.next, in.Out, th.start, r, after)
		}
	}
	p.matched = p.matched || p.next.matched
	p.now, p.next = p.next, p.now
	p.pos += n
}

// hold returns where the first match under way begins.
func (p *pursuit) hold() int {
	if len(p.now.list) > 0 || p.matched {
		return p.begin
	}
	return p.pos
}
