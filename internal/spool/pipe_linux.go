package spool

import (
	"io"
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// largePipe is what a pipe that is kept full is grown to, in bytes: the most
// that an ordinary user may have.
const largePipe = 1 << 20

// unblocked returns the pipe f anew, with a file status of its own: one that
// does not block us leaves others who write to it undisturbed. It is nil where
// f is no pipe, or the system does not let us.
func unblocked(f *os.File) *os.File {
	if !isPipe(f) {
		return nil
	}
	anew, err := os.OpenFile("/proc/self/fd/"+strconv.Itoa(int(f.Fd())), os.O_WRONLY|unix.O_NONBLOCK, 0) //nolint:forbidigo // a pipe that we have
	if err != nil {
		return nil
	}
	return anew
}

// grower returns what makes the pipe r larger, or nil.
func grower(r io.Reader) func() {
	f, ok := r.(*os.File)
	if !ok || !isPipe(f) {
		return nil
	}
	return func() {
		// Refused where the user's pipes hold as much as they may: it goes on
		// as it was.
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETPIPE_SZ, largePipe)
	}
}

func isPipe(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().Type() == fs.ModeNamedPipe
}
