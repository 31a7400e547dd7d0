//go:build unix

package fsafe

import (
	"errors"

	"golang.org/x/sys/unix"
)

// kindOfErrno sorts system errors; KindNone if err holds none.
func kindOfErrno(err error) Kind {
	errno, ok := errors.AsType[unix.Errno](err)
	if !ok {
		return KindNone
	}
	switch errno {
	case unix.ENOSPC:
		return KindNoSpace
	case unix.EDQUOT:
		return KindQuota
	case unix.EIO, unix.ESTALE, unix.ENXIO, unix.ENODEV, unix.ENOTCONN:
		return KindIO // the last four: a server, a disk or a FUSE daemon that went away
	case unix.EFBIG, unix.EOVERFLOW:
		return KindFileTooLarge
	case unix.EROFS:
		return KindReadOnly
	case unix.EACCES, unix.EPERM:
		return KindPermission
	case unix.ENOENT:
		return KindNotExist
	case unix.EEXIST, unix.ENOTEMPTY:
		return KindExist
	case unix.ELOOP:
		return KindLoop
	case unix.EISDIR:
		return KindNotRegular
	case unix.ENOTDIR:
		return KindNotDir
	case unix.ENAMETOOLONG:
		return KindNameTooLong
	case unix.ENOSYS, unix.EOPNOTSUPP, unix.ENOLCK:
		return KindUnsupported
	}
	return KindOther
}
