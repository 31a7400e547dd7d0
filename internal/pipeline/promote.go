package pipeline

import (
	"context"
	"fmt"
	"strings"

	"spool/internal/preview"
	"spool/internal/receipt"
	"spool/pkg/format"
)

// attach lets the client of a detached supervisor speak, and sees to it that
// it is let go in time.
func (r *run) attach() {
	if r.client.channel == nil {
		return
	}
	r.listenTo(r.client.channel)
	switch {
	case r.failure != nil: // the end is near
	case r.o.Background:
		r.promote()
	default:
		r.alarms.in(r.o.PromoteAfter, r.promote)
	}
}

// promote lets the client go while the command runs on in the same capture.
// Without one there is nothing to be given a reference to: it waits for the
// end.
func (r *run) promote() {
	r.kids.reap()
	over := !r.cmd.alive() && !r.o.Background // the end is what it waits for, and near
	if r.store.capture == nil || r.client.channel == nil || over {
		return
	}
	r.given = true
	r.settle()
	r.client.tell(message{Promoted: r.interim()})
	r.client.leave()
}

// settle gives every stream that is open its stages: from here on the death of
// this process does no harm.
func (r *run) settle() {
	r.settled, r.flowing = true, true
	r.look()
}

// interim is the result while the command runs.
func (r *run) interim() *Result {
	c := r.store.capture
	res := &Result{Ref: string(c.ID()), Path: c.Path(), Cursors: map[string]string{}}
	var err error
	if res.Receipt, err = receipt.Show(context.Background(), c); err != nil {
		res.Notes = append(res.Notes, err.Error())
	} else if !res.Receipt.StartedAt.IsKnown() {
		res.Receipt.StartedAt = format.At(r.cmd.started)
	}
	if r.o.Background {
		return res
	}
	res.Code = ExitPromoted
	var parts []preview.Part
	var cursors []string
	for _, s := range r.streams {
		head, tail := r.windowSize()
		part, err := preview.SoFar(c, s.name, head, tail)
		if err != nil {
			res.Notes = append(res.Notes, err.Error())
		}
		parts = append(parts, part)
		res.Cursors[s.name] = fmt.Sprintf("1:%d", part.Total)
		cursors = append(cursors, s.name+" "+res.Cursors[s.name])
	}
	res.Shown = preview.Render(r.o.Budget, false, parts).Streams
	res.Summary = strings.Join([]string{"running", strings.Join(cursors, " "), res.Ref}, ", ")
	return res
}
