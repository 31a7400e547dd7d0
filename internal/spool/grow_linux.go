package spool

import (
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// largePipe is what a pipe that is kept full is grown to, in bytes: the most
// that an ordinary user may have.
const largePipe = 1 << 20

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
