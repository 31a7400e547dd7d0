//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth returns the columns of the terminal that w is, or 0 if it is
// none or does not tell.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ) //nolint:gosec // a descriptor
	if err != nil {
		return 0
	}
	if size.Col == 0 {
		return 80 // a terminal that was told no size
	}
	return int(size.Col)
}
