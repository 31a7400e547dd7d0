package redact

import (
	"os"

	"golang.org/x/sys/unix"
)

// growPipe makes f larger if it is a pipe: one that has been found full again and
// again. An ordinary user has room for some pipes of this size, not for many:
// where there is none left the pipe stays as it is.
func growPipe(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}
