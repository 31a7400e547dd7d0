//go:build unix

package fsafe

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

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
	failed := raw.Control(func(fd uintptr) { err = uninterrupted(func() error { return call(int(fd)) }) })
	if failed != nil {
		return failed
	}
	return err
}

func uninterrupted(call func() error) error {
	for {
		if err := call(); err != unix.EINTR { //nolint:errorlint // a bare errno
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

func statFile(f *os.File) (Entry, error) {
	var st unix.Stat_t
	err := onFile(f, func(fd int) error { return unix.Fstat(fd, &st) })
	return entryOf(filepath.Base(f.Name()), &st), err
}

// entryOf is st in portable terms. The conversions are needed on some systems.
func entryOf(name string, st *unix.Stat_t) Entry {
	return Entry{
		Name:    name,
		Mode:    modeOf(uint32(st.Mode)), //nolint:unconvert // 16 bits on darwin
		Size:    st.Size,
		UID:     st.Uid,
		Links:   uint64(st.Nlink), //nolint:unconvert // 16 bits on darwin
		ModTime: time.Unix(st.Mtim.Unix()),
		Dev:     uint64(st.Dev), //nolint:unconvert // 32 bits on darwin
		Ino:     st.Ino,
	}
}

func modeOf(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	case unix.S_IFBLK:
		m |= fs.ModeDevice
	case unix.S_IFCHR:
		m |= fs.ModeDevice | fs.ModeCharDevice
	default:
		m |= fs.ModeIrregular
	}
	if mode&unix.S_ISUID != 0 {
		m |= fs.ModeSetuid
	}
	if mode&unix.S_ISGID != 0 {
		m |= fs.ModeSetgid
	}
	if mode&unix.S_ISVTX != 0 {
		m |= fs.ModeSticky
	}
	return m
}

func isUs(uid uint32) bool { return int64(uid) == int64(os.Geteuid()) }

// names calls batch with every name, until it returns false.
func (h handle) names(batch func([]string) bool) error {
	r, err := h.reopen() // for an offset of its own
	if err != nil {
		return err
	}
	f := r.f
	defer f.Close() // nothing was written
	for {
		names, err := f.Readdirnames(256)
		if len(names) > 0 && !batch(names) {
			return nil
		}
		if err == io.EOF { //nolint:errorlint // as documented
			return nil
		}
		if err != nil {
			return err
		}
	}
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
		return handle{}, errors.Join(err, sub.close())
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
	return errors.Join(r.sync(), r.close())
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
	switch err { //nolint:errorlint // a bare errno
	case unix.ELOOP, unix.ENOTDIR, unix.EISDIR, unix.ENXIO, unix.EACCES:
		if e, staterr := h.stat(name); staterr == nil {
			if reason := check(e); reason != nil {
				return reason
			}
		}
	}
	return err
}

func (h handle) open(name, path string, flag int) (*os.File, error) {
	// O_NONBLOCK: a FIFO in the file's place must not hold us.
	fd, err := h.openat(name, openOnce|unix.O_NONBLOCK|flag, 0)
	if err != nil {
		return nil, h.explain(name, Entry.checkFile, err)
	}
	var st unix.Stat_t
	if err = uninterrupted(func() error { return unix.Fstat(fd, &st) }); err == nil {
		err = entryOf(name, &st).checkFile()
	}
	if err == nil {
		err = unix.SetNonblock(fd, false) // it did its work, and children inherit it
	}
	f := os.NewFile(uintptr(fd), path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (h handle) create(name, path string) (*os.File, error) {
	fd, err := h.openat(name, openOnce|unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	if err := exactly(f, 0o600); err != nil {
		_ = h.remove(name) // the first error is the one that tells
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// exactly gives what we have just created its mode, which umask, setgid parent
// or default ACL may have changed, and makes sure that the filesystem took it.
func exactly(f *os.File, mode uint32) error {
	for tries := range 2 {
		e, err := statFile(f)
		if err != nil {
			return err
		}
		if !isUs(e.UID) {
			return refuse(KindForeign, "created as user %d, not as us: this filesystem maps owners", e.UID)
		}
		if e.Mode&^fs.ModeType == fs.FileMode(mode) {
			return nil
		}
		if tries > 0 {
			break
		}
		if err := onFile(f, func(fd int) error { return unix.Fchmod(fd, mode) }); err != nil {
			return err
		}
	}
	return refuse(KindNotPrivate, "this filesystem cannot keep files private")
}

func (h handle) mkdir(name string) (handle, error) {
	if err := h.at(func(fd int) error { return unix.Mkdirat(fd, name, 0o700) }); err != nil {
		return handle{}, err
	}
	fd, err := h.openat(name, openDir, 0)
	if err == unix.EACCES { //nolint:errorlint // a bare errno
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
		return handle{}, errors.Join(err, sub.close())
	}
	return sub, nil
}

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
	if err == unix.EINVAL || errors.Is(err, errors.ErrUnsupported) { //nolint:errorlint // a bare errno
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
			return errors.Join(err, to.removeDir(name))
		}
		return nil
	}
	err = h.at(func(from int) error {
		return to.at(func(fd int) error { return unix.Linkat(from, old, fd, name, 0) })
	})
	if err == unix.EEXIST { //nolint:errorlint // a bare errno
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
		return handle{}, errors.Join(err, sub.close())
	}
	return sub, nil
}
