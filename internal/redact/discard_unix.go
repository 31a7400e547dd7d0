//go:build unix

package redact

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// BecomeDrainer turns this process into one that reads its stdin to the end and
// throws it away, so that whoever still writes to it can write on. It keeps
// nothing else: stdout and stderr are let go, as are the locks on other
// descriptors, and the new image has neither the environment nor the memory in
// which secrets were. executable is this program's file. It returns only if
// that fails.
func BecomeDrainer(executable, name string) error {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %q: %w", os.DevNull, err)
	}
	for _, fd := range []int{1, 2} {
		if err := dup(null, fd); err != nil {
			return fmt.Errorf("let go of descriptor %d: %w", fd, err)
		}
	}
	// Whoever asked for this may ask again before the new image has a handler;
	// what is ignored stays so.
	signal.Ignore(unix.SIGUSR1)
	closeOnExec()
	signal.Ignore(unix.SIGUSR1) // who asks for this may ask again, and must not end the new image
	if err := syscall.Exec(executable, []string{name, "--discard"}, nil); err != nil {
		return fmt.Errorf("execute %q: %w", executable, err)
	}
	return nil
}
