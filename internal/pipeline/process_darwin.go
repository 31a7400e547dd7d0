package pipeline

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const waitContinued = 0

// askPidFD does nothing: there are no descriptors of processes.
func askPidFD(*syscall.ProcAttr, *int) {}

// becomeSubreaper does nothing: orphans go to launchd.
func becomeSubreaper() {}

// sealDescriptors marks what the caller handed down as close-on-exec: it is
// the command's affair, not the stages'.
func sealDescriptors() {
	const most = 256
	for fd := 3; fd < most; fd++ {
		unix.CloseOnExec(fd)
	}
}

// pipe makes a pipe, both ends close-on-exec.
func pipe() (r, w int, err error) {
	var p [2]int
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := unix.Pipe(p[:]); err != nil {
		return -1, -1, err
	}
	unix.CloseOnExec(p[0])
	unix.CloseOnExec(p[1])
	return p[0], p[1], nil
}

// maxRSS returns the peak memory of a usage in bytes; getrusage(2) counts bytes.
func maxRSS(u *syscall.Rusage) int64 { return u.Maxrss }
