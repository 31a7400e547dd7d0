package pipeline

import (
	"time"

	"golang.org/x/sys/unix"
)

// watch wakes the loop. Read ends are watched edge-triggered: each write to a
// pipe and its hang-up wakes once, and bytes that nobody reads do not.
type watch struct{ epoll int }

func newWatch() (*watch, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return &watch{epoll: fd}, nil
}

// add watches fd: a pipe's read end, the inbox or a pidfd.
func (w *watch) add(fd int, edge bool) {
	events := uint32(unix.EPOLLIN)
	if edge {
		events |= unix.EPOLLET
	}
	_ = unix.EpollCtl(w.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)})
}

// remove stops watching fd, which must still be open: a copy of it elsewhere
// would keep the registration alive.
func (w *watch) remove(fd int) {
	_ = unix.EpollCtl(w.epoll, unix.EPOLL_CTL_DEL, fd, nil)
}

// wait returns when something happened, or after d; a negative d is no bound.
func (w *watch) wait(d time.Duration) {
	ms := -1
	if d >= 0 {
		ms = int((d + time.Millisecond - 1) / time.Millisecond)
	}
	var events [8]unix.EpollEvent
	_, _ = unix.EpollWait(w.epoll, events[:], ms)
}

func (w *watch) close() { closeFD(&w.epoll) }
