//go:build unix

package fsafe

import (
	"cmp"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

func (h handle) open(name, path string, flag int) (*os.File, Entry, error) {
	// O_NONBLOCK: a FIFO in the file's place must not hold us.
	fd, err := h.openat(name, openOnce|unix.O_NONBLOCK|flag, 0)
	if err != nil {
		return nil, Entry{}, h.explain(name, Entry.checkFile, err)
	}
	// It did its work, and children inherit it.
	err = uninterrupted(func() error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, flag&unix.O_APPEND)
		return err
	})
	f := os.NewFile(uintptr(fd), path)
	var e Entry
	if err == nil {
		e, err = statFile(f)
	}
	if err == nil {
		err = e.checkFile()
	}
	if err != nil {
		return nil, Entry{}, cmp.Or(err, f.Close())
	}
	return f, e, nil
}

func (h handle) create(name, path string) (*os.File, error) {
	fd, err := h.openat(name, openOnce|unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	if err := exactly(f, 0o600); err != nil {
		_ = h.remove(name) // the first error is the one that tells
		return nil, cmp.Or(err, f.Close())
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

// writeZeros allocates where the filesystem knows no allocation.
func writeZeros(f *os.File, size int64) error {
	zeros := make([]byte, min(size, 64<<10))
	for off := int64(0); off < size; {
		n, err := f.WriteAt(zeros[:min(size-off, int64(len(zeros)))], off)
		if err != nil {
			return err
		}
		off += int64(n)
	}
	return nil
}
