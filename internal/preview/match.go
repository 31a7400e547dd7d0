package preview

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"spool/internal/capture"
	"spool/pkg/format"
)

// Bounds of a match's window.
const (
	windowSide = 200     // bytes shown to either side of a hit, within its line
	windowMost = 4 << 10 // bytes of a window, however long the hit
)

// MatchOptions are those of [Match].
type MatchOptions struct {
	Pattern *regexp.Regexp // of lines: with (?m)
	Max     int            // hits, > 0
	Limit   int64          // bytes; 0 is [DefaultLimit]
	Output
}

// Hit is where a pattern matches, with a bounded window around it.
type Hit struct {
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Line   int64  `json:"line"`         // counted from 1
	Start  int64  `json:"window_start"` // offset of Text
	Text   string `json:"window"`       // valid UTF-8, of one line
}

// matching is one search.
type matching struct {
	*reading
	o    MatchOptions
	src  io.ReaderAt // the stream
	hits []Hit
	used int64 // bytes that printing the hits takes
	past int64 // hits before this offset are in a window already
	more bool
	err  error
}

// Match looks for a pattern line by line, in constant memory, and prints the
// hits. A line that is longer than a block is looked at in pieces; there a match
// longer than their overlap of 4 KiB may be missed. found tells whether there
// was a hit.
func Match(c *capture.Capture, stream string, mo MatchOptions) (found bool, err error) {
	o, err := openFor(c, stream, limitOf(mo.Limit, mo.Output), mo.Output)
	if err != nil {
		return false, err
	}
	defer o.Close() //nolint:errcheck // nothing was written
	m := &matching{reading: o, o: mo, src: o}
	err = m.search()
	if err == nil && m.more && len(m.hits) == 0 {
		err = fmt.Errorf("a match needs %d bytes with its window: --limit is %v", m.used, format.Size(m.limit))
	}
	if err == nil {
		err = m.print()
	}
	return len(m.hits) > 0, err
}

// search looks through the stream.
func (m *matching) search() error {
	line, fresh := int64(1), true // fresh: the block begins a line
	err := eachBlock(m.src, 0, m.size, overlap, func(at int64, b []byte) bool {
		m.block(at, b, line, fresh)
		line += int64(bytes.Count(b, []byte("\n")))
		fresh = endsLine(b)
		return !m.more && m.err == nil
	})
	if err == nil {
		err = m.err
	}
	return err
}

// block looks through one block.
func (m *matching) block(at int64, b []byte, line int64, fresh bool) {
	counted := 0
	for p := 0; p < len(b) && !m.more && m.err == nil; {
		i := m.o.Pattern.FindIndex(b[p:])
		if i == nil || p+i[0] >= len(b) {
			return
		}
		l := wholeLine(b, p+i[0])
		line += int64(bytes.Count(b[counted:l.from], []byte("\n")))
		counted = l.from
		goesOn := l.to == len(b) && at+int64(len(b)) < m.size // the line goes on in the next block
		// By itself: what is found in a block may reach into the next line.
		for _, hit := range m.o.Pattern.FindAllIndex(b[l.from:l.to], -1) {
			from, to := l.from+hit[0], l.from+hit[1]
			if from == 0 && !fresh || to == len(b) && goesOn && to-from < overlap {
				continue // at the seam of two pieces: the other one sees it whole
			}
			m.add(at+int64(from), int64(to-from), line)
			if m.more {
				return
			}
		}
		p = l.to + 1
	}
}

// wholeLine returns the line of b around position i, without its newline.
func wholeLine(b []byte, i int) extent {
	l := extent{from: bytes.LastIndexByte(b[:i], '\n') + 1, to: len(b)}
	if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
		l.to = i + n
	}
	return l
}

// add takes a hit, unless it is in the last one's window already.
func (m *matching) add(at, length, line int64) {
	if at < m.past {
		return
	}
	if len(m.hits) == m.o.Max {
		m.more = true
		return
	}
	from := max(at-windowSide, 0)
	to := min(at+min(length+windowSide, windowMost), m.size)
	b := make([]byte, to-from)
	if n, err := m.src.ReadAt(b, from); n < len(b) {
		m.err = err
		return
	}
	inside := int(at - from)
	if i := bytes.LastIndexByte(b[:inside], '\n'); i >= 0 {
		b, from, inside = b[i+1:], from+int64(i)+1, inside-i-1
	}
	if i := bytes.IndexByte(b[inside:], '\n'); i >= 0 {
		b = b[:inside+i]
	}
	text := wholeStart(b)
	h := Hit{Offset: at, Length: length, Line: line, Start: from + int64(len(b)-len(text)), Text: string(toText(wholeEnd(text)).b)}
	m.used += int64(len(h.header(h.Text)) + len(h.Text) + 1)
	if m.used > m.limit {
		m.more = true
		return
	}
	m.past = from + int64(len(b))
	m.hits = append(m.hits, h)
}

// header stands before a hit's window, with its exact length.
func (h Hit) header(text string) string {
	return fmt.Sprintf("[spool: line %d, bytes %d-%d match; %d bytes from %d follow]\n", h.Line, h.Offset, h.Offset+h.Length, len(text), h.Start)
}

// print puts out all hits.
func (m *matching) print() error {
	if m.out.JSON {
		answer := struct {
			Source
			Stream  string       `json:"stream"`
			Pattern string       `json:"pattern"`
			Matches []Hit        `json:"matches"`
			More    bool         `json:"more"`
			Missing format.Count `json:"missing_bytes"`
		}{m.facts.source(m.name), m.name, PatternText(m.o.Pattern), append([]Hit{}, m.hits...), m.more, m.missing(m.facts)}
		return m.out.object(answer)
	}
	var out []byte
	for _, h := range m.hits {
		text := string(screen{terminal: m.out.Terminal}.show([]byte(h.Text)))
		out = append(out, h.header(text)+text+"\n"...)
	}
	if _, err := m.out.W.Write(out); err != nil {
		return err
	}
	switch n, known := m.missing(m.facts).Value(); {
	case m.more:
		m.out.Note(fmt.Sprintf("stopped after %d matches: there are more behind byte %d", len(m.hits), m.past))
	case len(m.hits) == 0:
		m.out.Note("no match: " + m.end())
	case known && n > 0:
		m.out.Note(m.end())
	}
	return nil
}
