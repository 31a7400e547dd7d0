//go:build unix

package fsafe_test

import (
	"io/fs"
	"syscall"
	"testing"
)

// blocks is what a file has allocated, in units of 512 bytes.
func blocks(info fs.FileInfo) int64 { return info.Sys().(*syscall.Stat_t).Blocks }

func ownerOf(info fs.FileInfo) uint32 { return info.Sys().(*syscall.Stat_t).Uid }

func mkfifo(t *testing.T, path string) {
	t.Helper()
	ok(t, syscall.Mkfifo(path, 0o600))
}
