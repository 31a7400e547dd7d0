package preview

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// IsTerminal tells whether w is a file that is a console.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}
