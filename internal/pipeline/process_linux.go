package pipeline

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const waitContinued = syscall.WCONTINUED

// askPidFD asks for a descriptor of the process that is to be started.
func askPidFD(attr *syscall.ProcAttr, fd *int) {
	if attr.Sys == nil {
		attr.Sys = &syscall.SysProcAttr{}
	}
	attr.Sys.PidFD = fd
}

// becomeSubreaper makes this process the parent of orphaned descendants, so
// that none escapes by a double fork. An old kernel may refuse; then init gets
// them, as without spool.
func becomeSubreaper() {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// sealDescriptors marks every descriptor from 3 up as close-on-exec: what the
// caller handed down is the command's affair, not the stages'.
func sealDescriptors() {
	const all = ^uint(0) >> 32
	_ = unix.CloseRange(3, all, unix.CLOSE_RANGE_CLOEXEC)
}

// pipe makes a pipe, both ends close-on-exec.
func pipe() (r, w int, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return -1, -1, err
	}
	return p[0], p[1], nil
}

// maxRSS returns the peak memory of a usage in bytes; getrusage(2) counts KiB.
func maxRSS(u *syscall.Rusage) int64 { return u.Maxrss << 10 }
