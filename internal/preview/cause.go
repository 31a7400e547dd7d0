package preview

import (
	"bytes"
	"io"
	"regexp"
	"slices"
)

// Bounds of a derived view.
const (
	firstCauses = 6 // the first lines that look like the cause; the first error is the one that matters
	lastCauses  = 2 // and the last ones: a summary, a panic at the end
	causeText   = 240
	closeLooks  = 20_000  // at lines that have a hint; then the search ends
	nearby      = 2 << 10 // what of a long line is looked at, to either side of a hint
)

// hints are pieces of text of which a line that looks like a cause has at least
// one. Looking for them is quick; what has one is looked at closely.
var hints = []string{
	"rror", "RROR", "ERR!", "FAIL", "ailed", "ailure", "AILED", "anic", "PANIC", "atal", "FATAL", "raceback", "xception", "ndefined ",
	"nresolved", "not ok ", "ssert", "enied", "such file", "not found", "annot ", "dumped", "Killed", "of memory", "SIG", "Unhandled",
	"Uncaught", "Caused by", "goroutine ", "E: ", "ninja: ", "✗", "✕", ": ***",
}

// cause is what the first line of trouble looks like.
type cause struct {
	expr string
	has  []string // one of these is in every line that expr matches; nil: not known
}

// causes are those of compilers, linkers, test runners, run-time systems and
// package managers.
var causes = []cause{
	{
		`(?i)(^|[\s:\])])(fatal |internal compiler )?error(\[[A-Z]+\d+\]| [A-Z]+\d+)?:`, // gcc, clang, rustc, tsc, msvc, javac, ld
		nil,
	},
	{
		`^\s*(---|===) FAIL|^FAIL\b|\bFAILED\b|^not ok \d|^\s*[✗✕] `, // go test, pytest, ctest, TAP, mocha
		[]string{"FAIL", "not ok ", "✗", "✕"},
	},
	{
		`^panic: |^fatal error: |^thread '.*' panicked|^goroutine \d+ \[running`, // Go, Rust
		[]string{"panic", "fatal error: ", "goroutine "},
	},
	{
		`^Traceback \(most recent call last\)|^(\w+\.)*\w*(Error|Exception)(:|$)`, // Python
		[]string{"Traceback ", "Error", "Exception"},
	},
	{
		`^Exception in thread|^Caused by: |^\s*(Uncaught|Unhandled) |^Unhandled`, // JVM, Node
		[]string{"Exception in", "Caused by: ", "Uncaught ", "Unhandled"},
	},
	{
		`undefined reference to|Undefined symbols|undefined symbol|unresolved external`, // linkers
		[]string{"ndefined ", "unresolved "},
	},
	{
		`^npm (ERR!|error)|^E: |^ERROR: |^error: |^fatal: `, // npm, apt, pip, cargo, git
		[]string{"npm ", "E: ", "ERROR: ", "error: ", "fatal: "},
	},
	{
		`make(\[\d+\])?: \*\*\*|^ninja: |^CMake Error`,
		[]string{": ***", "ninja: ", "CMake Error"},
	},
	{
		`Segmentation fault|core dumped|SIG(SEGV|ABRT|BUS|KILL)|AddressSanitizer|Out of memory|^Killed`,
		[]string{"Segmentation ", "core dumped", "SIG", "AddressSanitizer", "Out of memory", "Killed"},
	},
	{`(?i)assertion .*failed|command not found|No such file or directory|Permission denied`, nil},
}

// maybes are looked for where nothing looks like a cause. What tells that there
// is no error is none.
const (
	maybes = `(?i)\b(errors?|fail(ed|ure|ures)?|fatal|exception|cannot|panic)\b`
	denial = `(?i)\b(0|no|without) (errors?|fail(ed|ures?))\b|\b(errors?|fail(ed|ures?))[:=] ?0\b`
)

// mayBe tells, quickly, that a line may match.
func (k cause) mayBe(line []byte) bool {
	return k.has == nil || slices.ContainsFunc(k.has, func(has string) bool { return bytes.Contains(line, []byte(has)) })
}

// Cause looks for lines that look like the cause of a failure. The zero value
// looks for the usual ones; it is made ready by its first use.
type Cause struct {
	Pattern *regexp.Regexp // nil: the usual ones

	pairs  [1 << 10]uint64  // a bit for every two bytes that a hint begins with
	hints  [256][]string    // by first byte
	strong []*regexp.Regexp // of causes, in their order
	weak   *regexp.Regexp
	denial *regexp.Regexp
}

func (c *Cause) ready() {
	if c.weak != nil {
		return
	}
	for _, k := range causes {
		c.strong = append(c.strong, regexp.MustCompile(k.expr))
	}
	for _, h := range hints {
		i := pair(h[0], h[1])
		c.pairs[i/64] |= 1 << (i % 64)
		c.hints[h[0]] = append(c.hints[h[0]], h)
	}
	c.weak, c.denial = regexp.MustCompile(maybes), regexp.MustCompile(denial)
}

// Find returns bounded lines of [from, to) of the stream that look like the
// cause. An error is one of reading; what was found before it is returned.
func (c *Cause) Find(src io.ReaderAt, from, to int64) (Found, error) {
	if from >= to {
		return Found{}, nil
	}
	c.ready()
	var strong, weak collection
	looks := 0
	line, err := countLines(src, from)
	if err == nil {
		err = eachBlock(src, from, to, overlap, func(at int64, b []byte) bool {
			looks += c.search(b, at, line, &strong, &weak)
			line += int64(bytes.Count(b, []byte("\n")))
			return looks < closeLooks
		})
	}
	found := strong.found()
	if strong.of == 0 {
		found = weak.found()
	}
	found.More = looks >= closeLooks
	return found, err
}

// search looks through a block, which begins at a line's beginning or at a piece
// of a long one, and returns how many lines it had to look at closely.
func (c *Cause) search(b []byte, at, line int64, strong, weak *collection) (looks int) {
	counted := 0 // up to here newlines are in line
	lines := c.candidates(b)
	for _, l := range lines {
		text := b[l.from:l.to]
		class, hit := c.classify(text)
		if class == nil {
			continue
		}
		line += int64(bytes.Count(b[counted:l.from], []byte("\n")))
		counted = l.from
		if class == c.weak {
			weak.add(text, hit, at+int64(l.from), line)
		} else {
			strong.add(text, hit, at+int64(l.from), line)
		}
	}
	return len(lines)
}

type extent struct{ from, to int }

// candidates returns the lines of b that are worth a close look, in order.
func (c *Cause) candidates(b []byte) []extent {
	var lines []extent
	for p := 0; p < len(b); {
		i := c.next(b[p:])
		if i < 0 {
			break
		}
		l := lineAt(b, min(p+i, len(b)-1))
		lines, p = append(lines, l), l.to+1
	}
	return lines
}

// next returns the position of the first hint in b, or -1.
func (c *Cause) next(b []byte) int {
	if c.Pattern != nil {
		if hit := c.Pattern.FindIndex(b); hit != nil {
			return hit[0]
		}
		return -1
	}
	for i := 1; i < len(b); i++ {
		p := pair(b[i-1], b[i])
		if c.pairs[p/64]>>(p%64)&1 == 0 {
			continue
		}
		for _, h := range c.hints[b[i-1]] {
			if len(b)-i+1 >= len(h) && string(b[i-1:i-1+len(h)]) == h {
				return i - 1
			}
		}
	}
	return -1
}

func pair(a, b byte) uint { return uint(a)<<8 | uint(b) }

// lineAt returns the line of b around position i, without its newline; of a long
// one only what is nearby.
func lineAt(b []byte, i int) extent {
	l := extent{from: max(i-nearby, 0), to: min(i+nearby, len(b))}
	l.from += bytes.LastIndexByte(b[l.from:i], '\n') + 1
	if n := bytes.IndexByte(b[i:l.to], '\n'); n >= 0 {
		l.to = i + n
	}
	return l
}

// classify returns the expression by which a line looks like a cause, and where.
func (c *Cause) classify(line []byte) (*regexp.Regexp, []int) {
	if c.Pattern != nil {
		if hit := c.Pattern.FindIndex(line); hit != nil {
			return c.Pattern, hit
		}
		return nil, nil // what was found in the block reaches into the next line
	}
	for i, re := range c.strong {
		if !causes[i].mayBe(line) {
			continue
		}
		if hit := re.FindIndex(line); hit != nil && !c.denial.Match(line) {
			return re, hit
		}
	}
	if hit := c.weak.FindIndex(line); hit != nil && !c.denial.Match(line) {
		return c.weak, hit
	}
	return nil, nil
}

// collection keeps the first and the last of the lines that are added.
type collection struct {
	first, last []Highlight
	of          int
	next        int64 // where the last hit ended
}

func (c *collection) add(line []byte, hit []int, offset, number int64) {
	if at := offset + int64(hit[0]); at < c.next {
		return // once more, in the overlap of two pieces of a long line
	}
	c.next = offset + int64(hit[1])
	c.of++
	text, start := excerpt(line, hit[0], causeText)
	h := Highlight{Offset: offset + int64(start), Line: number, Text: text}
	same := func(o Highlight) bool { return o.Text == text }
	switch {
	case slices.ContainsFunc(c.first, same):
	case len(c.first) < firstCauses:
		c.first = append(c.first, h)
	default:
		c.last = append(slices.DeleteFunc(c.last, same), h)
		if len(c.last) > lastCauses {
			c.last = c.last[1:]
		}
	}
}

func (c *collection) found() Found {
	return Found{Lines: append(c.first, c.last...), Of: c.of}
}

// excerpt returns most bytes of a line at best, as valid text, so that position
// hit is in it, and where it begins.
func excerpt(line []byte, hit, most int) (text string, start int) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) > most {
		if hit > most*3/4 {
			start = hit - most/4
		}
		cut := wholeStart(line[start:])
		start = len(line) - len(cut)
		line = wholeEnd(cut[:min(most, len(cut))])
	}
	return string(toText(line).b), start
}
