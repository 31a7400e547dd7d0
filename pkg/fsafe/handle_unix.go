//go:build unix

package fsafe

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// How a component is opened: never through a link, never as our terminal.
const (
	openOnce = unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NOCTTY
	openDir  = openOnce | unix.O_DIRECTORY | unix.O_RDONLY
)

// handle is a directory descriptor. os.File keeps it from being closed under a
// running call.
type handle struct{ f *os.File }

func newHandle(fd int, path string) handle { return handle{os.NewFile(uintptr(fd), path)} }

// at runs a system call on the directory's descriptor, again after EINTR.
func (h handle) at(call func(fd int) error) error { return onFile(h.f, call) }

func onFile(f *os.File, call func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	if raw.Control(func(fd uintptr) { err = uninterrupted(func() error { return call(int(fd)) }) }) != nil {
		return os.ErrClosed
	}
	return err
}

func uninterrupted(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func (h handle) close() error { return h.f.Close() }

func (h handle) sync() error {
	err := h.f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil // this filesystem has no such thing
	}
	return err
}

func (h handle) openat(name string, flags int, mode uint32) (fd int, err error) {
	err = h.at(func(dir int) (err error) {
		fd, err = unix.Openat(dir, name, flags, mode)
		return err
	})
	return fd, err
}

func (h handle) stat(name string) (Entry, error) {
	var st unix.Stat_t
	err := h.at(func(fd int) error { return unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return entryOf(name, &st), err
}

func (h handle) statSelf() (Entry, error) { return statFile(h.f) }

// names calls batch with every name, until it returns false.
func (h handle) names(batch func([]string) bool) error {
	r, err := h.reopen() // for an offset of its own
	if err != nil {
		return err
	}
	for err == nil {
		var names []string
		names, err = r.f.Readdirnames(256)
		if len(names) > 0 && !batch(names) {
			break
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return cmp.Or(err, r.close())
}

func (h handle) openDir(name string) (handle, error) {
	sub, err := h.openWith(name, openDir)
	if err != nil {
		return handle{}, err
	}
	e, err := sub.statSelf()
	if err == nil {
		err = e.checkDir()
	}
	if err != nil {
		return handle{}, cmp.Or(err, sub.close())
	}
	return sub, nil
}

func (h handle) openWith(name string, flags int) (handle, error) {
	fd, err := h.openat(name, flags, 0)
	if err != nil {
		return handle{}, h.explain(name, Entry.checkDir, err)
	}
	return newHandle(fd, name), nil
}

// reopen opens the same directory once more, for reading.
func (h handle) reopen() (handle, error) {
	fd, err := h.openat(".", openDir, 0)
	if err != nil {
		return handle{}, err
	}
	return newHandle(fd, h.f.Name()), nil
}

// syncSearched is sync for a handle that was opened for searching only. What
// we may not read cannot be synced.
func (h handle) syncSearched() error {
	r, err := h.reopen()
	if KindOf(err) == KindPermission {
		return nil
	}
	if err != nil {
		return err
	}
	return cmp.Or(r.sync(), r.close())
}

func (h handle) readlink(name string) (target string, err error) {
	buf := make([]byte, unix.PathMax)
	err = h.at(func(fd int) error {
		n, err := unix.Readlinkat(fd, name, buf)
		target = string(buf[:max(n, 0)])
		return err
	})
	if err == nil && len(target) == len(buf) {
		err = unix.ENAMETOOLONG
	}
	return target, err
}

// explain replaces an errno that opening name gave by what stands there, if
// that is the reason: ENOTDIR may be a link, ENXIO a socket.
func (h handle) explain(name string, check func(Entry) error, err error) error {
	errno, is := errors.AsType[unix.Errno](err)
	if !is || !slices.Contains([]unix.Errno{unix.ELOOP, unix.ENOTDIR, unix.EISDIR, unix.ENXIO, unix.EACCES}, errno) {
		return err
	}
	if e, staterr := h.stat(name); staterr == nil {
		return cmp.Or(check(e), err)
	}
	return err
}

// openSameDevice opens the directory name unless it lies on another filesystem.
func (h handle) openSameDevice(name string) (handle, error) {
	here, err := h.statSelf()
	if err != nil {
		return handle{}, err
	}
	sub, err := h.openWith(name, openDir)
	if err != nil {
		return handle{}, err
	}
	e, err := sub.statSelf()
	if err == nil && e.Dev != here.Dev {
		err = refuse(KindOther, "something is mounted on it")
	}
	if err != nil {
		return handle{}, cmp.Or(err, sub.close())
	}
	return sub, nil
}

func (h handle) mkdir(name string) (handle, error) {
	if err := h.at(func(fd int) error { return unix.Mkdirat(fd, name, 0o700) }); err != nil {
		return handle{}, err
	}
	fd, err := h.openat(name, openDir, 0)
	if errors.Is(err, unix.EACCES) {
		if err = h.admit(name); err == nil {
			fd, err = h.openat(name, openDir, 0)
		}
	}
	if err != nil {
		_ = h.removeDir(name) // the first error is the one that tells
		return handle{}, h.explain(name, Entry.checkDir, err)
	}
	sub := newHandle(fd, name)
	if err := exactly(sub.f, 0o700); err != nil {
		_ = h.removeDir(name)
		return handle{}, cmp.Or(err, sub.close())
	}
	return sub, nil
}
