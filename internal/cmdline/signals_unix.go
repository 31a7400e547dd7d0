//go:build unix

package cmdline

import (
	"os"
	"syscall"
)

// ignored are the signals that are no business of a stage. A file over the limit
// of the process is an error of the write, too (SIGXFSZ).
var ignored = []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGXFSZ}

// release is the signal by which a driver lets go of the first stage of a line.
var release = []os.Signal{syscall.SIGUSR1}
