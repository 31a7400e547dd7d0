package fsafe

import (
	"errors"

	"golang.org/x/sys/windows"
)

// kindOfErrno sorts system errors; KindNone if err holds none.
func kindOfErrno(err error) Kind {
	errno, ok := errors.AsType[windows.Errno](err)
	if !ok {
		return KindNone
	}
	switch errno {
	case windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL:
		return KindNoSpace
	case windows.ERROR_DISK_QUOTA_EXCEEDED:
		return KindQuota
	case windows.ERROR_CRC, windows.ERROR_IO_DEVICE, windows.ERROR_NOT_READY, windows.ERROR_DEV_NOT_EXIST,
		windows.ERROR_BAD_NETPATH, windows.ERROR_NETNAME_DELETED:
		return KindIO
	case windows.ERROR_FILE_TOO_LARGE:
		return KindFileTooLarge
	case windows.ERROR_WRITE_PROTECT:
		return KindReadOnly
	case windows.ERROR_ACCESS_DENIED, windows.ERROR_SHARING_VIOLATION, windows.ERROR_PRIVILEGE_NOT_HELD:
		return KindPermission
	case windows.ERROR_FILE_NOT_FOUND, windows.ERROR_PATH_NOT_FOUND:
		return KindNotExist
	case windows.ERROR_FILE_EXISTS, windows.ERROR_ALREADY_EXISTS, windows.ERROR_DIR_NOT_EMPTY:
		return KindExist
	case windows.ERROR_CANT_ACCESS_FILE, windows.ERROR_STOPPED_ON_SYMLINK:
		return KindLoop
	case windows.ERROR_DIRECTORY:
		return KindNotDir
	case windows.ERROR_FILENAME_EXCED_RANGE:
		return KindNameTooLong
	case windows.ERROR_INVALID_NAME:
		return KindBadName
	case windows.ERROR_NOT_SUPPORTED, windows.ERROR_INVALID_FUNCTION:
		return KindUnsupported
	}
	return KindOther
}
