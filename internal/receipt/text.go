package receipt

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"spool/pkg/format"
)

// Text returns the receipt for people: a few lines, each a fact and its value.
// What is unknown is said to be so. It holds no control character.
func Text(r *format.Receipt) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s"+format+"\n", append([]any{name}, args...)...)
	}
	line("capture", "%s  %v", r.ID, r.Capture)
	if label, ok := r.Label.Get(); ok {
		line("label", "%s", label)
	}
	line("process", "%s", processText(r.Process))
	line("created", "%s", r.CreatedAt)
	if r.PublishedAt.IsKnown() {
		line("published", "%s", r.PublishedAt)
	}
	line("kind", "%s", kindText(r.Representation))
	for _, name := range slices.Sorted(maps.Keys(r.Streams)) {
		line(name, "%s", streamText(r.Streams[name]))
	}
	line("preview", "%s", string(r.Preview.State.Or("unknown")))
	if r.Upstream.State != format.UpstreamUnknown {
		line("upstream", "%s", r.Upstream)
	}
	if id, ok := r.Origin.Get(); ok {
		line("origin", "%s", id)
	}
	return b.String()
}

func processText(p format.Process) string {
	text := string(p.State)
	if code, ok := p.ExitCode.Get(); ok {
		text += ", code " + strconv.FormatInt(code, 10)
	}
	if signal, ok := p.Signal.Get(); ok {
		text += ", " + signal
	}
	if res, ok := p.Resources.Get(); ok {
		if ms, known := res.WallMS.Value(); known {
			text += ", after " + (time.Duration(ms) * time.Millisecond).String()
		}
	}
	if reason, ok := p.Reason.Get(); ok {
		text += ": " + reason
	}
	return text
}

func kindText(r format.Representation) string {
	text := string(r.Kind.Or("unknown"))
	if len(r.Transforms) > 0 {
		text += " (" + strings.Join(r.Transforms, ", ") + ")"
	}
	return text
}

// streamText tells what is kept of a stream.
func streamText(s format.Stream) string {
	c := s.Representation
	parts := []string{fmt.Sprintf("%v of %v bytes kept", c.Committed, c.Emitted)}
	if s.Lines.IsKnown() {
		parts = append(parts, s.Lines.String()+" lines")
	}
	if hits, ok := s.Redactions.Get(); ok && len(hits) > 0 {
		n := int64(0)
		for _, k := range hits {
			n += k
		}
		parts = append(parts, fmt.Sprintf("%d redacted", n))
	}
	if n, known := s.Replaced.Value(); known && n > 0 {
		parts = append(parts, fmt.Sprintf("%d ill-formed", n))
	}
	if comp, ok := s.Compression.Get(); ok {
		parts = append(parts, string(comp))
	}
	if !s.EOF.Or(false) {
		parts = append(parts, "its end was not seen")
	}
	return strings.Join(parts, ", ")
}
