//go:build unix

package fsafe

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// flock locks f: with wait when its turn has come, else now or not at all.
func flock(f *os.File, mode LockMode, wait bool) error {
	how := unix.LOCK_SH
	if mode == LockExclusive {
		how = unix.LOCK_EX
	}
	if !wait {
		how |= unix.LOCK_NB
	}
	err := onFile(f, func(fd int) error { return unix.Flock(fd, how) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

func closeOnExec(f *os.File) error {
	return onFile(f, func(fd int) error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, unix.FD_CLOEXEC)
		return err
	})
}
