//go:build unix

package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// withUmask is the command with-umask.
func withUmask() {
	mask := helperNumber(8)
	syscall.Umask(mask)
	helperExec()
}

// withClosed is the command with-closed.
func withClosed() {
	fd := helperNumber(10)
	if err := syscall.Close(fd); err != nil {
		helperFail(fmt.Errorf("close %d: %w", fd, err))
	}
	helperExec()
}

// helperNumber reads the helper's first argument.
func helperNumber(base int) int {
	if len(os.Args) < 3 {
		helperFail(errors.New("number and command are needed"))
	}
	n, err := strconv.ParseUint(os.Args[1], base, 12)
	if err != nil {
		helperFail(err)
	}
	return int(n)
}

// helperExec becomes the command behind the helper's first argument.
func helperExec() {
	path, err := exec.LookPath(os.Args[2])
	if err != nil {
		helperFail(err)
	}
	helperFail(syscall.Exec(path, os.Args[2:], os.Environ()))
}

func helperFail(err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[0], err)
	os.Exit(120)
}
