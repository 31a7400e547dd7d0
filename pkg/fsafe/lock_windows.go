package fsafe

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockAt is where the one locked byte lies, in units of 4 GiB: locks are
// mandatory here, and no content gets that far.
const lockAt = 1 << 30

// flock locks f: with wait when its turn has come, else now or not at all.
func flock(f *os.File, mode LockMode, wait bool) error {
	flags := uint32(0)
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	if mode == LockExclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := onFile(f, func(h windows.Handle) error {
		return windows.LockFileEx(h, flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: lockAt})
	})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}

func closeOnExec(f *os.File) error {
	return onFile(f, func(h windows.Handle) error {
		return windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, 0)
	})
}

func onFile(f *os.File, call func(windows.Handle) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	if raw.Control(func(h uintptr) { err = call(windows.Handle(h)) }) != nil {
		return os.ErrClosed
	}
	return err
}
