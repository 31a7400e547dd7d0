package preview

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Passage passes a stream on to a terminal as it comes, with nothing in it that
// steers one, as [ForTerminal]. Only that what comes cannot be taken back: a
// line that is drawn again is shown in each of its states, one below the other.
type Passage struct {
	to     io.Writer
	torn   []byte // the beginning of a sequence; len < UTFMax
	redraw bool   // behind a carriage return: the next character begins a line
}

// NewPassage returns a Passage to a terminal.
func NewPassage(to io.Writer) *Passage { return &Passage{to: to} }

// Write shows the next bytes of the stream, but for a sequence that is not whole
// yet. Its error is that of the terminal.
func (p *Passage) Write(b []byte) (int, error) {
	all := append(p.torn, b...)
	whole := wholeEnd(all)
	p.torn = bytes.Clone(all[len(whole):])
	return len(b), p.show(whole)
}

// Close shows what was held. The terminal is left at the beginning of a line if
// the stream left it so.
func (p *Passage) Close() error {
	rest := p.torn
	if p.redraw {
		rest = append(rest, '\n')
	}
	p.torn = nil
	return p.show(rest)
}

func (p *Passage) show(b []byte) error {
	lines := make([]byte, 0, len(b)+utf8.UTFMax)
	for _, c := range b {
		if p.redraw && c != '\r' && c != '\n' {
			lines = append(lines, '\n')
		}
		if p.redraw = c == '\r'; !p.redraw {
			lines = append(lines, c)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	_, err := p.to.Write(screen{terminal: true}.show(toText(lines).b))
	return err
}
