package capture

import (
	"context"
	"errors"
	"fmt"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// withAllowance reads the allowance under the namespace's lock and calls do,
// which writes what it has changed. One that is missing, corrupted or of
// another boot is counted from the files first. The file is locked as well: a
// namespace's lock that is removed while it is held has two holders, and the
// second of them must wait here.
func (n *Namespace) withAllowance(ctx context.Context, do func(*allowance) error) (err error) {
	l, err := n.Lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Unlock()) }()
	held, err := n.lock(ctx, allowanceFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Unlock()) }()
	f := held.File()
	e, err := fsafe.StatFile(f)
	if err != nil {
		return err
	}
	a, err := readAllowance(f, e.Size)
	if errors.Is(err, ErrCorrupt) {
		a, err = n.count(nil, nil)
	}
	if err != nil {
		return err
	}
	a.file, a.size = f, e.Size
	return do(a)
}

// Taken returns how many bytes the allowance tells to be taken, for one who only
// looks: nothing is counted or written. Known is false where it tells nothing that
// can be trusted.
func (n *Namespace) Taken(ctx context.Context) (bytes int64, known bool, err error) {
	l, err := n.dir.Lock(ctx, lockFile, fsafe.LockExclusive, false)
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, stalled(err)
	}
	defer func() { err = errors.Join(err, l.Unlock()) }()
	f, err := n.dir.Open(allowanceFile)
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	e, err := fsafe.StatFile(f)
	if err != nil {
		return 0, false, err
	}
	a, err := readAllowance(f, e.Size)
	if errors.Is(err, ErrCorrupt) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	return a.total(), true, nil
}

// readAllowance reads the file: [ErrCorrupt] if what it holds cannot be trusted.
func readAllowance(f interface {
	ReadAt(p []byte, off int64) (int, error)
}, size int64,
) (*allowance, error) {
	if size > maxAllowance {
		return nil, fmt.Errorf("allowance: %d bytes: %w", size, ErrCorrupt)
	}
	data := make([]byte, size)
	if n, err := f.ReadAt(data, 0); int64(n) < size {
		return nil, fmt.Errorf("read allowance: %w", err)
	}
	a, err := parseAllowance(data)
	if err == nil && a.boot != bootID() {
		err = fmt.Errorf("allowance: of another boot: %w", ErrCorrupt)
	}
	return a, err
}

// count derives the allowance from the files of all captures. Records of
// captures that are alive are taken over from old, where there is one: their
// writers hold more than has reached the files. Final captures whose bytes are
// known need not be looked at.
func (n *Namespace) count(old *allowance, known map[format.ID]int64) (*allowance, error) {
	a := &allowance{boot: bootID(), records: map[format.ID]record{}, fresh: true}
	ids, err := n.IDs()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if held, ok := known[id]; ok {
			a.final = add(a.final, held)
			continue
		}
		held, final, alive, err := n.look(id)
		if err != nil {
			return nil, err
		}
		if final {
			a.final = add(a.final, held)
			continue
		}
		r := record{bytes: held}
		if alive > 0 {
			r = record{bytes: add(held, alive*maxOutstanding), writers: alive}
			if old != nil && old.records[id].writers > 0 {
				r = old.records[id]
			}
		}
		if r.bytes > 0 || r.writers > 0 {
			a.records[id] = r
		}
	}
	return a, nil
}

// look returns what a capture holds, whether it is final, and how many of its
// streams have a writer. What is no capture of ours holds nothing.
func (n *Namespace) look(id format.ID) (held int64, final bool, writers int64, err error) {
	c, err := n.Open(id)
	switch fsafe.KindOf(err) {
	case fsafe.KindNone:
	case fsafe.KindNoSpace, fsafe.KindQuota, fsafe.KindIO:
		return 0, false, 0, err
	default:
		return 0, false, 0, nil // gone meanwhile, a link, a file, someone else's
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if final, err = c.published(); err != nil {
		return 0, false, 0, err
	}
	if !final {
		for _, stream := range []string{format.Stdout, format.Stderr, format.Output} {
			if alive, err := c.WriterAlive(stream); err == nil && alive {
				writers++
			}
		}
	}
	held, err = c.Held()
	return held, final, writers, err
}

// recountDead counts the records anew whose captures nobody cares for, but for
// that of own. It looks at no record that has been given back in full.
func (n *Namespace) recountDead(a *allowance, own format.ID) error {
	for id, r := range a.records {
		if id == own || r.writers == 0 {
			continue
		}
		c, err := n.Open(id)
		if errors.Is(err, ErrNotFound) {
			delete(a.records, id)
			continue
		}
		if err != nil {
			return err
		}
		alive, err := c.Live()
		if err == nil && !alive {
			r.writers = 0
			r.bytes, err = c.Held()
			a.records[id] = r
		}
		if err = errors.Join(err, c.Close()); err != nil {
			return err
		}
	}
	return nil
}

// ensureAllowance counts the files where there is no allowance yet, before there
// are writers whose grants it could not know. An error is met again, and told,
// when something is reserved.
func (n *Namespace) ensureAllowance() {
	if _, err := n.dir.Stat(allowanceFile); fsafe.KindOf(err) == fsafe.KindNotExist {
		_ = n.withAllowance(context.Background(), func(a *allowance) error { return a.write() })
	}
}

// Recount derives the allowance from the files, whatever it was. final may have
// what final captures hold, as [Capture.Held] has it: what is final does not
// change, and the namespace's lock is held the shorter for it.
func (n *Namespace) Recount(ctx context.Context, final map[format.ID]int64) error {
	return n.withAllowance(ctx, func(a *allowance) error {
		old := a
		if a.fresh {
			old = nil
		}
		b, err := n.count(old, final)
		if err != nil {
			return err
		}
		b.file, b.size = a.file, a.size
		return b.write()
	})
}

// hasWriter tells whether a stream of the capture is being written.
func (c *Capture) hasWriter() bool {
	for _, stream := range []string{format.Stdout, format.Stderr, format.Output} {
		if alive, err := c.WriterAlive(stream); err == nil && alive {
			return true
		}
	}
	return false
}

// settle moves what a capture that has just become final holds from its record
// to the sum of final captures.
func (c *Capture) settle(ctx context.Context) error {
	held, err := c.Held()
	if err != nil {
		return err
	}
	return c.ns.withAllowance(ctx, func(a *allowance) error {
		if !a.fresh { // or it is counted as final
			if r := a.records[c.id]; r.writers > 0 && c.hasWriter() {
				held = max(held, r.bytes) // a write that was given up may come back
			}
			a.final = add(a.final, held)
			delete(a.records, c.id)
		}
		return a.write()
	})
}

// CheckAllowance holds the allowance against the files: [ErrCorrupt] if it is
// none, or counts less than they hold. One that counts more errs on the safe
// side, as a crash leaves it. Where there is none, where it is of another boot,
// and where nothing can be written, there is nothing to check: it is counted
// anew before it is used.
func (n *Namespace) CheckAllowance(ctx context.Context) error {
	known, err := n.finals()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, err := n.dir.Lock(ctx, lockFile, fsafe.LockExclusive, false)
	switch fsafe.KindOf(err) {
	case fsafe.KindNone:
	case fsafe.KindNotExist, fsafe.KindReadOnly, fsafe.KindLoop, fsafe.KindNotRegular, fsafe.KindNotPrivate, fsafe.KindForeign:
		return nil // of what is no lock the names tell
	default:
		return stalled(err)
	}
	return errors.Join(n.checkAllowance(known), l.Unlock())
}

// checkAllowance is CheckAllowance under the lock.
func (n *Namespace) checkAllowance(known map[format.ID]int64) error {
	data, err := n.dir.ReadFile(allowanceFile, maxAllowance)
	switch fsafe.KindOf(err) {
	case fsafe.KindNone:
	case fsafe.KindNoSpace, fsafe.KindQuota, fsafe.KindIO, fsafe.KindOther:
		return err
	default:
		return nil // of what is none of ours the names tell
	}
	a, err := parseAllowance(data)
	if err != nil {
		return fmt.Errorf("%w: spool-gc counts it anew", err)
	}
	if a.boot != bootID() {
		return nil
	}
	files, err := n.count(a, known)
	if err != nil {
		return err
	}
	for id, r := range files.records {
		if a.records[id].writers == 0 { // its writers have reserved nothing yet, and so hold nothing
			r.bytes -= r.writers * maxOutstanding
			files.records[id] = r
		}
	}
	if files.total() > a.total() {
		err = fmt.Errorf("%w: %d bytes are held, but it counts %d: spool-gc counts it anew", ErrCorrupt, files.total(), a.total())
	}
	return err
}

// finals returns what final captures hold. What cannot be looked at now is left
// out, and looked at later.
func (n *Namespace) finals() (map[format.ID]int64, error) {
	ids, err := n.IDs()
	if err != nil {
		return nil, err
	}
	known := make(map[format.ID]int64, len(ids))
	for _, id := range ids {
		if held, final, _, err := n.look(id); final && err == nil {
			known[id] = held
		}
	}
	return known, nil
}
