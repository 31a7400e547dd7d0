package preview

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// pipeSize is what a pipe is grown to that is seen full again and again. An
// ordinary user has room for some of that size, not for many: where there is
// none the pipe stays as it is.
const pipeSize = 1 << 20

// grow makes the pipe that in may be larger.
func grow(in io.Reader) {
	f, ok := in.(*os.File)
	if !ok {
		return
	}
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
	}
}
