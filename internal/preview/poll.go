package preview

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// How a stream is followed.
const (
	pollWait    = 50 * time.Millisecond
	orphanGrace = 60 * time.Second // as long as spool-gc waits before it calls a capture an orphan
)

// ParseCursor reads a cursor G:N: generation and offset. An error is one of
// usage.
func ParseCursor(s string) (capture.Position, error) {
	g, n, ok := strings.Cut(s, ":")
	generation, err1 := strconv.ParseUint(g, 10, 63)
	offset, err2 := strconv.ParseUint(n, 10, 63)
	if !ok || err1 != nil || err2 != nil || generation == 0 {
		return capture.Position{}, fmt.Errorf("cursor %q: want GENERATION:OFFSET, like 1:0", clip(s))
	}
	return capture.Position{Generation: int64(generation), Offset: int64(offset)}, nil
}

// clip shortens what a message repeats.
func clip(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	return string(wholeEnd([]byte(s[:most]))) + "…"
}

// cursorText is what ParseCursor reads.
func cursorText(p capture.Position) string {
	return strconv.FormatInt(p.Generation, 10) + ":" + strconv.FormatInt(p.Offset, 10)
}

// PollOptions are those of [Poll]. A position comes from From, else from the
// consumer's cursor, else it is the beginning.
type PollOptions struct {
	From     format.Opt[capture.Position]
	Consumer string // whose cursor moves; "" for none
	Follow   bool
	Limit    int64 // bytes at a time; 0 is [DefaultLimit]
	Output
}

// Poll prints what is new in a stream since a position, and tells the next one.
// A consumer's cursor is locked while it is used, and moves only once the bytes
// were taken. Followed, a stream is read until it is final.
func Poll(ctx context.Context, c *capture.Capture, stream string, po PollOptions) error {
	o, err := openFor(c, stream, limitOf(po.Limit, po.Output), po.Output)
	if err != nil {
		return err
	}
	defer o.Close() //nolint:errcheck // nothing was written
	p := poll{reading: o, o: po, at: po.From}
	if _, ok := p.at.Get(); !ok && po.Consumer == "" {
		p.at = format.Some(capture.Position{Generation: o.facts.receipt.Generation})
	}
	if !po.Follow {
		_, err := p.once(ctx)
		return err
	}
	return p.follow(ctx)
}

type poll struct {
	*reading
	o    PollOptions
	at   format.Opt[capture.Position] // none: the consumer's
	told bool                         // an answer was given
}

// once answers with what is there. n is how much was new.
func (p *poll) once(ctx context.Context) (n int64, err error) {
	at, explicit := p.at.Get()
	var cursor *capture.Cursor
	if p.o.Consumer != "" {
		if cursor, err = p.capture.Cursor(ctx, p.o.Consumer); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, cursor.Close()) }()
		if !explicit {
			var moved bool
			if at, moved = cursor.Position(p.name); !moved {
				at = capture.Position{Generation: p.facts.receipt.Generation}
			}
		}
	}
	if err := p.checkPosition(at); err != nil {
		return 0, err
	}
	next, err := p.answer(at)
	if err != nil || next == at && cursor == nil {
		return 0, err
	}
	if cursor != nil && (explicit || next != at) {
		err = cursor.Move(p.name, next)
	}
	if explicit || cursor == nil {
		p.at = format.Some(next)
	}
	return next.Offset - at.Offset, err
}

func (p *poll) checkPosition(at capture.Position) error {
	switch g := p.facts.receipt.Generation; {
	case at.Generation != g:
		return p.located(fmt.Errorf("cursor %s is of another generation: the capture's is %d; begin anew with --from %d:0", cursorText(at), g, g))
	case at.Offset > p.size:
		return p.located(fmt.Errorf("cursor %s is beyond the end: %s", cursorText(at), p.end()))
	}
	return nil
}

// answer prints what is new, and the next cursor.
func (p *poll) answer(at capture.Position) (next capture.Position, err error) {
	_, to, err := p.whole(at.Offset, at.Offset+min(p.limit, p.size-at.Offset))
	if err != nil {
		return at, err
	}
	next = capture.Position{Generation: at.Generation, Offset: to}
	if to == at.Offset && p.told && !p.facts.final {
		return next, nil // followed, and nothing new
	}
	piece := p.piece(at.Offset, to)
	piece.Next = format.Some(cursorText(next))
	if p.out.JSON || to > at.Offset {
		if err := p.print(piece); err != nil {
			return at, err
		}
	}
	p.told = true
	if p.out.JSON {
		return next, nil
	}
	if !p.o.Follow || p.ended(next) {
		p.out.Note("cursor " + cursorText(next))
		p.tellRest(next)
	}
	return next, nil
}

// ended tells whether nothing more will come behind position at.
func (p *poll) ended(at capture.Position) bool { return p.facts.final && at.Offset == p.size }

// tellRest tells what lies behind a position.
func (p *poll) tellRest(at capture.Position) {
	n, known := p.missing(p.facts).Value()
	switch {
	case at.Offset < p.size:
		p.out.Note(fmt.Sprintf("%d more bytes are there: poll again", p.size-at.Offset))
	case p.facts.final && (!known && p.facts.receipt.Capture.State != format.CaptureComplete || n > 0):
		p.out.Note(p.end())
	}
}

// follow answers again and again until the stream is final and all was read.
func (p *poll) follow(ctx context.Context) error {
	cared := time.Now()
	for {
		// In this order: what is final when it is looked at has its full length
		// by then.
		f, err := factsOf(p.capture)
		if err == nil {
			p.facts = f
			err = p.grow()
		}
		if err == nil {
			err = p.check(f)
		}
		if err != nil {
			return err
		}
		p.savedTail()
		n, err := p.once(ctx)
		if err != nil {
			return err
		}
		switch {
		case n > 0 || f.live:
			cared = time.Now()
		case f.final:
			return nil
		case time.Since(cared) > orphanGrace:
			return p.located(errors.New("nobody cares for the capture any more, and it is not final; spool-gc makes it so"))
		}
		if n > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollWait):
		}
	}
}
