package capture

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// lockWait bounds the wait for the namespace's lock, and for the liveness lock
// of a capture that a collector is looking at. Whoever holds them does so for a
// moment; but a busy disk may stop a hundred of them in turn.
const lockWait = 4 * time.Second

// Dir returns the directory of the namespace in force: explicit (an option),
// else SPOOL_DIR, else spool in XDG_STATE_HOME, else .local/state/spool in HOME.
func Dir(explicit string, getenv func(string) string) (string, error) {
	if explicit != "" {
		return explicit, nil
	}
	if dir := getenv("SPOOL_DIR"); dir != "" {
		return dir, nil
	}
	// A relative one is to be ignored, says the XDG Base Directory Specification.
	if state := getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "spool"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "spool"), nil
	}
	return "", errors.New("no namespace: neither --dir nor SPOOL_DIR is given, and HOME is no absolute path")
}

// Namespace is a directory of captures that its owner makes and deletes as a
// whole.
type Namespace struct {
	dir    *fsafe.Dir
	random io.Reader // for IDs
}

// OpenNamespace opens the namespace dir, which must exist, be ours and private;
// see [fsafe.OpenRoot] for what is refused.
func OpenNamespace(dir string) (*Namespace, error) {
	d, err := fsafe.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Namespace{dir: d, random: rand.Reader}, nil
}

// CreateNamespace is OpenNamespace, but makes dir and its missing parents, each
// with mode 0700.
func CreateNamespace(dir string) (*Namespace, error) {
	d, _, err := fsafe.CreateRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Namespace{dir: d, random: rand.Reader}, nil
}

// Root returns the held directory, for a collector that looks at names.
func (n *Namespace) Root() *fsafe.Dir { return n.dir }

// Path returns the path that the namespace was opened by.
func (n *Namespace) Path() string { return n.dir.Path() }

// Close releases the directory. Captures opened from it remain usable but for
// what needs the namespace: the allowance, publishing, discarding.
func (n *Namespace) Close() error { return n.dir.Close() }

// Lock takes the namespace's lock, for the allowance. The wait is bounded by
// ctx and by four seconds; then the error is [ErrLockStalled].
func (n *Namespace) Lock(ctx context.Context) (*fsafe.Lock, error) { return n.lock(ctx, lockFile) }

func (n *Namespace) lock(ctx context.Context, name string) (*fsafe.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, err := n.dir.Lock(ctx, name, fsafe.LockExclusive, true)
	return l, stalled(misplaced(err))
}

// misplaced tells the way out where something else is in the place of a file
// that is made when it is missing.
func misplaced(err error) error {
	switch fsafe.KindOf(err) {
	case fsafe.KindLoop, fsafe.KindNotRegular, fsafe.KindNotDir, fsafe.KindForeign:
		return fmt.Errorf("%w: remove it, and it is made anew", err)
	}
	return err
}

// stalled puts ErrLockStalled into the chain of a lock's error that is one of
// time.
func stalled(err error) error {
	if errors.Is(err, fsafe.ErrLocked) {
		return fmt.Errorf("%w: %w", ErrLockStalled, err)
	}
	return err
}

// IDs returns the IDs of all captures, ascending: the oldest first. Captures
// that are being begun or removed are none.
func (n *Namespace) IDs() ([]format.ID, error) {
	names, err := n.dir.Names()
	if err != nil {
		return nil, err
	}
	ids := make([]format.ID, 0, len(names))
	for _, name := range names {
		if kind, id := KindInNamespace(name); kind == NameCapture {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Resolve finds the one capture that p names: [ErrNotFound] if there is none,
// an [AmbiguousError] if there are several. Whether it has the stream of p is
// not looked at.
func (n *Namespace) Resolve(p format.Pattern) (format.Ref, error) {
	if len(p.Prefix) == format.IDLen {
		id := format.ID(p.Prefix)
		if _, err := n.dir.Stat(string(id)); err != nil {
			return format.Ref{}, n.notFound(p.Prefix, err)
		}
		return format.Ref{ID: id, Stream: p.Stream}, nil
	}
	ids, err := n.IDs()
	if err != nil {
		return format.Ref{}, err
	}
	ids = slices.DeleteFunc(ids, func(id format.ID) bool { return !p.Matches(id) })
	switch {
	case len(ids) == 0 && p.Latest:
		return format.Ref{}, n.notFound(format.Latest, nil)
	case len(ids) == 0:
		return format.Ref{}, n.notFound(p.Prefix, nil)
	case p.Latest:
		ids = ids[len(ids)-1:]
	case len(ids) > 1:
		return format.Ref{}, &AmbiguousError{Prefix: p.Prefix, Candidates: ids}
	}
	return format.Ref{ID: ids[0], Stream: p.Stream}, nil
}

// notFound turns an error of kind not-exist, or none, into ErrNotFound. It says
// where was looked: that is what is wrong as often as the reference.
func (n *Namespace) notFound(name string, err error) error {
	if err == nil || fsafe.KindOf(err) == fsafe.KindNotExist {
		return fmt.Errorf("reference %q: %w in %q", name, ErrNotFound, n.Path())
	}
	return err
}

// Open opens the capture id, without a lock: [ErrNotFound] if there is none.
func (n *Namespace) Open(id format.ID) (*Capture, error) {
	if _, err := format.ParseID(string(id)); err != nil {
		return nil, err
	}
	dir, err := n.dir.OpenDir(string(id))
	if err != nil {
		return nil, n.notFound(string(id), err)
	}
	return &Capture{ns: n, id: id, dir: dir}, nil
}
