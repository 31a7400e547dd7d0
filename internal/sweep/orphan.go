package sweep

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// capture deals with one capture.
func (s *sweeper) capture(ctx context.Context, id format.ID) (err error) {
	c, err := s.ns.Open(id)
	if errors.Is(err, capture.ErrNotFound) {
		return nil // gone meanwhile
	}
	if err != nil {
		return s.foreign(string(id), err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	names, err := c.Root().Names()
	if err != nil {
		return err
	}
	s.strays(c, names)
	if slices.Contains(names, "receipt.json") {
		return s.remains(c, names)
	}
	return s.orphan(ctx, c)
}

// orphan publishes a receipt for a capture that has none, if nobody is at work
// on it.
func (s *sweeper) orphan(ctx context.Context, c *capture.Capture) error {
	begin, err := c.Begin()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // damaged: what it was nobody can tell
	}
	waived := err == nil && capture.OfPastBoot(begin)
	// Twice: before the lock is taken, so that nobody has to wait for us in
	// vain, and with it, when nothing changes any more.
	if young, err := s.within(c, waived); young || err != nil {
		return err
	}
	if free, err := s.seize(c); !free || err != nil {
		return err
	}
	if young, err := s.within(c, waived); young || err != nil {
		return err
	}
	if names, err := c.Root().Names(); err == nil && slices.Contains(names, "receipt.json") {
		return s.remains(c, names) // published while we looked
	}
	if begin == nil {
		return s.stillborn(ctx, c)
	}
	return s.publish(ctx, c, begin)
}

func (s *sweeper) within(c *capture.Capture, waived bool) (bool, error) {
	if waived {
		return false, nil
	}
	return s.young(c.Root(), string(c.ID()))
}

// seize takes the liveness lock alone, unless it has it. Where somebody else
// holds it the capture is live, not free, and that is no error.
func (s *sweeper) seize(c *capture.Capture) (free bool, err error) {
	if c.LockFile() != nil {
		return true, nil
	}
	err = c.Seize()
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		if s.o.DryRun {
			return true, nil
		}
		// No lock to hold: nobody does, and nobody can come to.
		if err = c.Root().Publish("lock", nil, false); err == nil || errors.Is(err, fs.ErrExist) {
			err = c.Seize()
		}
	}
	if errors.Is(err, fsafe.ErrLocked) {
		s.report.Live++
		return false, nil
	}
	return err == nil, err
}

// stillborn removes what died before it was a capture: nothing was begun, so
// nothing is lost. Bytes without launch facts are left to people.
func (s *sweeper) stillborn(ctx context.Context, c *capture.Capture) error {
	for e, err := range c.Root().All() {
		if err != nil {
			return err
		}
		kind, _ := capture.KindInCapture(e.Name)
		if (kind == capture.NameStream || kind == capture.NameLive) && e.Size > 0 {
			s.left(c.Ref(""), "holds a stream, but no launch facts")
			return nil
		}
	}
	return s.clear(string(c.ID()), func() error { return c.Discard(ctx) })
}

// publish is the one place that knows how an abandoned capture becomes final.
// The lock is held alone.
func (s *sweeper) publish(ctx context.Context, c *capture.Capture, begin *format.Begin) error {
	if !s.o.DryRun {
		// G1. What a dead writer left gets its final name.
		err := account.Settle(c, begin.Streams, true)
		if errors.Is(err, account.ErrWriting) {
			s.report.Live++ // a writer without the liveness lock is a writer
			return nil
		}
		if err != nil {
			return err
		}
	}
	// G2. The account, with nothing in it that no file tells, G3. published.
	f, err := account.Gather(c, true)
	if err != nil {
		return err
	}
	r := account.Fold(f, account.Options{Now: s.o.now(), Tool: s.o.Tool, Crashed: true})
	if !s.o.DryRun {
		err = c.Publish(ctx, r, true)
		if errors.Is(err, capture.ErrPublished) {
			return nil
		}
		if _, missing := c.Receipt(); missing != nil {
			return err
		}
	}
	s.add(Published, string(c.ID()), r.Capture.String())
	for _, fault := range f.Faults {
		s.left(c.Ref(""), "counted as missing: "+fault.Error())
	}
	// G4. Temporaries: whoever made one is dead.
	return errors.Join(err, s.temporaries(c, false))
}

// strays tells what lies in the capture that spool did not make.
func (s *sweeper) strays(c *capture.Capture, names []string) {
	for _, name := range names {
		if kind, _ := capture.KindInCapture(name); kind == capture.NameUnknown && !fsafe.IsTemp(name) {
			s.left(string(c.ID())+"/"+strconv.Quote(name), "is nothing that spool makes")
		}
	}
}
