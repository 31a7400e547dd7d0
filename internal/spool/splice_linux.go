package spool

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// mover moves bytes from pipe to pipe within the kernel, once nobody here has
// to look at them.
type mover struct {
	in  syscall.RawConn
	out syscall.RawConn
	to  *outlet
}

// newMover returns nil where one of the two is no pipe.
func newMover(in io.Reader, to *outlet) *mover {
	r, okIn := in.(*os.File)
	w, okOut := to.w.(*os.File)
	if to.pipe != nil {
		w, okOut = to.pipe.File, true
	}
	if !okIn || !okOut || !isPipe(r) || !isPipe(w) {
		return nil
	}
	rawIn, errIn := r.SyscallConn()
	rawOut, errOut := w.SyscallConn()
	if errIn != nil || errOut != nil {
		return nil
	}
	return &mover{in: rawIn, out: rawOut, to: to}
}

// errUnmovable says that the bytes have to be read and written.
var errUnmovable = errors.New("cannot be moved")

// move moves what there is, and waits for something. It returns io.EOF at the
// end, and errUnmovable where reading and writing has to go on: the output has
// failed, which it notes, or the system does not move these.
func (m *mover) move() (n int, err error) {
	if err := m.await(); err != nil {
		return 0, errUnmovable
	}
	if m.to.pipe != nil {
		m.to.pipe.Allow()
	}
	var moved int64
	var failed error
	err = m.in.Control(func(in uintptr) {
		failed = m.out.Write(func(out uintptr) bool {
			for {
				moved, err = unix.Splice(int(in), nil, int(out), nil, largePipe, unix.SPLICE_F_MOVE)
				if err != unix.EINTR { //nolint:errorlint // a bare errno
					return err != unix.EAGAIN //nolint:errorlint // a bare errno
				}
			}
		})
	})
	switch {
	case failed == nil && err == nil && moved == 0:
		return 0, io.EOF
	case failed == nil && err == nil:
		m.to.note(int(moved), nil)
		return int(moved), nil
	case errors.Is(failed, os.ErrDeadlineExceeded):
		m.to.note(0, m.to.pipe.Stalled())
	case errors.Is(err, unix.EPIPE):
		m.to.note(0, err)
	}
	return 0, errUnmovable
}

// await waits until there is something to read, or an end. Then only the output
// can keep a move waiting.
func (m *mover) await() error {
	var err error
	failed := m.in.Control(func(in uintptr) {
		for {
			poll := []unix.PollFd{{Fd: int32(in), Events: unix.POLLIN}} //nolint:gosec // a descriptor
			if _, err = unix.Poll(poll, -1); err != unix.EINTR {        //nolint:errorlint // a bare errno
				return
			}
		}
	})
	return errors.Join(failed, err)
}
