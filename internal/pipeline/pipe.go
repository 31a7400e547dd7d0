package pipeline

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// unread returns how many bytes lie in the pipe of read end fd, and whether
// its last writer has gone.
func unread(fd int) (n int, hungUp bool) {
	p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(p, 0); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	// The order matters: nothing is added to a pipe once it is seen hung up.
	hungUp = p[0].Revents&unix.POLLHUP != 0
	if p[0].Revents&unix.POLLIN != 0 {
		n, _ = unix.IoctlGetInt(fd, ioctlUnread)
	}
	return n, hungUp
}

// readAll reads what lies in a pipe whose last writer has gone.
func readAll(fd, size int) ([]byte, error) {
	data := make([]byte, 0, size+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := unix.Read(fd, data[len(data):cap(data)])
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return data, err
		case n == 0:
			return data, nil
		default:
			data = data[:len(data)+n]
		}
	}
}

// writeAll writes data to a pipe.
func writeAll(fd int, data []byte) error {
	for len(data) > 0 {
		n, err := unix.Write(fd, data)
		if err != nil && !errors.Is(err, syscall.EINTR) {
			return err
		}
		data = data[max(n, 0):]
	}
	return nil
}

// discard reads fd to its end and throws away what comes. It tells how much it
// was, and calls first before it goes on after the first byte.
func discard(fd int, first func()) (total int64) {
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(fd, buf)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil || n == 0:
			return total
		}
		if total == 0 {
			first()
		}
		total += int64(n)
	}
}
