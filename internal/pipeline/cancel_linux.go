package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"spool/internal/capture"
)

// cancelSignal asks a supervisor to cancel its command. It is a real-time
// signal (SIGRTMIN+6) that no one else sends; every other one is the command's.
const cancelSignal = syscall.Signal(40)

// errEnded says that there is nothing left to cancel.
var errEnded = errors.New("it has ended")

// Cancel ends the command of a capture through its supervisor, and waits until
// that has brought the capture to its receipt, or ctx is done. The supervisor
// is found by its pid and proved by its start time, with the process held by a
// descriptor in between, so that no other process is ever signalled.
func Cancel(ctx context.Context, c *capture.Capture) error {
	_, err := c.Receipt()
	if err == nil {
		return fmt.Errorf("cancel %s: %w", c.ID(), errEnded)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	begin, err := c.Begin()
	if err != nil {
		return err
	}
	who, ok := begin.Supervisor.Get()
	if !ok {
		return fmt.Errorf("cancel %s: it has no supervisor: it was begun by hand", c.ID())
	}
	fd, err := unix.PidfdOpen(int(who.PID), 0)
	if err == nil {
		defer closeFD(&fd)
		if p, alive := readProcess(int(who.PID)); !alive || p.start != who.StartTime || p.zombie {
			err = unix.ESRCH
		}
	}
	if err == nil {
		err = unix.PidfdSendSignal(fd, cancelSignal, nil, 0)
	}
	switch {
	case errors.Is(err, unix.ESRCH):
		return cancelledTooLate(c)
	case err != nil:
		return fmt.Errorf("cancel %s: signal its supervisor, process %d: %w", c.ID(), who.PID, err)
	}
	return awaitEnd(ctx, c, fd)
}

// cancelledTooLate tells what became of a capture whose supervisor is gone.
func cancelledTooLate(c *capture.Capture) error {
	if _, err := c.Receipt(); err == nil {
		return fmt.Errorf("cancel %s: %w", c.ID(), errEnded)
	}
	return fmt.Errorf("cancel %s: its supervisor is gone; spool-gc publishes what it captured", c.ID())
}

// awaitEnd waits for the process behind a pidfd to end.
func awaitEnd(ctx context.Context, c *capture.Capture, fd int) error {
	const look = 100 * time.Millisecond // between two looks at ctx
	for {
		p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(p, int(look.Milliseconds()))
		switch {
		case n > 0:
			return nil
		case err != nil && !errors.Is(err, syscall.EINTR):
			return fmt.Errorf("wait for the supervisor of %s: %w", c.ID(), err)
		case ctx.Err() != nil:
			return fmt.Errorf("cancel %s: asked, but it has not ended yet", c.ID())
		}
	}
}
