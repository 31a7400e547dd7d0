package cmdline

import (
	"os"
	"syscall"
)

// ignored are the signals that are no business of a stage.
var ignored = []os.Signal{syscall.SIGINT, syscall.SIGHUP}

// release is empty: no driver runs here.
var release []os.Signal
