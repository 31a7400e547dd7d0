//go:build !linux

package fsafe

import "os"

// StartWriteback does nothing here: the pages are written when the file is
// synced, or when the system sees fit.
func StartWriteback(*os.File) {}

// DropCached does nothing here: the system forgets pages when it sees fit.
func DropCached(*os.File, int64, int64) {}
