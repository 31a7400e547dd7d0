package pipeline

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// isNotExist tells whether err says that something is not there.
func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// mayCreateIn tells why nothing can be created in dir.
func mayCreateIn(dir string) error {
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return unix.ENOTDIR
	}
	return unix.Access(dir, unix.W_OK|unix.X_OK)
}
