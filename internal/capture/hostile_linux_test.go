package capture

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// plants put something of no good in the place of a file.
var plants = map[string]func(path, victim string) error{
	"link":          func(path, victim string) error { return os.Symlink(victim, path) },
	"dangling link": func(path, _ string) error { return os.Symlink("/nowhere/at/all", path) },
	"hard link":     func(path, victim string) error { return os.Link(victim, path) },
	"fifo":          func(path, _ string) error { return unix.Mkfifo(path, 0o600) },
	"directory":     func(path, _ string) error { return os.Mkdir(path, 0o700) },
	"open to all":   func(path, _ string) error { return errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o666)) },
	"socket": func(path, _ string) error {
		// A long path does not fit into an address: by the descriptor of its directory.
		dir, err := os.Open(filepath.Dir(path))
		if err != nil {
			return err
		}
		defer dir.Close()
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path))})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	},
}

// TestWhatIsPlantedIsRefusedAtOnce plants each in the place of each file that is
// opened, and asks all that opens it.
func TestWhatIsPlantedIsRefusedAtOnce(t *testing.T) {
	uses := map[string]func(context.Context, *Capture) error{
		"../allowance": func(ctx context.Context, c *Capture) error {
			_, err := c.Quota(launch().Limits).Reserve(ctx, 1)
			return err
		},
		"../lock":    func(ctx context.Context, c *Capture) error { _, err := c.Namespace().Lock(ctx); return err },
		"lock":       func(ctx context.Context, c *Capture) error { return c.Hold(ctx) },
		"begin.json": func(_ context.Context, c *Capture) error { _, err := c.Begin(); return err },
		"receipt.json": func(ctx context.Context, c *Capture) error {
			return errors.Join(c.Publish(ctx, partial(c), false), c.WriteTee(tee("stdout")))
		},
		"stdout.tee.json": func(_ context.Context, c *Capture) error { return c.WriteTee(tee("stdout")) },
		"stdout.live":     func(_ context.Context, c *Capture) error { _, err := c.CreateStream("stdout", plain); return err },
		"stdout":          func(_ context.Context, c *Capture) error { _, err := c.OpenStream("stdout"); return err },
		"delivered":       func(_ context.Context, c *Capture) error { return c.Claim("me") },
		"cursors/me":      func(ctx context.Context, c *Capture) error { _, err := c.Cursor(ctx, "me"); return err },
		"cursors":         func(ctx context.Context, c *Capture) error { _, err := c.Cursor(ctx, "me"); return err },
	}
	for place, use := range uses {
		for what, plant := range plants {
			if place == "cursors" && what == "directory" {
				continue // as it should be
			}
			t.Run(place+" is a "+what, func(t *testing.T) {
				c := begin(t, newNamespace(t))
				if err := c.Release(); err != nil {
					t.Fatal(err)
				}
				victim := filepath.Join(t.TempDir(), "victim")
				if err := os.WriteFile(victim, []byte("untouched"), 0o600); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(c.Path(), place)
				_ = os.Mkdir(filepath.Join(c.Path(), strings.TrimSuffix(filepath.Dir(place), ".")), 0o700)
				_ = os.Remove(path)
				if err := plant(path, victim); err != nil {
					t.Fatal(err)
				}
				before, err := os.Lstat(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := use(t.Context(), c); err == nil {
					t.Error("no error")
				}
				after, err := os.Lstat(path)
				if err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() {
					t.Errorf("changed: %v, %v", after, err)
				}
				if data, err := os.ReadFile(victim); err != nil || string(data) != "untouched" {
					t.Errorf("victim: %q, %v", data, err)
				}
			})
		}
	}
}

func TestCaptureIsNeverALinkAndNothingElse(t *testing.T) {
	for what, plant := range plants {
		if what == "directory" || what == "hard link" || what == "open to all" {
			continue
		}
		t.Run(what, func(t *testing.T) {
			ns := newNamespace(t)
			c := begin(t, ns)
			id := format.ID("01kb0000000000000000000000")
			if err := plant(filepath.Join(ns.Path(), string(id)), c.Path()); err != nil {
				t.Fatal(err)
			}
			if _, err := ns.Open(id); err == nil || errors.Is(err, ErrNotFound) {
				t.Errorf("opened: %v", err)
			}
			if err := ns.Recount(t.Context(), nil); err != nil {
				t.Errorf("recount: %v", err)
			}
		})
	}
}

func TestPathOfACaptureIsThatOfANamespaceAndAnID(t *testing.T) {
	ns := newNamespace(t)
	c := begin(t, ns)
	for _, path := range []string{
		"", ".", "/", ns.Path(), c.Path() + "/..", c.Path() + "/lock", c.Path() + "x", strings.ToUpper(c.Path()),
		filepath.Join(ns.Path(), "..", filepath.Base(ns.Path()), "latest"), c.Path() + "\x00", c.Path() + "\n",
		filepath.Join(ns.Path(), ".new-"+string(c.ID())), filepath.Join(ns.Path(), strings.Repeat("0", 300)),
	} {
		if got, err := OpenPath(path); err == nil {
			t.Errorf("%q: opened %s", path, got.Path())
		}
	}
	got, err := OpenPath(c.Path() + "//.")
	if err != nil || got.ID() != c.ID() {
		t.Fatal(err)
	}
	if err := got.Close(); err != nil {
		t.Error(err)
	}
}

func TestNamespaceThatIsOpenToOthersIsRefusedAsItIs(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []os.FileMode{0o755, 0o770, 0o701} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		_, err := CreateNamespace(dir)
		if fsafe.KindOf(err) != fsafe.KindNotPrivate {
			t.Errorf("%o: %v", mode, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%o became %v, %v", mode, info.Mode(), err)
		}
	}
}

func TestDiscardLeavesWhatItDoesNotKnow(t *testing.T) {
	ns := newNamespace(t)
	c := begin(t, ns)
	foreign := filepath.Join(c.Path(), "notes.txt")
	if err := os.WriteFile(foreign, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Discard(t.Context()); err == nil {
		t.Error("no error, though something is left")
	}
	if ids, err := ns.IDs(); err != nil || len(ids) != 0 {
		t.Errorf("still found: %v, %v", ids, err)
	}
	left := filepath.Join(ns.Path(), DeletedName(c.ID()), "notes.txt")
	if data, err := os.ReadFile(left); err != nil || string(data) != "mine" {
		t.Errorf("%q, %v", data, err)
	}
	if err := os.Remove(left); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := ns.FinishDiscard(c.ID()); err != nil {
			t.Error(err)
		}
	}
	if names, err := ns.Root().Names(); err != nil || len(names) != 2 {
		t.Errorf("left %q, %v", names, err)
	}
}

// TestBeginOnAFullDiskLeavesNothing tries with every amount of room up to what
// is enough.
func TestBeginOnAFullDiskLeavesNothing(t *testing.T) {
	begun := false
	for inodes := 3; inodes < 20; inodes++ {
		dir := t.TempDir()
		if err := unix.Mount("spool", dir, "tmpfs", 0, fmt.Sprintf("mode=700,size=1m,nr_inodes=%d", inodes)); err != nil {
			t.Skipf("SKIPPED: needs a tmpfs of its own: %v", err)
		}
		ns, err := OpenNamespace(dir)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ns.Begin(launch())
		if err == nil {
			begun = true
			if err := errors.Join(c.Publish(t.Context(), partial(c), true), c.Close()); err != nil {
				t.Errorf("%d inodes: %v", inodes, err)
			}
		} else {
			names, _ := ns.Root().Names()
			for _, name := range names {
				if name != lockFile && name != allowanceFile {
					t.Errorf("%d inodes: left %q", inodes, name)
				}
			}
			if fsafe.KindOf(err) != fsafe.KindNoSpace {
				t.Errorf("%d inodes: %v", inodes, err)
			}
		}
		if err := errors.Join(ns.Close(), unix.Unmount(dir, unix.MNT_DETACH)); err != nil {
			t.Fatal(err)
		}
	}
	if !begun {
		t.Error("never begun")
	}
}
