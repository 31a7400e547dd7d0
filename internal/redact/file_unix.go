//go:build unix

package redact

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openSecrets opens without waiting for a writer, should it be a FIFO.
func openSecrets(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0) //nolint:forbidigo // a file of the user's, only read
}

// checkPrivate refuses a file that is not its owner's alone.
func checkPrivate(info os.FileInfo) error {
	if info.Mode().Perm()&0o077 != 0 {
		return errors.New("others can read it; chmod 600 makes it private")
	}
	return nil
}
