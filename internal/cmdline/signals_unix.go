//go:build unix

package cmdline

import (
	"os"
	"syscall"
)

// ignored are the signals that are no business of a stage. A file over the limit
// of the process is an error of the write, too (SIGXFSZ).
var ignored = []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGXFSZ}
