package cmdline

import (
	"context"
	"errors"
	"os"
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

// ReleaseContext ends when a driver lets go of the stage that reads from the
// command, because the command has ended and others hold its pipe: settle,
// report, and then go on reading for nobody. Released tells whether it was that
// which ended the context.
func ReleaseContext(ctx context.Context) (inner context.Context, released func() bool, stop context.CancelFunc) {
	inner, cancel := context.WithCancelCause(ctx)
	if len(release) == 0 {
		return inner, func() bool { return false }, func() { cancel(nil) }
	}
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, release...) // never stopped: once more changes nothing
	go func() {
		<-ch
		cancel(errReleased)
	}()
	return inner, func() bool { return errors.Is(context.Cause(inner), errReleased) }, func() { cancel(nil) }
}

var errReleased = errors.New("released by the driver")
