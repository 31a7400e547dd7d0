package pipeline

import "golang.org/x/sys/unix"

const ioctlUnread = unix.TIOCINQ // FIONREAD
