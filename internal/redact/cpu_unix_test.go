//go:build unix

package redact

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime returns the processor time that the process has used: unlike the time
// on the clock it does not grow because others want the processor too.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
