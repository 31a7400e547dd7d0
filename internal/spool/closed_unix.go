//go:build unix

package spool

import (
	"errors"

	"golang.org/x/sys/unix"
)

// closedPipe tells whether err says that nobody reads any more. That is the
// reader's choice, and told in the report alone.
func closedPipe(err error) bool { return errors.Is(err, unix.EPIPE) }
