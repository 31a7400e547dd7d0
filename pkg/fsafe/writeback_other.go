//go:build !linux

package fsafe

import "os"

// StartWriteback does nothing here: the pages are written when the file is
// synced, or when the system sees fit.
func StartWriteback(*os.File) {}
