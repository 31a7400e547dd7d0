package redact

import "golang.org/x/sys/unix"

// dup makes to another name of from, kept across an exec.
func dup(from, to int) error { return unix.Dup3(from, to, 0) }

// closeOnExec lets no descriptor from 3 up outlive an exec.
func closeOnExec() {
	const all = 1<<32 - 1
	_ = unix.CloseRange(3, all, unix.CLOSE_RANGE_CLOEXEC) // an old kernel cannot; they are few
}
