package spool

import (
	"errors"

	"golang.org/x/sys/windows"
)

// closedPipe tells whether err says that nobody reads any more. That is the
// reader's choice, and told in the report alone.
func closedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
