package preview

import (
	"encoding/json"
	"fmt"
	"io"

	"spool/internal/capture"
	"spool/pkg/format"
)

// LookOptions are those of looking at a capture as a whole.
type LookOptions struct {
	Budget    Budget
	Highlight Highlighting
	Output
}

// Output is where an answer goes.
type Output struct {
	W        io.Writer
	Note     func(string) // for what is to be told beside the data
	JSON     bool         // one object instead of text
	Terminal bool         // W is one
}

// section is one stream of a look in JSON.
type section struct {
	Head       string       `json:"head"`
	Tail       string       `json:"tail"`
	Text       string       `json:"text"`
	TotalBytes int64        `json:"total_bytes"`
	Returned   int64        `json:"returned_bytes"`
	Omitted    int64        `json:"omitted_bytes"`
	Ranges     [][2]int64   `json:"omitted_ranges"`
	Redraws    int          `json:"redraws"`
	Highlights []Highlight  `json:"highlights"` // a derived view
	Live       bool         `json:"live"`
	Missing    format.Count `json:"missing_bytes"` // emitted, but not kept
}

// Look shows the streams of a capture, or one of them, within the budget.
func Look(c *capture.Capture, stream string, o LookOptions) error {
	f, err := factsOf(c)
	if err != nil {
		return err
	}
	names, err := streamsOf(f, stream)
	if err != nil {
		return err
	}
	var parts []Part
	var opened []*stored
	var searching error
	for _, name := range names {
		s, err := openStored(c, name)
		if err != nil {
			return err
		}
		defer s.Close() //nolint:errcheck // nothing was written
		p, err := o.part(s, f, &searching)
		if err != nil {
			return err
		}
		parts, opened = append(parts, p), append(opened, s)
	}
	r := Render(o.Budget, f.failed(), parts)
	if searching != nil {
		return searching
	}
	if o.JSON {
		return o.lookJSON(f, stream, r, opened)
	}
	return o.lookText(f, stream, r, opened)
}

// streamsOf returns the streams to show, stdout first.
func streamsOf(f facts, stream string) ([]string, error) {
	if stream != "" {
		if _, ok := f.receipt.Streams[stream]; !ok {
			return nil, fmt.Errorf("capture %s has no stream %q", f.receipt.ID, stream)
		}
		return []string{stream}, nil
	}
	var names []string
	for _, name := range []string{format.Stdout, format.Stderr, format.Output} {
		if _, ok := f.receipt.Streams[name]; ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// part opens what is at hand of a stream. The first error of a search is left
// in failed.
func (o LookOptions) part(s *stored, f facts, failed *error) (Part, error) {
	if err := s.check(f); err != nil {
		return Part{}, err
	}
	p, err := s.part(o.Budget, f)
	if err != nil {
		return p, err
	}
	p.Terminal = o.Terminal && !o.JSON
	if o.Highlight.wanted(f.failed()) {
		p.Find = func(from, to int64) Found {
			found, err := o.Highlight.cause.Find(s, from, min(to, s.size))
			if err != nil && *failed == nil {
				*failed = err
			}
			return found
		}
	}
	return p, nil
}

// lookText prints a line of facts, and for each stream a header with the exact
// length of what follows it.
func (o LookOptions) lookText(f facts, stream string, r Rendered, opened []*stored) error {
	omitted := int64(0)
	for _, s := range r.Streams {
		omitted += s.Omitted
	}
	out := []byte(f.source(stream).line(omitted))
	for i, s := range r.Streams {
		out = fmt.Appendf(out, "[spool: %s, %d bytes follow; %d of %d bytes omitted%s]\n",
			s.Name, len(s.Text), s.Omitted, s.Returned+s.Omitted, opened[i].state(f))
		out = append(out, s.Text...)
		if !endsLine(s.Text) {
			out = append(out, '\n')
		}
	}
	_, err := o.W.Write(out)
	return err
}

// state tells in a header what is special about a stream.
func (s *stored) state(f facts) string {
	switch missing, known := s.missing(f).Value(); {
	case !f.final && s.file == nil:
		return "; nothing yet"
	case !f.final:
		return "; live"
	case known && missing > 0:
		return fmt.Sprintf("; bytes %d-%d not kept", s.size, s.size+missing)
	}
	return ""
}

// missing returns the bytes that were emitted, but are not in the file.
func (s *stored) missing(f facts) format.Count {
	if !f.final {
		return format.Unknown()
	}
	return f.receipt.Streams[s.name].Representation.Emitted.Sub(format.Known(s.size))
}

func (o LookOptions) lookJSON(f facts, stream string, r Rendered, opened []*stored) error {
	answer := struct {
		Source
		Preview format.Preview     `json:"preview"`
		Streams map[string]section `json:"streams"`
	}{f.source(stream), r.Preview, map[string]section{}}
	for i, s := range r.Streams {
		j := section{
			Head: s.Head, Tail: s.Tail, Text: string(s.Text), TotalBytes: s.Returned + s.Omitted,
			Returned: s.Returned, Omitted: s.Omitted, Ranges: [][2]int64{},
			Redraws: s.Redraws, Highlights: append([]Highlight{}, s.Found.Lines...),
			Live: !f.final, Missing: opened[i].missing(f),
		}
		if s.TailStart > s.HeadEnd {
			j.Ranges = append(j.Ranges, [2]int64{s.HeadEnd, s.TailStart})
		}
		answer.Streams[s.Name] = j
	}
	return o.object(answer)
}

// object prints one object on one line. To a terminal nothing but printable
// ASCII goes of what steers it.
func (o Output) object(v any) error {
	data, err := marshal(v)
	if err != nil {
		return err
	}
	if o.Terminal {
		data = JSONForTerminal(data)
	}
	_, err = o.W.Write(append(data, '\n'))
	return err
}

func marshal(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return data, nil
}

// JSONForTerminal returns a JSON text in which the characters that steer a
// terminal are written as \uXXXX. They are in strings only.
func JSONForTerminal(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for _, r := range string(data) {
		if r == 0x7f || isHostile(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
			continue
		}
		out = append(out, string(r)...)
	}
	return out
}
