//go:build unix

package fsafe

import (
	"cmp"
	"errors"

	"golang.org/x/sys/unix"
)

func (h handle) remove(name string) error {
	return h.at(func(fd int) error { return unix.Unlinkat(fd, name, 0) })
}

func (h handle) removeDir(name string) error {
	err := h.at(func(fd int) error { return unix.Unlinkat(fd, name, unix.AT_REMOVEDIR) })
	return h.explain(name, Entry.checkDir, err)
}

func (h handle) renameOver(old string, to handle, name string) error {
	return h.at(func(from int) error {
		return to.at(func(fd int) error { return unix.Renameat(from, old, fd, name) })
	})
}

func (h handle) renameNew(old string, to handle, name string) error {
	err := h.at(func(from int) error {
		return to.at(func(fd int) error { return renameExclusive(from, old, fd, name) })
	})
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return h.moveNew(old, to, name)
	}
	return err
}

// moveNew is renameNew where the filesystem cannot rename without replacing.
func (h handle) moveNew(old string, to handle, name string) error {
	e, err := h.stat(old)
	if err != nil {
		return err
	}
	if e.IsDir() { // no second name for those: over an empty one of our making
		if err := to.at(func(fd int) error { return unix.Mkdirat(fd, name, 0o700) }); err != nil {
			return err
		}
		if err := h.renameOver(old, to, name); err != nil {
			return cmp.Or(err, to.removeDir(name))
		}
		return nil
	}
	err = h.at(func(from int) error {
		return to.at(func(fd int) error { return unix.Linkat(from, old, fd, name, 0) })
	})
	if errors.Is(err, unix.EEXIST) {
		// Ours from an earlier life, which ended between link and unlink?
		if there, staterr := to.stat(name); staterr == nil && there.Same(e) && e.Links > 1 {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	return h.remove(old)
}

// awaitRemoval returns when whoever was removing name has done so: it takes the
// directory's lock, by a rename that can only fail.
func (h handle) awaitRemoval(name string) {
	_ = h.at(func(fd int) error { return renameExclusive(fd, name, fd, name) })
}
