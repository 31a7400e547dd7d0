//go:build unix

package fsafe_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReserveAllocatesBlocks(t *testing.T) {
	d := private(t)
	ok(t, d.Reserve("room", 1<<20))
	info, err := os.Stat(filepath.Join(d.Path(), "room"))
	ok(t, err)
	if got := blocks(info) * 512; got < 1<<20 {
		t.Fatalf("%d bytes allocated of %d", got, 1<<20)
	}
}
