package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// DefaultGrace is how long nothing may have changed in a capture before it
// counts as abandoned.
const DefaultGrace = 60 * time.Second

// leastAge is how old a temporary has to be at least where no lock tells whether
// its maker is alive: one that claims a capture or makes a cursor holds none.
const leastAge = 10 * time.Second

// Options of a sweep.
type Options struct {
	Grace  time.Duration    // 0: none
	DryRun bool             // change nothing, only tell
	Tool   format.Tool      // the publisher
	Now    func() time.Time // nil: time.Now
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// An Action is what was done with something, or under DryRun would be.
type Action string

// The actions.
const (
	Published Action = "published" // a capture that a crash left, as partial or failed
	Removed   Action = "removed"   // what was of a moment only
	Deleted   Action = "deleted"   // a capture, as was asked for
	Left      Action = "left"      // not ours, not understood, or alive
)

// An Item is one thing that was met, and what was done with it.
type Item struct {
	Action Action `json:"action"`
	Name   string `json:"name"` // ID, ID/NAME or NAME; a name that is not ours is quoted
	Note   string `json:"note"` // why, or the state that was published; may be empty
}

// Report is what a sweep did. Everything else was in order.
type Report struct {
	DryRun bool   `json:"dry_run"`
	Items  []Item `json:"items"` // never nil
	Live   int    `json:"live"`  // captures that somebody is at work on
	Young  int    `json:"young"` // captures and temporaries within the grace period
	Bytes  int64  `json:"bytes"` // freed by deleting
}

// UndependableError says that nothing can be reclaimed on a filesystem, because
// a lock on it says nothing about who is alive.
type UndependableError struct{ Filesystem string }

// Error names the filesystem.
func (e *UndependableError) Error() string {
	return fmt.Sprintf("nothing is reclaimed: locks on %s cannot be depended on, so that a capture that is cared for may look abandoned", e.Filesystem)
}

// sweeper is one sweep.
type sweeper struct {
	ns     *capture.Namespace
	o      Options
	report Report
	final  map[format.ID]int64 // bytes that each final capture holds
	err    error               // what could not be done; the sweep goes on
}

func newSweeper(ns *capture.Namespace, o Options) *sweeper {
	return &sweeper{ns: ns, o: o, report: Report{DryRun: o.DryRun, Items: []Item{}}, final: map[format.ID]int64{}}
}

// Sweep clears up the namespace: captures that a crash left get their receipts,
// abandoned temporaries and half-done deletions go, the allowance is counted
// anew. An error tells all that could not be done; the rest was done
// nevertheless, and the report tells it.
func Sweep(ctx context.Context, ns *capture.Namespace, o Options) (*Report, error) {
	s := newSweeper(ns, o)
	if err := s.dependable(); err != nil {
		return &s.report, err
	}
	names, err := ns.Root().Names()
	if err != nil {
		return &s.report, err
	}
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		s.fail(name, s.entry(ctx, name))
	}
	if !o.DryRun && ctx.Err() == nil {
		s.fail("allowance", ns.Recount(ctx, s.final))
	}
	return &s.report, errors.Join(s.err, ctx.Err())
}

// dependable tells whether the filesystem's locks can be depended on.
func (s *sweeper) dependable() error {
	name, ok, err := s.ns.Root().Locality()
	if err == nil && !ok {
		err = &UndependableError{name}
	}
	return err
}

// entry deals with one name in the namespace.
func (s *sweeper) entry(ctx context.Context, name string) error {
	kind, id := capture.KindInNamespace(name)
	switch {
	case fsafe.IsTemp(name):
		return s.temporary(s.ns.Root(), name, name)
	case kind == capture.NameUnknown:
		s.left(strconv.Quote(name), "is nothing that spool makes")
		return nil
	case kind == capture.NameCapture:
		return s.capture(ctx, id)
	case kind == capture.NamePending:
		return s.pending(id, name)
	case kind == capture.NameDeleted:
		return s.clear(name, func() error { return s.ns.FinishDiscard(id) })
	}
	return nil
}

// pending removes a capture whose beginning was cut off.
func (s *sweeper) pending(id format.ID, name string) error {
	dir, err := s.ns.Root().OpenDir(name)
	if err != nil {
		return s.foreign(strconv.Quote(name), err)
	}
	young, err := s.young(dir, name)
	if err = errors.Join(err, dir.Close()); err != nil || young {
		return err
	}
	return s.clear(name, func() error { return s.ns.FinishPending(id) })
}

// clear removes something by do.
func (s *sweeper) clear(name string, do func() error) error {
	if s.o.DryRun {
		s.add(Removed, name, "")
		return nil
	}
	err := do()
	switch {
	case errors.Is(err, fsafe.ErrLocked):
		s.report.Live++ // someone begins it, or removes it
		return nil
	case fsafe.KindOf(err) == fsafe.KindExist:
		s.left(strconv.Quote(name), "holds something that spool did not make")
		return nil
	case err != nil:
		return s.foreign(strconv.Quote(name), err)
	}
	s.add(Removed, name, "")
	return nil
}

// temporary removes a file that someone made to publish it, and did not live to.
func (s *sweeper) temporary(dir *fsafe.Dir, name, shown string) error {
	e, err := dir.Stat(name)
	if err != nil {
		return gone(err)
	}
	if s.o.now().Sub(e.ModTime) < max(s.o.Grace, leastAge) {
		s.report.Young++
		return nil
	}
	if err := e.Check(); err != nil || e.IsDir() {
		s.left(strconv.Quote(shown), "has the name of a temporary, but is none of ours")
		return nil
	}
	if s.o.DryRun {
		s.add(Removed, shown, "")
		return nil
	}
	if err := dir.Remove(name); err != nil {
		return gone(err)
	}
	s.add(Removed, shown, "")
	return nil
}

// young tells whether anything in the directory, which has the given name in
// the namespace, has changed within the grace period.
func (s *sweeper) young(dir *fsafe.Dir, name string) (bool, error) {
	if s.o.Grace == 0 {
		return false, nil
	}
	self, err := s.ns.Root().Stat(name)
	if err != nil {
		return false, gone(err)
	}
	last := self.ModTime
	for e, err := range dir.All() {
		if err != nil {
			return false, err
		}
		if e.ModTime.After(last) {
			last = e.ModTime
		}
	}
	if s.o.now().Sub(last) < s.o.Grace {
		s.report.Young++
		return true, nil
	}
	return false, nil
}

func (s *sweeper) add(a Action, name, note string) {
	s.report.Items = append(s.report.Items, Item{Action: a, Name: name, Note: note})
}

func (s *sweeper) left(name, why string) { s.add(Left, name, why) }

// foreign takes an error that says that something is not ours for what it is,
// and leaves it.
func (s *sweeper) foreign(name string, err error) error {
	switch fsafe.KindOf(err) {
	case fsafe.KindNotExist:
		return nil // gone meanwhile
	case fsafe.KindLoop, fsafe.KindNotDir, fsafe.KindNotRegular, fsafe.KindForeign, fsafe.KindNotPrivate, fsafe.KindPermission:
		why := err
		if of, ok := errors.AsType[*fsafe.Error](err); ok {
			why = of.Err
		}
		s.left(name, why.Error())
		return nil
	}
	return err
}

// fail notes what could not be done about name.
func (s *sweeper) fail(name string, err error) {
	if err != nil {
		s.err = errors.Join(s.err, fmt.Errorf("%s: %w", name, err))
	}
}

// gone takes an error away that says that there is nothing.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
