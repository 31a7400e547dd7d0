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

func TestOnlyKnownLocalFilesystemsHaveDependableLocks(t *testing.T) {
	for magic, want := range map[uint32]struct {
		name       string
		dependable bool
	}{
		0xef53: {"ext4", true}, 0x58465342: {"xfs", true}, 0x9123683e: {"btrfs", true}, 0x01021994: {"tmpfs", true},
		0x794c7630: {"overlay", true}, 0x6969: {"nfs", false}, 0xff534d42: {"cifs", false}, 0xfe534d42: {"smb2", false},
		0x01021997: {"9p", false}, 0x65735546: {"fuse", false}, 0xdeadbeef: {"unknown (0xdeadbeef)", false},
	} {
		if name, dependable := filesystem(magic); name != want.name || dependable != want.dependable {
			t.Errorf("%x: %s, %v", magic, name, dependable)
		}
	}
}
