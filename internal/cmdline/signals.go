package cmdline

import (
	"context"
	"os/signal"
	"syscall"
)

// StageContext is what a stage does about signals. SIGINT and SIGHUP are the
// command's: a stage ignores them, to take in its last words. A closed pipe is
// an error of the write, not the end of the process. SIGTERM ends the context:
// settle, report, end. The stop function releases the context.
func StageContext(ctx context.Context) (context.Context, context.CancelFunc) {
	signal.Ignore(ignored...)
	return signal.NotifyContext(ctx, syscall.SIGTERM)
}
