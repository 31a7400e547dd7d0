package redact

import "golang.org/x/sys/unix"

// dup makes to another name of from, kept across an exec.
func dup(from, to int) error { return unix.Dup2(from, to) }

// closeOnExec lets no descriptor from 3 up outlive an exec.
func closeOnExec() {
	const most = 256
	for fd := 3; fd < most; fd++ {
		unix.CloseOnExec(fd)
	}
}
