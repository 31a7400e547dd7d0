package redact

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

var errShortWrite = errors.New("short write")

// DefaultWindow is the longest undecided fragment that is held by default, in
// bytes.
const DefaultWindow = 64 << 10

// MinWindow is the smallest window: every built-in rule must see its keys and
// the words before them at once.
const MinWindow = 1 << 10

// Options say what is done to a stream. The zero value redacts with all built-in
// rules.
type Options struct {
	Literals []Literal
	Patterns []Pattern
	Gitleaks *Gitleaks // nil for none
	Disable  []string  // names of rules, as Rules lists them
	Window   int       // bytes; 0 means DefaultWindow, less than MinWindow is an error
	KeepANSI bool      // escape sequences stay; they are looked past all the same
	Encoding string    // of the input; "" and "auto": UTF-8, unless a byte order mark says otherwise
	NoRedact bool      // decode and strip only
	Raw      bool      // pass the bytes on as they come
	Audit    func(Hit)
}

// A Set is everything that is looked for, ready for use. It is immutable: any
// number of Writers may share one, concurrently unless Options.Audit is not made
// for that.
type Set struct {
	options  Options
	window   int
	forms    []form
	families []family // of the forms
	index    *index

	patterns []ownRule // searched for everywhere
	keyed    []ownRule // looked for where a keyword is

	disabled [len(groups) * groupSize]bool // by number
}

// Compile checks the options and prepares a Set.
func Compile(o Options) (*Set, error) {
	s := &Set{options: o, window: o.Window}
	switch {
	case o.Window == 0:
		s.window = DefaultWindow
	case o.Window < MinWindow:
		return nil, fmt.Errorf("window of %d bytes: at least %d are needed", o.Window, MinWindow)
	}
	if _, err := encodingByName(o.Encoding); err != nil {
		return nil, err
	}
	if err := s.disable(o.Disable); err != nil {
		return nil, err
	}
	var err error
	if s.patterns, err = compilePatterns(o.Patterns); err != nil {
		return nil, err
	}
	s.forms, s.families = literalForms(o.Literals, s.window)
	x := builtinIndex()
	s.index = &x
	if g := o.Gitleaks; g != nil {
		s.patterns, s.keyed = append(s.patterns, g.everywhere...), g.keyed
	}
	if len(s.forms)+len(s.keyed) == 0 {
		return s, nil
	}
	s.index = x.clone()
	for i := range s.keyed {
		s.index.addKeywords(&s.keyed[i], firstKeyed+int32(i))
	}
	for i, f := range s.families {
		s.index.addFamily(f, int32(i))
	}
	s.index.finish(1)
	return s, nil
}

// disable switches off the built-in rules of these names.
func (s *Set) disable(names []string) error {
	for _, name := range names {
		if _, err := ParseRule(name); err != nil {
			return err
		}
		for r, i := range builtins() {
			s.disabled[i] = s.disabled[i] || r.name == name
		}
	}
	return nil
}

// New returns a Writer to dst for one stream.
func New(dst io.Writer, o Options) (*Writer, error) {
	s, err := Compile(o)
	if err != nil {
		return nil, err
	}
	return s.NewWriter(dst), nil
}

// String returns s redacted, as a stream of its own. It is for metadata: a
// label, one argument at a time.
func (s *Set) String(text string) string {
	var b strings.Builder
	w := s.NewWriter(&b)
	io.WriteString(w, text) //nolint:errcheck // a Builder takes everything
	w.Close()               //nolint:errcheck // for the same reason
	return b.String()
}

// stringText redacts the text inside a kept escape sequence.
func (s *Set) stringText(seq string) string {
	const head = 2 // ESC and the byte that begins the string
	end := len(seq)
	for end > head && (seq[end-1] == '\\' || seq[end-1] == esc || seq[end-1] == '\a') {
		end--
	}
	inner := *s
	inner.options.Audit = nil
	return seq[:head] + inner.String(seq[head:end]) + seq[end:]
}

// omission returns the marker for n bytes that could not be decided.
func omission(n int, name string) []byte {
	return fmt.Appendf(nil, "[spool: %d bytes omitted: %s]", n, name)
}
