//go:build unix

package fsafe

import (
	"math"

	"golang.org/x/sys/unix"
)

func (h handle) free() (int64, bool) {
	var st unix.Statfs_t
	if err := h.at(func(fd int) error { return unix.Fstatfs(fd, &st) }); err != nil || st.Bsize <= 0 {
		return 0, false
	}
	size := uint64(st.Bsize) //nolint:gosec,unconvert // positive; 32 bits on darwin
	if st.Bavail > math.MaxInt64/size {
		return math.MaxInt64, true
	}
	return int64(st.Bavail * size), true //nolint:gosec // checked above
}
