//go:build unix

package cmdline

import (
	"os"
	"syscall"
)

// ignored are the signals that are no business of a stage.
var ignored = []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE}
