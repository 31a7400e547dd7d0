package format

import (
	"fmt"
	"strings"
)

// Latest is the reference to the capture that was begun last.
const Latest = "latest"

// Ref is a reference to a capture, or to one of its streams, relative to a
// namespace. It is a grammar, not a path: resolving one never leaves the
// namespace.
type Ref struct {
	ID     ID
	Stream string // empty: the capture as a whole
}

// String returns ID or ID/STREAM.
func (r Ref) String() string {
	if r.Stream == "" {
		return string(r.ID)
	}
	return string(r.ID) + "/" + r.Stream
}

// ParseRef reads a full reference: ID or ID/STREAM.
func ParseRef(s string) (Ref, error) {
	head, stream, hasStream := strings.Cut(s, "/")
	id, err := ParseID(head)
	if err != nil {
		return Ref{}, fmt.Errorf("reference %q: %w", clipString(s), err)
	}
	r := Ref{ID: id, Stream: stream}
	if hasStream {
		if err := CheckName(stream); err != nil {
			return Ref{}, fmt.Errorf("reference %q: stream %w", clipString(s), err)
		}
	}
	return r, nil
}

// Pattern is what a user may write for a reference: a whole ID, a prefix of one
// of at least [MinPrefix] characters, or "latest"; each with an optional stream.
type Pattern struct {
	Prefix string // a whole ID or a part; empty if Latest
	Latest bool
	Stream string // empty: the capture as a whole
}

// ParsePattern reads a reference as a user writes it. An error is one of usage:
// the grammar is broken. Whether such a capture exists is not looked up.
func ParsePattern(s string) (Pattern, error) {
	head, stream, hasStream := strings.Cut(s, "/")
	p := Pattern{Prefix: head, Stream: stream}
	if hasStream {
		if err := CheckName(stream); err != nil {
			return Pattern{}, fmt.Errorf("reference %q: stream %w", clipString(s), err)
		}
	}
	if head == Latest {
		p.Prefix, p.Latest = "", true
		return p, nil
	}
	switch {
	case len(head) < MinPrefix:
		return Pattern{}, fmt.Errorf("reference %q: want \"latest\", an id, or at least the first %d characters of one", clipString(s), MinPrefix)
	case len(head) > IDLen:
		return Pattern{}, fmt.Errorf("reference %q: an id has %d characters, got %d", clipString(s), IDLen, len(head))
	}
	if err := checkIDChars(head); err != nil {
		return Pattern{}, fmt.Errorf("reference %q: %w", clipString(s), err)
	}
	return p, nil
}

// Matches tells whether id is the one, or one of those, that p names. A pattern
// of "latest" matches every ID: the greatest is meant.
func (p Pattern) Matches(id ID) bool { return strings.HasPrefix(string(id), p.Prefix) }
