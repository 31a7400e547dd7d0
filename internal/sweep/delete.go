package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// ErrLive says that a capture may not be deleted, because somebody is, or may
// be, at work on it.
var ErrLive = errors.New("is not final, and may be cared for")

// Delete removes the captures with these IDs. One that is live is not touched:
// [ErrLive]. An error tells all that were not deleted.
func Delete(ctx context.Context, ns *capture.Namespace, ids []format.ID, o Options) (*Report, error) {
	s := newSweeper(ns, o)
	for _, id := range ids {
		s.fail("capture "+string(id), s.delete(ctx, id))
	}
	return &s.report, errors.Join(s.err, ctx.Err())
}

// delete removes one capture.
func (s *sweeper) delete(ctx context.Context, id format.ID) (err error) {
	c, err := s.ns.Open(id)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := s.deletable(c); err != nil {
		return err
	}
	free, err := s.seize(c)
	if err != nil {
		return err
	}
	if !free {
		return ErrLive
	}
	if err := s.deletable(c); err != nil {
		return err
	}
	held, err := held(c)
	if err != nil {
		return err
	}
	if !s.o.DryRun {
		if err := c.Discard(ctx); err != nil {
			if fsafe.KindOf(err) == fsafe.KindExist {
				err = fmt.Errorf("it holds something that spool did not make, which is left in %q", capture.DeletedName(id))
			}
			return err
		}
	}
	s.report.Bytes += held
	s.add(Deleted, string(id), fmt.Sprintf("%d bytes", held))
	return nil
}

// deletable tells whether the capture is final, or has been abandoned: by the
// lock, which is the caller's to take, and by the grace period. Where locks
// cannot be depended on, only a receipt tells.
func (s *sweeper) deletable(c *capture.Capture) error {
	_, err := c.Root().Stat("receipt.json")
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.dependable() != nil {
		return ErrLive
	}
	young, err := s.young(c.Root(), string(c.ID()))
	if err == nil && young {
		err = ErrLive
	}
	return err
}

// held returns how many bytes of streams the capture's files hold.
func held(c *capture.Capture) (sum int64, err error) {
	for e, err := range c.Root().All() {
		if err != nil {
			return 0, err
		}
		if kind, _ := capture.KindInCapture(e.Name); kind == capture.NameStream || kind == capture.NameLive {
			sum += e.Size
		}
	}
	return sum, nil
}

// PruneOptions say which final captures go. Those of either rule do.
type PruneOptions struct {
	OlderThan  format.Opt[time.Duration] // published longer ago than this
	MaxTotal   format.Opt[format.Size]   // the oldest go until all captures together hold at most this much
	KeepFailed bool                      // not those whose command was not seen to succeed
}

// Prune removes final captures, the oldest first. It never touches one that is
// not final.
func Prune(ctx context.Context, ns *capture.Namespace, p PruneOptions, o Options) (*Report, error) {
	s := newSweeper(ns, o)
	ids, err := ns.IDs()
	if err != nil {
		return &s.report, err
	}
	list, total := make([]candidate, 0, len(ids)), int64(0)
	for _, id := range ids {
		one, err := s.consider(id, p)
		s.fail("capture "+string(id), err)
		list = append(list, one)
		total += one.held
	}
	for _, one := range list {
		if ctx.Err() != nil {
			break
		}
		most, bounded := p.MaxTotal.Get()
		if !one.may || !one.old && (!bounded || total <= int64(most)) {
			continue
		}
		err := s.delete(ctx, one.id)
		if err == nil {
			total -= one.held
		}
		if !errors.Is(err, capture.ErrNotFound) && !errors.Is(err, ErrLive) {
			s.fail("capture "+string(one.id), err)
		}
	}
	return &s.report, errors.Join(s.err, ctx.Err())
}

// candidate is a capture that may go.
type candidate struct {
	id   format.ID
	held int64
	may  bool // final, and nothing says that it is to be kept
	old  bool // older than the rule has it
}

// consider judges one capture. What cannot be judged stays.
func (s *sweeper) consider(id format.ID, p PruneOptions) (one candidate, err error) {
	one.id = id
	c, err := s.ns.Open(id)
	if errors.Is(err, capture.ErrNotFound) {
		return one, nil
	}
	if err != nil {
		return one, s.foreign(string(id), err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if one.held, err = held(c); err != nil {
		return one, err
	}
	r, err := c.Receipt()
	if errors.Is(err, fs.ErrNotExist) {
		s.report.Live++
		return one, nil
	}
	if err != nil {
		return one, err
	}
	one.may = !p.KeepFailed || r.Process.Succeeded()
	age, ruled := p.OlderThan.Get()
	one.old = ruled && r.PublishedAt.IsKnown() && s.o.now().Sub(r.PublishedAt.Time()) > age
	return one, nil
}
