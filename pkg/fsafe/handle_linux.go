package fsafe

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// searchOnly opens a directory for looking things up, which is all that many
// directories on the way permit.
const searchOnly = unix.O_PATH

func renameExclusive(from int, old string, to int, name string) error {
	return unix.Renameat2(from, old, to, name, unix.RENAME_NOREPLACE)
}

// admit gives a directory of ours that a umask locked us out of mode 0700,
// without following a link that took its place.
func (h handle) admit(name string) error {
	fd, err := h.openat(name, openOnce|unix.O_DIRECTORY|unix.O_PATH, 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), name)
	err = onFile(f, func(fd int) error { return unix.Fchmodat(fd, "", 0o700, unix.AT_EMPTY_PATH) })
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, unix.EPERM) { // before 6.6, or a sandbox
		err = admitByProc(fd)
	}
	return cmp.Or(err, f.Close())
}

func admitByProc(fd int) error { return unix.Chmod(fmt.Sprintf("/proc/self/fd/%d", fd), 0o700) }

// allocate gives f size bytes of space; its size becomes that.
func allocate(f *os.File, size int64) error {
	if size <= 0 {
		return nil
	}
	err := onFile(f, func(fd int) error { return unix.Fallocate(fd, 0, 0, size) })
	if errors.Is(err, errors.ErrUnsupported) {
		return writeZeros(f, size)
	}
	return err
}

// openBeneath opens the directory name to remove what is in it, unless another
// filesystem, or another part of this one, is mounted there.
func (h handle) openBeneath(name string) (handle, error) {
	how := unix.OpenHow{
		Flags:   openDir,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_XDEV,
	}
	var sub int
	err := h.at(func(fd int) (err error) {
		sub, err = unix.Openat2(fd, name, &how)
		return err
	})
	switch {
	case err == nil:
		return newHandle(sub, name), nil
	case errors.Is(err, unix.EXDEV):
		return handle{}, refuse(KindOther, "something is mounted on it")
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM), errors.Is(err, unix.EINVAL): // before 5.6, or a sandbox
		return h.openSameDevice(name)
	}
	return handle{}, h.explain(name, Entry.checkDir, err)
}

func deviceOf(st *unix.Stat_t) uint64 { return st.Dev }
