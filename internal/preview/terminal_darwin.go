package preview

import "golang.org/x/sys/unix"

const ioctlAttributes = unix.TIOCGETA
