package preview

import (
	"fmt"
	"regexp"
	"strings"

	"spool/internal/capture"
)

// Highlighting says which lines of the omitted middle are shown: auto (after a
// failure, what looks like its cause), off, or what an expression matches. The
// zero value is off.
type Highlighting struct {
	cause  *Cause // nil: off
	always bool   // also after success
	text   string
}

// AutoHighlighting shows the likely cause of a failure.
func AutoHighlighting() Highlighting { return Highlighting{cause: &Cause{}, text: "auto"} }

// String returns what [ParseHighlighting] reads.
func (h Highlighting) String() string { return h.text }

// ParseHighlighting reads auto, off or an expression.
func ParseHighlighting(text string) (Highlighting, error) {
	switch text {
	case "auto":
		return AutoHighlighting(), nil
	case "off":
		return Highlighting{text: text}, nil
	}
	re, err := ParsePattern(text)
	if err != nil {
		return Highlighting{}, err
	}
	return Highlighting{cause: &Cause{Pattern: re}, always: true, text: text}, nil
}

// multiline makes ^ and $ those of a line.
const multiline = "(?m)"

// ParsePattern reads an expression that is to match within lines.
func ParsePattern(text string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(multiline + text)
	if err != nil {
		if _, alone := regexp.Compile(text); alone != nil {
			err = alone
		}
		return nil, fmt.Errorf("expression %q: %w", text, err)
	}
	return re, nil
}

// PatternText returns what ParsePattern has read.
func PatternText(re *regexp.Regexp) string { return strings.TrimPrefix(re.String(), multiline) }

// wanted tells whether anything is looked for.
func (h Highlighting) wanted(failed bool) bool { return h.cause != nil && (failed || h.always) }

// Finder returns what [Part.Find] needs to look through what a capture holds of
// a stream; nil if nothing is to be looked for. What cannot be read has no
// highlights: whoever needs the bytes is told why.
func (h Highlighting) Finder(c *capture.Capture, stream string, failed bool) func(from, to int64) Found {
	if !h.wanted(failed) {
		return nil
	}
	return func(from, to int64) Found {
		s, err := openStored(c, stream)
		if err != nil {
			return Found{}
		}
		defer s.Close() //nolint:errcheck // nothing was written
		found, _ := h.cause.Find(s, from, min(to, s.size))
		return found
	}
}
