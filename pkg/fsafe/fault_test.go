//go:build unix

package fsafe_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spool/pkg/fsafe"
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

// tmpfs mounts one with options and opens a private directory in it.
func tmpfs(t *testing.T, options string) *fsafe.Dir {
	t.Helper()
	needRoot(t)
	base := t.TempDir()
	mount(t, base, []string{"mount", "-t", "tmpfs", "-o", "mode=755," + options, "tmpfs", base})
	d, _, err := fsafe.CreateRoot(base + "/ns")
	ok(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// fill takes what space is left, and tells what WriteFull told.
func fill(t *testing.T, d *fsafe.Dir) {
	t.Helper()
	f, err := d.Create("filler")
	ok(t, err)
	defer f.Close()
	total := 0
	for {
		n, err := fsafe.WriteFull(f, make([]byte, 70_001))
		total += n
		if err == nil {
			continue
		}
		wantKind(t, err, fsafe.KindNoSpace)
		break
	}
	if info, err := f.Stat(); err != nil || info.Size() != int64(total) {
		t.Fatalf("told %d bytes, file has %d: %v", total, info.Size(), err)
	}
}

func TestReservationPublishesOnAFullDisk(t *testing.T) {
	d := tmpfs(t, "size=1M")
	ok(t, d.Reserve("room", 20_000))
	fill(t, d)
	wantKind(t, d.Publish("a", []byte("content"), true), fsafe.KindNoSpace)
	wantKind(t, d.Replace("a", []byte("content"), true), fsafe.KindNoSpace)
	wantKind(t, d.Reserve("more", 20_000), fsafe.KindNoSpace)
	wantNames(t, d, "filler", "room")
	big := strings.Repeat("c", 40_000)
	wantKind(t, d.PublishReserved("room", "a", []byte(big), true), fsafe.KindNoSpace)
	ok(t, d.PublishReserved("room", "a", []byte(big[:20_000]), true))
	wantContent(t, d, "a", big[:20_000])
	wantNames(t, d, "a", "filler")
}

func TestReservationPublishesWithoutInodes(t *testing.T) {
	d := tmpfs(t, "nr_inodes=16")
	ok(t, d.Reserve("room", 100))
	var err error
	for i := 0; err == nil; i++ {
		err = d.Publish(fmt.Sprintf("filler%d", i), nil, false)
	}
	wantKind(t, err, fsafe.KindNoSpace)
	_, err = d.Mkdir("dir")
	wantKind(t, err, fsafe.KindNoSpace)
	_, err = d.TryLock("lock", fsafe.LockShared, true)
	wantKind(t, err, fsafe.KindNoSpace)
	ok(t, d.PublishReserved("room", "a", []byte("content"), true))
	wantContent(t, d, "a", "content")
}

func TestReservationIsForAnyProcess(t *testing.T) {
	d := tmpfs(t, "size=1M")
	if kind, message := run(t, nil, "reserve", d.Path(), "room"); kind != "none" {
		t.Fatal(message)
	}
	fill(t, d)
	if kind, message := run(t, nil, "publish-reserved", d.Path(), "room", "a", "content"); kind != "none" {
		t.Fatal(message)
	}
	wantContent(t, d, "a", "content")
}

func TestReadOnlyFilesystem(t *testing.T) {
	d := tmpfs(t, "size=1M")
	ok(t, d.Publish("there", []byte("content"), false))
	must(t, "mount", "-o", "remount,ro", filepath.Dir(d.Path()))
	for op, do := range namedOps(d) {
		switch op {
		case "open", "open dir", "read", "stat", "adopt", "reserved", "to", "rename", "rename to", "remove", "rmdir", "tree":
		default:
			if err := do("new"); fsafe.KindOf(err) != fsafe.KindReadOnly {
				t.Errorf("%s: %v", op, err)
			}
		}
	}
	wantKind(t, d.Rename("there", "new"), fsafe.KindReadOnly)
	wantKind(t, d.Remove("there"), fsafe.KindReadOnly)
	wantContent(t, d, "there", "content")
	again, made, err := fsafe.CreateRoot(d.Path())
	if err != nil || made {
		t.Fatal(made, err)
	}
	ok(t, again.Close())
	_, _, err = fsafe.CreateRoot(d.Path() + "2")
	wantKind(t, err, fsafe.KindReadOnly)
}

func TestVanishedFilesystem(t *testing.T) {
	d := tmpfs(t, "size=1M")
	must(t, "umount", "-l", filepath.Dir(d.Path()))
	ok(t, d.Publish("a", nil, true)) // the held one lives on, unseen
	_, err := fsafe.OpenRoot(d.Path())
	wantKind(t, err, fsafe.KindNotExist)
	must(t, "mount", "-t", "tmpfs", "tmpfs", filepath.Dir(d.Path())) // for the cleanup
}

func TestFileSizeLimit(t *testing.T) {
	d := private(t)
	limit := []string{"sh", "-c", `ulimit -f 1; exec "$@"`, "sh"} // 512 or 1024 bytes
	kind, message := run(t, limit, "write", d.Path(), "a", strings.Repeat("x", 5000))
	if kind != "file-too-large" {
		t.Fatal(message)
	}
	if e, err := d.Stat("a"); err != nil || e.Size != 512 && e.Size != 1024 {
		t.Fatalf("%+v, %v", e, err)
	}
	kind, message = run(t, limit, "publish", d.Path(), "b", strings.Repeat("x", 5000))
	if kind != "file-too-large" {
		t.Fatal(message)
	}
	wantNames(t, d, "a")
}

func TestLocalityOfWhatIsHere(t *testing.T) {
	d := tmpfs(t, "size=1M")
	if name, dependable, err := d.Locality(); name != "tmpfs" || !dependable || err != nil {
		t.Fatal(name, dependable, err)
	}
}
