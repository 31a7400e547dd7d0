//go:build unix

package redact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// drain reads in to its end, or until ctx is done. It tells whether the end came
// by itself. The descriptor is left as it is: its flags are shared with whoever
// has it too. So a read only follows a poll that found something to read, and a
// pipe of our own ends the poll when ctx is done.
func (w *Writer) drain(ctx context.Context, in io.Reader) (eof bool, err error) {
	f, ok := in.(*os.File)
	if !ok {
		_, err := w.ReadFrom(in)
		return err == nil, err
	}
	wake, ended, err := os.Pipe()
	if err != nil {
		return false, err
	}
	defer wake.Close()                                           //nolint:errcheck // nothing is in it
	stop := context.AfterFunc(ctx, func() { _ = ended.Close() }) // the poll sees the end of the pipe
	defer func() {
		if stop() {
			_ = ended.Close()
		}
	}()
	fd := int(f.Fd())
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(wake.Fd()), Events: unix.POLLIN}}
	full := 0
	for {
		if _, err := unix.Poll(poll, -1); errors.Is(err, unix.EINTR) {
			continue
		} else if err != nil {
			return false, fmt.Errorf("wait for stdin: %w", err)
		}
		if poll[1].Revents != 0 {
			return false, nil
		}
		n, err := unix.Read(fd, w.room(pieceSize))
		switch {
		case errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN):
			continue
		case err != nil:
			return false, fmt.Errorf("read stdin: %w", err)
		case n == 0:
			return true, nil
		}
		w.take(n)
		if n >= pipeFull && full < fullReads {
			if full++; full == fullReads {
				growPipe(f)
				if out, ok := w.dst.(*os.File); ok { // a filter's reader may not know to ask
					growPipe(out)
				}
			}
		}
	}
}

const (
	pipeFull  = 64 << 10 // a pipe of the usual size is full
	fullReads = 8        // until the pipe is grown
)
