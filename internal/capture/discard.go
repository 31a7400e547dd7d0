package capture

import (
	"context"
	"errors"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// removeAll removes the capture's files and its directory, which has the given
// name. What vanishes meanwhile is no error; what spool did not make stays, and
// with it the directory.
func (c *Capture) removeAll(name string) error {
	entries, err := c.dir.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch {
		case e.Name == cursorsDir && e.IsDir():
			err = errors.Join(err, c.removeCursors())
		case e.Name != lockFile && isOurs(e.Name): // the lock goes last: a collector asks it
			err = errors.Join(err, gone(c.dir.Remove(e.Name)))
		}
	}
	if err != nil {
		return err
	}
	if err := gone(c.dir.Remove(lockFile)); err != nil {
		return err
	}
	return gone(c.ns.dir.RemoveDir(name))
}

func (c *Capture) removeCursors() error {
	dir, err := c.dir.OpenDir(cursorsDir)
	if err != nil {
		return gone(err)
	}
	names, err := dir.Names()
	for _, name := range names {
		err = errors.Join(err, gone(dir.Remove(name)))
	}
	if err = errors.Join(err, dir.Close()); err != nil {
		return err
	}
	return gone(c.dir.RemoveDir(cursorsDir))
}

// gone takes an error away that says that there is nothing to remove.
func gone(err error) error {
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return nil
	}
	return err
}

// isOurs tells whether a name in a capture is one that spool makes.
func isOurs(name string) bool {
	kind, _ := KindInCapture(name)
	return kind != NameUnknown || fsafe.IsTemp(name)
}

// Discard removes the capture as if it had never been, and gives back what it
// holds of the allowance. The caller holds the liveness lock, shared or alone,
// and knows that nobody else works on the capture. What spool did not make is
// left, in a directory that no reference finds; then the error is of kind exist.
func (c *Capture) Discard(ctx context.Context) error {
	if err := c.hide(ctx); err != nil {
		return err
	}
	return c.removeAll(DeletedName(c.id))
}

// hide makes the capture one that is being removed, with the allowance exact
// at every step.
func (c *Capture) hide(ctx context.Context) error {
	name := DeletedName(c.id)
	held, err := c.Held()
	if err != nil {
		return err
	}
	final, err := c.published()
	if err != nil {
		return err
	}
	return c.ns.withAllowance(ctx, func(a *allowance) error {
		// D1. Out of the sum of final captures and into a record that is
		// counted anew by whoever needs room, should we die here.
		if final {
			a.final = max(a.final-held, 0)
		}
		a.records[c.id] = record{bytes: held, writers: 1}
		if err := a.write(); err != nil {
			return err
		}
		// D2. Out of sight.
		if err := c.ns.dir.Rename(string(c.id), name); err != nil {
			return err
		}
		// D3. Out of the allowance. D4, the removal, may take its time.
		delete(a.records, c.id)
		return a.write()
	})
}

// FinishDiscard removes what is left of a capture whose removal was begun.
// Several may do so at once.
func (n *Namespace) FinishDiscard(id format.ID) error {
	return n.clear(id, DeletedName(id))
}

// FinishPending removes a capture whose beginning was cut off:
// [fsafe.ErrLocked] if it was not.
func (n *Namespace) FinishPending(id format.ID) error {
	return n.clear(id, PendingName(id))
}

// clear removes a capture that stands under a temporary name.
func (n *Namespace) clear(id format.ID, name string) error {
	dir, err := n.dir.OpenDir(name)
	if err != nil {
		return gone(err)
	}
	c := &Capture{ns: n, id: id, dir: dir}
	err = c.Seize()
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		err = nil // not locked yet, or not any more
	}
	if err == nil {
		err = c.removeAll(name)
	}
	return errors.Join(err, c.Close())
}
