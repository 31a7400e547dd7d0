package sluice

import (
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// unblocked returns the pipe f anew, with a file status of its own: one that
// does not block us leaves others who write to it undisturbed.
func unblocked(f *os.File) *os.File {
	info, err := f.Stat()
	if err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		return nil
	}
	anew, err := os.OpenFile("/proc/self/fd/"+strconv.Itoa(int(f.Fd())), os.O_WRONLY|unix.O_NONBLOCK, 0) //nolint:forbidigo // a pipe that we have
	if err != nil {
		return nil
	}
	return anew
}
