package pipeline

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// tick bounds the time until a growing pipe is noticed: poll(2) has no edges,
// so read ends are watched for their hang-up alone.
const tick = 5 * time.Millisecond

// watch wakes the loop.
type watch struct {
	fds     []unix.PollFd
	growing int // how many of fds may grow unread
}

func newWatch() (*watch, error) { return &watch{}, nil }

// add watches fd: a pipe's read end or the inbox.
func (w *watch) add(fd int, edge bool) {
	p := unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	if edge {
		p.Events = 0
		w.growing++
	}
	w.fds = append(w.fds, p)
}

// remove stops watching fd.
func (w *watch) remove(fd int) {
	w.fds = slices.DeleteFunc(w.fds, func(p unix.PollFd) bool {
		if p.Fd == int32(fd) && p.Events == 0 {
			w.growing--
		}
		return p.Fd == int32(fd)
	})
}

// wait returns when something happened, or after d; a negative d is no bound.
func (w *watch) wait(d time.Duration) {
	if w.growing > 0 && (d < 0 || d > tick) {
		d = tick
	}
	ms := -1
	if d >= 0 {
		ms = int((d + time.Millisecond - 1) / time.Millisecond)
	}
	_, _ = unix.Poll(w.fds, ms)
}

func (w *watch) close() {}
