package main

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// terminalWidth returns the columns of the console that w is, or 0 if it is
// none.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0
	}
	return max(int(info.Window.Right)-int(info.Window.Left)+1, 1)
}
