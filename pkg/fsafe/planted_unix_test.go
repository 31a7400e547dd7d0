//go:build unix

package fsafe_test

import (
	"io/fs"
	"syscall"
)

// blocks is what a file has allocated, in units of 512 bytes.
func blocks(info fs.FileInfo) int64 { return info.Sys().(*syscall.Stat_t).Blocks }

func ownerOf(info fs.FileInfo) uint32 { return info.Sys().(*syscall.Stat_t).Uid }
