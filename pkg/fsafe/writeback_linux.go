package fsafe

import (
	"os"

	"golang.org/x/sys/unix"
)

// StartWriteback asks the kernel to begin to write f's dirty pages to the disk,
// without waiting for it: what is left for an fsync at the end is less. It makes
// nothing durable, and its errors are those of that fsync
// (sync_file_range(2), SYNC_FILE_RANGE_WRITE).
func StartWriteback(f *os.File) {
	const all = 0 // bytes from the offset on: to the end of the file
	_ = unix.SyncFileRange(int(f.Fd()), 0, all, unix.SYNC_FILE_RANGE_WRITE)
}

// DropCached lets the kernel forget the cached pages of f's bytes in [start, end)
// that the disk has: what is written once and hardly read should not displace what
// others work with, and the pages are at hand for what comes next. It is advice;
// dirty pages stay (posix_fadvise(2), POSIX_FADV_DONTNEED).
func DropCached(f *os.File, start, end int64) {
	if start < end {
		_ = unix.Fadvise(int(f.Fd()), start, end-start, unix.FADV_DONTNEED)
	}
}
