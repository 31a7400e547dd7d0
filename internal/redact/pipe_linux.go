package redact

import "golang.org/x/sys/unix"

// growPipe makes the pipe larger that has been found full again and again. An
// ordinary user has room for some pipes of this size, not for many: where there
// is none left the pipe stays as it is.
func growPipe(fd int) { _, _ = unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, 1<<20) }
