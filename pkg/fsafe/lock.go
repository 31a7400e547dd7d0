package fsafe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// LockMode tells who may hold a lock together.
type LockMode int

// Any number may hold a lock shared, only one exclusively.
const (
	LockShared LockMode = iota
	LockExclusive
)

// lookAgain is how often one who waits sees whether the lock file is still the
// one that has the name.
const lookAgain = 50 * time.Millisecond

// Lock is a held lock. It lives as long as any copy of its descriptor: ours,
// until Unlock, and those that children inherited through File.
type Lock struct{ f *os.File }

// Lock locks the file name, which must exist or is created empty if create is
// set. It waits its turn until ctx ends, so that no stopped holder can stall it
// longer; then the error is [ErrLocked] and has ctx's cause in its chain. The
// lock is on the file that has the name at the end: one that was unlinked or
// replaced while we waited is not taken for it. A lock file must never be
// unlinked while it matters.
func (d *Dir) Lock(ctx context.Context, name string, mode LockMode, create bool) (*Lock, error) {
	for {
		l, err := d.TryLock(name, mode, create)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		l, err = d.wait(ctx, name, mode)
		if l != nil || err != nil {
			return l, d.failure("lock", name, err)
		}
	}
}

// wait stands in the system's queue for the file that has the name now: whoever
// asks again and again is overtaken by many. Neither lock nor error: it is
// another file by now.
func (d *Dir) wait(ctx context.Context, name string, mode LockMode) (*Lock, error) {
	f, err := d.OpenRW(name)
	if KindOf(err) == KindNotExist {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	turn := make(chan error, 1)
	go func() { turn <- flock(f, mode, true) }()
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	same := true
	for same && err == nil {
		select {
		case err := <-turn:
			return d.confirm(f, name, err)
		case <-look.C:
			same, err = d.isNamed(f, name)
		case <-ctx.Done():
			err = fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx))
		}
	}
	// Nobody can leave that queue: our turn comes, and passes.
	go func() {
		_ = errors.Join(<-turn, f.Close()) // whoever left has no use for either
	}()
	return nil, err
}

// TryLock is Lock without waiting: [ErrLocked] if it is held.
func (d *Dir) TryLock(name string, mode LockMode, create bool) (*Lock, error) {
	if err := checkName(name); err != nil {
		return nil, d.failure("lock", name, err)
	}
	for range maxSwaps {
		l, err := d.attempt(name, mode, create)
		if l != nil || err != nil {
			return l, d.failure("lock", name, err)
		}
	}
	return nil, d.failure("lock", name, refuse(KindOther, "replaced again and again"))
}

// attempt locks what has the name now. Neither lock nor error: it is another
// one by now.
func (d *Dir) attempt(name string, mode LockMode, create bool) (*Lock, error) {
	f, err := d.OpenRW(name)
	if KindOf(err) == KindNotExist && create {
		// It appears with its final mode, so that none of us ever meets one
		// that it may not open yet.
		err = d.Publish(name, nil, false)
		if err == nil || KindOf(err) == KindExist {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return d.confirm(f, name, flock(f, mode, false))
}

// confirm makes a lock of f, which was locked unless err tells otherwise.
// Neither lock nor error: it is another file by now.
func (d *Dir) confirm(f *os.File, name string, err error) (*Lock, error) {
	same := false
	if err == nil {
		same, err = d.isNamed(f, name)
	}
	if err != nil || !same {
		return nil, cmp.Or(err, f.Close())
	}
	return &Lock{f}, nil
}

// isNamed reports whether name is f.
func (d *Dir) isNamed(f *os.File, name string) (bool, error) {
	held, err := statFile(f)
	if err != nil {
		return false, err
	}
	there, err := d.h.stat(name)
	if KindOf(err) == KindNotExist {
		return false, nil
	}
	return err == nil && there.Same(held), err
}

// Adopt takes over the lock on name whose descriptor f was inherited: it makes
// sure that f is that file and locked in that mode, and that children started
// from now on do not inherit it unasked. It owns f, also when it fails. mode
// must be the one it is held in.
func (d *Dir) Adopt(f *os.File, name string, mode LockMode) (*Lock, error) {
	err := checkName(name)
	if err == nil {
		err = closeOnExec(f)
	}
	same := false
	if err == nil {
		same, err = d.isNamed(f, name)
	}
	if err == nil && !same {
		err = refuse(KindOther, "the inherited descriptor is another file")
	}
	if err == nil {
		err = flock(f, mode, false) // nothing happens where it is held so
	}
	if err != nil {
		return nil, d.failure("adopt lock", name, cmp.Or(err, f.Close()))
	}
	return &Lock{f}, nil
}

// File returns the locked file, for a child to inherit: in exec.Cmd's
// ExtraFiles, say. It must not be closed, nor used after Unlock.
func (l *Lock) File() *os.File { return l.f }

// Unlock closes our descriptor. The lock ends with that unless a child has
// inherited it; to hand it over is to Unlock after the child has started.
func (l *Lock) Unlock() error { return failure("unlock", l.f.Name(), l.f.Close()) }

// FlockFile locks an open file without waiting, until it is closed:
// [ErrLocked] if another holds it.
func FlockFile(f *os.File, mode LockMode) error {
	return failure("lock", f.Name(), flock(f, mode, false))
}
