package pipeline

import (
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// terminal is the controlling terminal, where the run has it in its hands: its
// stdin is that terminal and its own group is in the foreground.
type terminal struct {
	fd    int
	group int // our own
}

// openTerminal returns the terminal on descriptor fd, or nil.
func openTerminal(fd int) *terminal {
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	if err != nil || group != unix.Getpgrp() {
		return nil
	}
	return &terminal{fd: fd, group: group}
}

// mayWrite lets this process write to the terminal, and give it away, while
// another group is in the foreground.
func (t *terminal) mayWrite() { signal.Ignore(syscall.SIGTTOU) }

// give puts a group into the foreground; mayWrite comes first.
func (t *terminal) give(group int) {
	_ = unix.IoctlSetPointerInt(t.fd, unix.TIOCSPGRP, group)
}

// holder returns the group in the foreground, or 0.
func (t *terminal) holder() int {
	group, err := unix.IoctlGetInt(t.fd, unix.TIOCGPGRP)
	if err != nil {
		return 0
	}
	return group
}

// hidesInput tells whether what is typed does not show: a password is asked for.
func (t *terminal) hidesInput() bool {
	mode, err := unix.IoctlGetTermios(t.fd, ioctlGetTermios)
	return err == nil && mode.Lflag&unix.ECHO == 0
}

// terminalWidth returns the columns of the terminal on fd.
func terminalWidth(fd int) int {
	const usual = 80
	size, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 {
		return usual
	}
	return int(size.Col)
}
