package pipeline

import (
	"context"
	"errors"
	"syscall"

	"spool/internal/capture"
)

// cancelSignal asks a supervisor to cancel its command.
const cancelSignal = syscall.SIGINFO

// Cancel is refused: a pid alone does not prove that it is still the
// supervisor's.
func Cancel(context.Context, *capture.Capture) error {
	return errors.ErrUnsupported
}
