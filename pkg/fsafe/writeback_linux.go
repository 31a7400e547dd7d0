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
