package format

import (
	"fmt"
	"strings"
)

// ParseUpstream reads what a producer declares about its own output: complete,
// truncated or unknown, with a note after a colon if it likes. The note is taken
// as it stands: redacting and cleaning it is the caller's.
func ParseUpstream(s string) (Upstream, error) {
	state, note, _ := strings.Cut(s, ":")
	u := Upstream{State: UpstreamState(state), Note: SomeText(strings.TrimSpace(note))}
	if !u.State.Valid() {
		return Upstream{}, fmt.Errorf("upstream %q: want complete, truncated or unknown, with a note after a colon if you like", clipString(s))
	}
	return u, nil
}

// String returns the form that [ParseUpstream] reads.
func (u Upstream) String() string {
	if note, ok := u.Note.Get(); ok {
		return string(u.State) + ": " + note
	}
	return string(u.State)
}
