package fsafe

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// searchOnly opens a directory for looking things up, which is all that many
// directories on the way permit.
const searchOnly = unix.O_SEARCH

func renameExclusive(from int, old string, to int, name string) error {
	return unix.RenameatxNp(from, old, to, name, unix.RENAME_EXCL)
}

// admit gives a directory of ours that a umask locked us out of mode 0700,
// without following a link that took its place.
func (h handle) admit(name string) error {
	return h.at(func(fd int) error { return unix.Fchmodat(fd, name, 0o700, unix.AT_SYMLINK_NOFOLLOW) })
}

// allocate gives f size bytes of space; its size becomes that.
func allocate(f *os.File, size int64) error {
	if size <= 0 {
		return nil
	}
	want := unix.Fstore_t{Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: size}
	err := onFile(f, func(fd int) error { return unix.FcntlFstore(uintptr(fd), unix.F_PREALLOCATE, &want) })
	if errors.Is(err, errors.ErrUnsupported) {
		return writeZeros(f, size)
	}
	if err != nil {
		return err
	}
	return f.Truncate(size)
}

// openBeneath opens the directory name to remove what is in it, unless another
// filesystem is mounted there.
func (h handle) openBeneath(name string) (handle, error) { return h.openSameDevice(name) }

func deviceOf(st *unix.Stat_t) uint64 { return uint64(uint32(st.Dev)) } //nolint:gosec // a name, not a number
