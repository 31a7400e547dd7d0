package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// Capture is one capture's directory. Its methods may be used by several
// goroutines at once, but for those that take and release the liveness lock.
type Capture struct {
	ns     *Namespace
	ownsNS bool // Close closes ns, too
	id     format.ID
	dir    *fsafe.Dir
	lock   *fsafe.Lock // nil: none is held
}

// OpenPath opens the capture at the path dir, without a lock: its parent must be
// a namespace and its last part an ID.
func OpenPath(dir string) (*Capture, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("capture %q: %w", dir, err)
	}
	id, err := format.ParseID(filepath.Base(abs))
	if err != nil {
		return nil, fmt.Errorf("capture %q: want NAMESPACE/ID: %w", dir, err)
	}
	ns, err := OpenNamespace(filepath.Dir(abs))
	if err != nil {
		return nil, err
	}
	c, err := ns.Open(id)
	if err != nil {
		return nil, errors.Join(err, ns.Close())
	}
	c.ownsNS = true
	return c, nil
}

// ID returns the capture's identity.
func (c *Capture) ID() format.ID { return c.id }

// Ref returns the reference to the capture, or to a stream if one is named.
func (c *Capture) Ref(stream string) string { return format.Ref{ID: c.id, Stream: stream}.String() }

// Path returns the capture's path: that of its namespace, and the ID.
func (c *Capture) Path() string { return filepath.Join(c.ns.Path(), string(c.id)) }

// Namespace returns the namespace that the capture was opened from.
func (c *Capture) Namespace() *Namespace { return c.ns }

// Root returns the held directory, for a collector that looks at names.
func (c *Capture) Root() *fsafe.Dir { return c.dir }

// Close lets go of the capture, and of its liveness lock if it is held; a child
// that has inherited the lock keeps it.
func (c *Capture) Close() error {
	err := errors.Join(c.Release(), c.dir.Close())
	if c.ownsNS {
		err = errors.Join(err, c.ns.Close())
	}
	return err
}

// Hold takes the liveness lock shared: from now on the capture is cared for. A
// collector that is looking is waited for, to the end of ctx and at most four
// seconds ([ErrLockStalled]). [ErrPublished] if the capture is final; then no
// lock is held.
func (c *Capture) Hold(ctx context.Context) error {
	if c.lock != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, err := c.dir.Lock(ctx, lockFile, fsafe.LockShared, false)
	if err != nil {
		return stalled(err)
	}
	c.lock = l
	if err := c.checkUnpublished(); err != nil {
		return errors.Join(err, c.Release())
	}
	return nil
}

// Seize takes the liveness lock alone, at once: [fsafe.ErrLocked] if someone
// cares for the capture. It is for collectors; whoever it meets waits.
func (c *Capture) Seize() error {
	if c.lock != nil {
		panic("capture: seize with a lock held")
	}
	l, err := c.dir.TryLock(lockFile, fsafe.LockExclusive, false)
	c.lock = l
	return err
}

// Release lets go of the liveness lock, if it is held.
func (c *Capture) Release() error {
	if c.lock == nil {
		return nil
	}
	l := c.lock
	c.lock = nil
	return l.Unlock()
}

// Live tells whether anyone holds the liveness lock: this process does, or
// another does at this moment. Where nobody does, the lock is taken alone for
// an instant.
func (c *Capture) Live() (bool, error) {
	if c.lock != nil {
		return true, nil
	}
	l, err := c.dir.TryLock(lockFile, fsafe.LockExclusive, false)
	switch {
	case errors.Is(err, fsafe.ErrLocked):
		return true, nil
	case fsafe.KindOf(err) == fsafe.KindNotExist:
		return false, nil
	case err != nil:
		return false, err
	}
	return false, l.Unlock()
}

// LockFile returns the descriptor of the liveness lock, for children to inherit,
// or nil if none is held. It must not be closed.
func (c *Capture) LockFile() *os.File {
	if c.lock == nil {
		return nil
	}
	return c.lock.File()
}

// Sync makes the names in the capture and its own name durable.
func (c *Capture) Sync() error { return errors.Join(c.dir.Sync(), c.ns.dir.Sync()) }

// published tells whether the receipt is there.
func (c *Capture) published() (bool, error) {
	return c.has(receiptFile)
}

// has tells whether something has that name in the capture.
func (c *Capture) has(name string) (bool, error) {
	_, err := c.dir.Stat(name)
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return false, nil
	}
	return err == nil, err
}

func (c *Capture) checkUnpublished() error {
	there, err := c.published()
	if err == nil && there {
		err = fmt.Errorf("capture %s: %w", c.id, ErrPublished)
	}
	return err
}
