package fsafe

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// What admits where the kernel cannot set a mode by descriptor.
func TestAdmitByProcOpensALockedDirectory(t *testing.T) {
	path := t.TempDir() + "/locked"
	if err := os.Mkdir(path, 0); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Open(path, openOnce|unix.O_DIRECTORY|unix.O_PATH, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := admitByProc(fd); err != nil {
		t.Fatal(err)
	}
	if err := unix.Close(fd); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatal(info, err)
	}
}
