//go:build unix

package fsafe_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"spool/pkg/fsafe"
)

// planted is what lies in place of a file or directory of ours: made by a
// shell, and the kind of error with which files and directories refuse it.
var planted = []struct {
	name, make string
	file, dir  fsafe.Kind
}{
	{"link to a private file", `touch f; chmod 600 f; ln -s f it`, fsafe.KindLoop, fsafe.KindLoop},
	{"link to a private directory", `mkdir -m 700 d; ln -s d it`, fsafe.KindLoop, fsafe.KindLoop},
	{"link out of the directory", `ln -s /etc/passwd it`, fsafe.KindLoop, fsafe.KindLoop},
	{"dangling link", `ln -s absent it`, fsafe.KindLoop, fsafe.KindLoop},
	{"pipe", `mkfifo -m 600 it`, fsafe.KindNotRegular, fsafe.KindNotDir},
	{"device", `mknod -m 600 it c 1 3`, fsafe.KindNotRegular, fsafe.KindNotDir},
	{"terminal", `mknod -m 600 it c 5 0`, fsafe.KindNotRegular, fsafe.KindNotDir},
	{"directory", `mkdir -m 700 it`, fsafe.KindNotRegular, fsafe.KindNone},
	{"file", `touch it; chmod 600 it`, fsafe.KindNone, fsafe.KindNotDir},
	{"hard link", `touch f; chmod 600 f; ln f it`, fsafe.KindNotPrivate, fsafe.KindNotDir},
	{"file open to the group", `touch it; chmod 640 it`, fsafe.KindNotPrivate, fsafe.KindNotDir},
	{"file that others may write", `touch it; chmod 602 it`, fsafe.KindNotPrivate, fsafe.KindNotDir},
	{"directory open to others", `mkdir -m 701 it`, fsafe.KindNotRegular, fsafe.KindNotPrivate},
	{"stranger's file", `touch it; chmod 600 it; chown 54321 it`, fsafe.KindForeign, fsafe.KindNotDir},
	{"stranger's directory", `mkdir -m 700 it; chown 54321 it`, fsafe.KindNotRegular, fsafe.KindForeign},
}

func TestPlantedThingsAreRefusedAndUntouched(t *testing.T) {
	needRoot(t)
	for _, p := range planted {
		t.Run(p.name, func(t *testing.T) {
			d := private(t)
			must(t, "sh", "-ec", "cd "+d.Path()+"; "+p.make)
			before := listing(t, d.Path())

			opens := map[string]func(string) (*os.File, error){
				"open": d.Open, "read and write": d.OpenRW, "append": d.OpenAppend,
			}
			for name, open := range opens {
				f, err := open("it")
				if got := fsafe.KindOf(err); got != p.file {
					t.Errorf("%s: kind %v, want %v: %v", name, got, p.file, err)
				}
				if f != nil {
					ok(t, f.Close())
				}
			}
			sub, err := d.OpenDir("it")
			wantKind(t, err, p.dir)
			if sub != nil {
				ok(t, sub.Close())
			}
			if p.file != fsafe.KindNone {
				_, err = d.TryLock("it", fsafe.LockShared, true)
				wantKind(t, err, p.file)
				wantKind(t, d.Replace("it", []byte("new"), false), p.file)
				wantKind(t, d.PublishReserved("it", "new", nil, false), p.file)
			}
			wantTaken(t, d, "it")
			if after := listing(t, d.Path()); after != before {
				t.Fatalf("changed:\n%s\n%s", before, after)
			}
		})
	}
}

// wantTaken fails unless everything that creates finds the name taken.
func wantTaken(t *testing.T, d *fsafe.Dir, name string) {
	t.Helper()
	_, err := d.Create(name)
	wantKind(t, err, fsafe.KindExist)
	_, err = d.Mkdir(name)
	wantKind(t, err, fsafe.KindExist)
	wantKind(t, d.Reserve(name, 10), fsafe.KindExist)
	wantKind(t, d.Publish(name, nil, false), fsafe.KindExist)
}

// Opened without blocking on a pipe, it must block like any file afterwards:
// children inherit the flag.
func TestOpenedFileIsLeftBlocking(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("a", nil, false))
	f, err := d.OpenRW("a")
	ok(t, err)
	defer f.Close()
	raw, err := f.SyscallConn()
	ok(t, err)
	ok(t, raw.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if err != nil || flags&unix.O_NONBLOCK != 0 {
			t.Errorf("flags %x, %v", flags, err)
		}
	}))
}

func TestModeZeroFileIsRefusedAndUntouched(t *testing.T) {
	needRoot(t)
	tool(t, "setpriv")
	base := publicDir(t)
	ok(t, os.Chown(base, 54321, 54321))
	ns := base + "/ns"
	must(t, append(asUser(), "sh", "-ec", "mkdir -m 700 "+ns+"; echo kept >"+ns+"/it; chmod 0 "+ns+"/it")...)
	before := listing(t, ns)
	for op, want := range map[string]string{"publish": "exist", "replace": "permission", "read": "permission", "write": "exist"} {
		args := []string{ns, "it", "new"}
		if kind, message := run(t, asUser(), op, args...); kind != want {
			t.Errorf("%s: %s", op, message)
		}
	}
	if after := listing(t, ns); after != before {
		t.Fatalf("changed:\n%s\n%s", before, after)
	}
	if data, err := os.ReadFile(ns + "/it"); err != nil || string(data) != "kept\n" {
		t.Fatalf("%q, %v", data, err)
	}
}

func TestNamesAreSingleComponents(t *testing.T) {
	d := private(t)
	before := listing(t, filepath.Dir(d.Path()))
	for name, want := range map[string]fsafe.Kind{
		"": fsafe.KindBadName, ".": fsafe.KindBadName, "..": fsafe.KindBadName, "/": fsafe.KindBadName,
		"a/b": fsafe.KindBadName, "../a": fsafe.KindBadName, "/a": fsafe.KindBadName, "a/": fsafe.KindBadName,
		"a\x00b": fsafe.KindBadName, strings.Repeat("n", 256): fsafe.KindNameTooLong,
	} {
		for op, do := range namedOps(d) {
			if err := do(name); fsafe.KindOf(err) != want {
				t.Errorf("%s %q: %v", op, name, err)
			}
		}
	}
	if after := listing(t, filepath.Dir(d.Path())); after != before {
		t.Fatalf("changed:\n%s\n%s", before, after)
	}
}

// namedOps is everything that takes a name.
func namedOps(d *fsafe.Dir) map[string]func(string) error {
	return map[string]func(string) error{
		"open":      func(n string) error { _, err := d.Open(n); return err },
		"create":    func(n string) error { _, err := d.Create(n); return err },
		"open dir":  func(n string) error { _, err := d.OpenDir(n); return err },
		"mkdir":     func(n string) error { _, err := d.Mkdir(n); return err },
		"read":      func(n string) error { _, err := d.ReadFile(n, 1); return err },
		"publish":   func(n string) error { return d.Publish(n, nil, false) },
		"replace":   func(n string) error { return d.Replace(n, nil, false) },
		"reserve":   func(n string) error { return d.Reserve(n, 1) },
		"reserved":  func(n string) error { return d.PublishReserved(n, "a", nil, false) },
		"to":        func(n string) error { return d.PublishReserved("a", n, nil, false) },
		"rename":    func(n string) error { return d.Rename(n, "a") },
		"rename to": func(n string) error { return d.Rename("a", n) },
		"remove":    func(n string) error { return d.Remove(n) },
		"rmdir":     func(n string) error { return d.RemoveDir(n) },
		"tree":      func(n string) error { return d.RemoveTree(n) },
		"stat":      func(n string) error { _, err := d.Stat(n); return err },
		"lock":      func(n string) error { _, err := d.TryLock(n, fsafe.LockShared, true); return err },
		"adopt": func(n string) error {
			f, err := os.Open(os.DevNull)
			if err != nil {
				return err
			}
			_, err = d.Adopt(f, n, fsafe.LockShared)
			return err
		},
	}
}

func TestStrangeNamesAreKeptApartAndQuoted(t *testing.T) {
	d := private(t)
	names := []string{"a\nb", "\x1b[31mred", "\u202ertl", " ", "-rf", "\xff\xfe", strings.Repeat("n", 255)}
	for _, name := range names {
		ok(t, d.Publish(name, []byte(name), false))
		wantContent(t, d, name, name)
		err := d.Publish(name, nil, false)
		wantKind(t, err, fsafe.KindExist)
		if strings.ContainsAny(err.Error(), "\n\x1b\u202e") {
			t.Errorf("the name forges the message: %q", err.Error())
		}
	}
	entries, err := d.Entries()
	if err != nil || len(entries) != len(names) {
		t.Fatal(entries, err)
	}
	for _, name := range names {
		ok(t, d.Remove(name))
	}
	wantNames(t, d)
}

// An attacker swaps what lies under the names that we use, as fast as it can.
// Nothing of ours may come to lie outside, nothing from outside may be read.
func TestSwappingAttackerGetsNothingOutside(t *testing.T) {
	d := private(t)
	outside := t.TempDir()
	ok(t, os.WriteFile(outside+"/bait", []byte("bait"), 0o600))
	ok(t, os.Mkdir(outside+"/dir", 0o700))
	before := listing(t, outside)

	stop := make(chan struct{})
	var wg sync.WaitGroup
	for _, name := range []string{"file", "dir", "lock"} {
		wg.Go(func() { swap(d.Path()+"/"+name, outside, stop) })
	}
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); {
		useUnderAttack(t, d)
	}
	close(stop)
	wg.Wait()
	if after := listing(t, outside); after != before {
		t.Fatalf("changed:\n%s\n%s", before, after)
	}
	if data, err := os.ReadFile(outside + "/bait"); err != nil || string(data) != "bait" {
		t.Fatalf("%q, %v", data, err)
	}
}

// A hard link to a file outside that loses its name here between open and fstat
// leaves that file with one name, as ours have: it must not be taken for one.
func TestVanishingHardLinkIsNotTakenForOurs(t *testing.T) {
	d := private(t)
	bait := t.TempDir() + "/bait"
	ok(t, os.WriteFile(bait, nil, 0o600))
	needFineTimes(t, bait)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = os.Link(bait, d.Path()+"/a")
				_ = os.Remove(d.Path() + "/a")
			}
		}
	})
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); {
		if f, err := d.OpenRW("a"); err == nil {
			_ = f.Close()
			t.Error("opened")
			break
		}
	}
	close(stop)
	wg.Wait()
}

// needFineTimes skips where two changes may bear the same time.
func needFineTimes(t *testing.T, path string) {
	t.Helper()
	changed := func() time.Time {
		f, err := os.Open(path)
		ok(t, err)
		defer f.Close()
		e, err := fsafe.StatFile(f)
		ok(t, err)
		return e.Changed
	}
	for range 100 {
		before := changed()
		ok(t, os.Link(path, path+"2"))
		ok(t, os.Remove(path+"2"))
		if before.Equal(changed()) {
			t.Skip("SKIPPED: needs a kernel and filesystem with fine timestamps (Linux 6.13)")
		}
	}
}

// swap puts links, pipes, directories and hard links to the bait under path.
func swap(path, outside string, stop <-chan struct{}) {
	steps := []func(){
		func() { _ = os.Symlink(outside+"/bait", path) },
		func() { _ = os.Symlink(outside+"/dir", path) },
		func() { _ = os.Symlink(outside+"/new", path) },
		func() { _ = os.Mkdir(path, 0o700) },
		func() { _ = os.Link(outside+"/bait", path) },
		func() { _ = os.WriteFile(path, []byte("planted"), 0o600) },
	}
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		_ = os.RemoveAll(path)
		steps[i%len(steps)]()
	}
}

func useUnderAttack(t *testing.T, d *fsafe.Dir) {
	t.Helper()
	if data, err := d.ReadFile("file", 100); err == nil && strings.Contains(string(data), "bait") {
		t.Fatal("read from outside")
	}
	if f, err := d.OpenAppend("file"); err == nil {
		_, _ = fsafe.WriteFull(f, []byte("written"))
		ok(t, f.Close())
	}
	_ = d.Publish("file", []byte("published"), false)
	_ = d.Replace("file", []byte("replaced"), false)
	if f, err := d.Create("file"); err == nil {
		ok(t, f.Close())
	}
	for _, open := range []func(string) (*fsafe.Dir, error){d.Mkdir, d.OpenDir} {
		sub, err := open("dir")
		if err == nil {
			_ = sub.Publish("in", nil, false)
			ok(t, sub.Close())
		}
	}
	_ = d.RemoveTree("dir")
	if l, err := d.TryLock("lock", fsafe.LockExclusive, true); err == nil {
		ok(t, l.Unlock())
	}
}

// Another user swaps what lies where we would make our directory.
func TestStrangerSwappingThePathGetsNothing(t *testing.T) {
	needRoot(t)
	tool(t, "setpriv")
	base := publicDir(t)
	mkdir(t, base+"/tmp", 0o777|os.ModeSticky)
	mkdir(t, base+"/theirs", 0o700)
	ok(t, os.Chown(base+"/theirs", 54321, 54321))
	script := `cd ` + base + `/tmp; while :; do
		ln -s ../theirs x; rm -f x; mkdir x; rmdir x; mkdir -m 777 x; rmdir x; mkfifo x; rm -f x; done 2>/dev/null`
	cmd := exec.CommandContext(t.Context(), "setpriv", append(asUser()[1:], "sh", "-c", script)...)
	ok(t, cmd.Start())
	var made, refused int
	begun := time.Now()
	for time.Since(begun) < 500*time.Millisecond || (made == 0 || refused == 0) && time.Since(begun) < 10*time.Second {
		d, _, err := fsafe.CreateRoot(base + "/tmp/x/ns")
		if err != nil {
			refused++
			continue
		}
		made++
		ok(t, d.Publish("a", []byte("ours"), false))
		ok(t, d.Close())
		ok(t, os.RemoveAll(base+"/tmp/x"))
	}
	ok(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	t.Logf("made %d times, refused %d times", made, refused)
	if made == 0 || refused == 0 {
		t.Fatal("no race took place")
	}
	if names, err := os.ReadDir(base + "/theirs"); err != nil || len(names) > 0 {
		t.Fatalf("%v, %v", names, err)
	}
}

func TestHeldDirectoryStaysTheSameUnderAnotherPath(t *testing.T) {
	base := t.TempDir()
	d, _, err := fsafe.CreateRoot(base + "/ns")
	ok(t, err)
	defer d.Close()
	ok(t, os.Rename(base+"/ns", base+"/moved"))
	ok(t, os.Symlink("/", base+"/ns"))
	ok(t, d.Publish("a", nil, false))
	if _, err := os.Lstat(base + "/moved/a"); err != nil {
		t.Fatal(err)
	}
}

func TestRemovedDirectoryIsAnErrorNotAPlace(t *testing.T) {
	d := private(t)
	ok(t, os.Remove(d.Path()))
	wantKind(t, d.Publish("a", nil, true), fsafe.KindNotExist)
	_, err := d.Mkdir("a")
	wantKind(t, err, fsafe.KindNotExist)
	_, err = d.TryLock("lock", fsafe.LockShared, true)
	wantKind(t, err, fsafe.KindNotExist)
}

func TestClosedDirectoryIsAnError(t *testing.T) {
	d := private(t)
	ok(t, d.Close())
	for op, do := range namedOps(d) {
		if err := do("a"); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: %v", op, err)
		}
	}
}
