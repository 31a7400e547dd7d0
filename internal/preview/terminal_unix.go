//go:build linux || darwin

package preview

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// IsTerminal tells whether w is a file that is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), ioctlAttributes)
	return err == nil
}
