package fsafe_test

import (
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"

	"spool/pkg/fsafe"
)

// What the ext4 ioctl for a shutdown is asked: the number, and to throw away
// even the journal that has not been written.
const (
	ext4Shutdown = 0x8004587d
	noLogFlush   = 2
)

// A disk that loses power keeps what sync said it keeps.
func TestSyncedSurvivesAPowerCut(t *testing.T) {
	needRoot(t)
	tool(t, "mkfs.ext4")
	dir := t.TempDir()
	image, at := dir+"/image", dir+"/mnt"
	ok(t, os.Mkdir(at, 0o755))
	must(t, "truncate", "-s", "16M", image)
	must(t, "mkfs.ext4", "-q", image)
	mountImage(t, image, at)
	mounted := true
	t.Cleanup(func() {
		if mounted {
			must(t, "umount", "-l", at) // also when a failure left something open
		}
	})

	d, _, err := fsafe.CreateRoot(at + "/made/ns")
	ok(t, err)
	ok(t, d.Reserve("room", 4000))
	ok(t, d.Publish("published", []byte("content 1"), true))
	ok(t, d.PublishReserved("room", "reserved", []byte("content 2"), true))
	ok(t, d.Replace("replaced", []byte("old"), true))
	ok(t, d.Replace("replaced", []byte("content 3"), true))
	cutPower(t, at)

	// What is dead says so, and claims nothing.
	wantKind(t, d.Publish("late", nil, true), fsafe.KindIO)
	_, err = d.Create("late")
	wantKind(t, err, fsafe.KindIO)
	ok(t, d.Close())

	must(t, "umount", at)
	mounted = false
	mountImage(t, image, at)
	mounted = true
	d, err = fsafe.OpenRoot(at + "/made/ns")
	ok(t, err)
	wantNames(t, d, "published", "replaced", "reserved")
	wantContent(t, d, "published", "content 1")
	wantContent(t, d, "reserved", "content 2")
	wantContent(t, d, "replaced", "content 3")
	ok(t, d.Close())
}

func mountImage(t *testing.T, image, at string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "mount", "-o", "loop", image, at).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: needs loop devices: %s", out)
	}
}

func cutPower(t *testing.T, at string) {
	t.Helper()
	f, err := os.Open(at)
	ok(t, err)
	defer f.Close()
	ok(t, unix.IoctlSetPointerInt(int(f.Fd()), ext4Shutdown, noLogFlush))
}
