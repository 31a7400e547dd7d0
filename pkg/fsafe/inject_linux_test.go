package fsafe_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"spool/pkg/fsafe"
)

// strace are the words that run a program with a fault in its system calls.
func strace(t *testing.T, calls, fault string) []string {
	t.Helper()
	return []string{tool(t, "strace"), "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + calls, "-e", "inject=" + calls + ":" + fault}
}

func TestFaultsAreToldApartAndLeaveNothing(t *testing.T) {
	tool(t, "strace")
	for _, c := range []struct{ op, calls, fault, want string }{
		{"publish", "pwrite64", "error=ENOSPC", "no-space"},
		{"publish", "pwrite64", "error=EDQUOT", "quota"},
		{"publish", "pwrite64", "error=EIO", "io"},
		{"publish", "pwrite64", "error=EFBIG", "file-too-large"},
		{"publish", "pwrite64", "error=EINTR:when=1", "none"},
		{"publish", "fsync", "error=EIO:when=1", "io"},
		{"publish", "fsync", "error=ENOSPC:when=1", "no-space"},
		{"publish", "fsync", "error=EDQUOT:when=1", "quota"},
		{"publish", "fsync", "error=EINTR:when=1", "none"},
		{"publish", "fsync", "error=EINVAL:when=2", "none"}, // no such thing as syncing a directory
		{"publish", "renameat2", "error=EIO", "io"},
		{"publish", "renameat2", "error=ENOSPC", "no-space"},
		{"publish", "renameat2", "error=EROFS", "read-only"},
		{"publish", "renameat2", "error=EINTR:when=1", "none"},
		{"publish", "renameat2", "error=EINVAL", "none"}, // by link and unlink
		{"publish", "renameat2", "error=ENOSYS", "none"},
		{"publish", "renameat2", "error=EOPNOTSUPP", "none"},
		{"publish", "fchmod", "error=EPERM", "none"}, // not needed
		{"replace", "pwrite64", "error=EIO", "io"},
		{"replace", "renameat", "error=EDQUOT", "quota"},
		{"reserve", "fallocate", "error=ENOSPC", "no-space"},
		{"reserve", "fallocate", "error=EDQUOT", "quota"},
		{"reserve", "fallocate", "error=EINTR:when=1", "none"},
		{"reserve", "fallocate", "error=EOPNOTSUPP", "none"}, // by writing zeros
		{"write", "write", "error=EINTR:when=1", "none"},
		{"root", "mkdirat", "error=EDQUOT", "quota"},
		{"root", "mkdirat", "error=EIO", "io"},
		{"root", "fsync", "error=EIO", "io"},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			path := t.TempDir() + "/ns"
			if c.op != "root" {
				d, _, err := fsafe.CreateRoot(path)
				ok(t, err)
				ok(t, d.Close())
			}
			kind, message := run(t, strace(t, c.calls, c.fault), c.op, path, "a", "content")
			if kind != c.want {
				t.Fatal(message)
			}
			if c.op == "root" {
				return
			}
			d, err := fsafe.OpenRoot(path)
			ok(t, err)
			defer d.Close()
			if c.want == "none" {
				wantNames(t, d, "a")
			} else {
				wantNames(t, d)
			}
		})
	}
}

// After the rename an error means: the name is there, its durability unknown.
func TestFaultAfterTheRenameIsToldAndLeavesTheName(t *testing.T) {
	d := private(t)
	kind, message := run(t, strace(t, "fsync", "error=EIO:when=2"), "publish", d.Path(), "a", "content")
	if kind != "io" {
		t.Fatal(message)
	}
	wantContent(t, d, "a", "content")
	ok(t, d.Reserve("room", 100))
	kind, message = run(t, strace(t, "fsync", "error=EIO:when=2"), "publish-reserved", d.Path(), "room", "b", "content")
	if kind != "io" {
		t.Fatal(message)
	}
	wantContent(t, d, "b", "content")
	wantNames(t, d, "a", "b")
}

// A filesystem that says yes to a mode and keeps another is not good enough.
func TestModeThatDoesNotStickIsRefused(t *testing.T) {
	d := private(t)
	wrap := append([]string{"sh", "-c", `umask 0277; exec "$@"`, "sh"}, strace(t, "fchmod", "retval=0")...)
	for _, op := range []string{"write", "publish", "reserve"} {
		if kind, message := run(t, wrap, op, d.Path(), "a", "content"); kind != "not-private" {
			t.Fatal(message)
		}
		wantNames(t, d)
	}
	if kind, message := run(t, wrap, "root", d.Path()+"/sub"); kind != "not-private" {
		t.Fatal(message)
	}
	wantNames(t, d)
}

// Killed before any system call of its way, a process leaves the whole name or
// none, and beside it at most one temporary. What it leaves can be used.
func TestPublishKilledAnywhereIsWholeOrNotAtAll(t *testing.T) {
	for _, op := range []string{"publish", "replace", "publish-reserved"} {
		for _, call := range []string{"openat", "pwrite64", "ftruncate", "fsync", "close", "renameat2", "renameat"} {
			t.Run(op+" "+call, func(t *testing.T) {
				t.Parallel()
				for n := 1; killedAt(t, op, call, n) && n < 40; n++ {
				}
			})
		}
	}
}

// killedAt reports whether there was an nth such call to be killed at.
func killedAt(t *testing.T, op, call string, n int) bool {
	t.Helper()
	d := private(t)
	args := []string{d.Path(), "a", "content"}
	if op == "publish-reserved" {
		ok(t, d.Reserve("room", 100))
		args = []string{d.Path(), "room", "a", "content"}
	}
	err := child(t, strace(t, call, fmt.Sprintf("signal=KILL:when=%d", n)), op, args...).Run()
	if exit, is := errors.AsType[*exec.ExitError](err); err != nil && !is {
		t.Fatal(err, exit)
	}
	entries, listErr := d.Entries()
	ok(t, listErr)
	named, others := false, 0
	for _, e := range entries {
		ok(t, e.Check())
		switch {
		case e.Name == "a":
			named = true
		case fsafe.IsTemp(e.Name) || e.Name == "room":
			others++
		default:
			t.Fatalf("%s %d left %q", call, n, e.Name)
		}
	}
	if others > 1 {
		t.Fatalf("%s %d left %v", call, n, entries)
	}
	if named {
		wantContent(t, d, "a", "content")
	} else {
		if err == nil {
			t.Fatalf("%s did nothing", op)
		}
		ok(t, d.Publish("a", []byte("by another"), false))
	}
	return err != nil
}

// A death between link and unlink leaves two names on one file: not to be
// opened, and healed by trying again.
func TestRenameByLinkIsHealedByRepetition(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("old", []byte("content"), false))
	wrap := append(strace(t, "renameat2", "error=EINVAL"), "-e", "inject=unlinkat:signal=KILL")
	wrap[6] = "trace=renameat2,unlinkat"
	if err := child(t, wrap, "move", d.Path(), "old", "new").Run(); err == nil {
		t.Fatal("not killed")
	}
	wantNames(t, d, "new", "old")
	_, err := d.Open("new")
	wantKind(t, err, fsafe.KindNotPrivate)
	if kind, message := run(t, strace(t, "renameat2", "error=EINVAL"), "move", d.Path(), "old", "new"); kind != "none" {
		t.Fatal(message)
	}
	wantNames(t, d, "new")
	wantContent(t, d, "new", "content")
}

func TestRenameByLinkRefusesExisting(t *testing.T) {
	d := private(t)
	for _, name := range []string{"file", "other"} {
		ok(t, d.Publish(name, []byte(name), false))
	}
	for _, name := range []string{"dir", "empty", "moved"} {
		sub, err := d.Mkdir(name)
		ok(t, err)
		ok(t, sub.Close())
	}
	ok(t, os.Symlink("nowhere", d.Path()+"/link"))
	noRename := strace(t, "renameat2", "error=EINVAL")
	for _, from := range []string{"file", "dir"} {
		for _, to := range []string{"other", "empty", "link"} {
			if kind, message := run(t, noRename, "move", d.Path(), from, to); kind != "exist" {
				t.Errorf("%s to %s: %s", from, to, message)
			}
		}
	}
	ok(t, d.RemoveDir("moved"))
	if kind, message := run(t, noRename, "move", d.Path(), "dir", "moved"); kind != "none" {
		t.Fatal(message)
	}
	wantNames(t, d, "empty", "file", "link", "moved", "other")
	wantContent(t, d, "other", "other")
}

func TestRemoveTreeWithoutOpenat2(t *testing.T) {
	d := private(t)
	older := strace(t, "openat2", "error=ENOSYS")
	must(t, "mkdir", "-p", d.Path()+"/tree/a/b", d.Path()+"/mounted/on")
	if kind, message := run(t, older, "remove-tree", d.Path(), "tree"); kind != "none" {
		t.Fatal(message)
	}
	wantNames(t, d, "mounted")
	needRoot(t)
	mount(t, d.Path()+"/mounted/on", []string{"mount", "-t", "tmpfs", "tmpfs", d.Path() + "/mounted/on"})
	ok(t, os.WriteFile(d.Path()+"/mounted/on/kept", nil, 0o600))
	if _, message := run(t, older, "remove-tree", d.Path(), "mounted"); !strings.Contains(message, "mounted on it") {
		t.Fatal(message)
	}
	if _, err := os.Lstat(d.Path() + "/mounted/on/kept"); err != nil {
		t.Fatal(err)
	}
}
