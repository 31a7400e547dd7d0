//go:build unix

package fsafe_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"spool/pkg/fsafe"
)

// The walk ends where the kernel ends, and refuses what the kernel does not
// find; only a link at the end is refused beyond that.
func TestWalkAgreesWithTheKernel(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	ok(t, err)
	ok(t, os.Chmod(base, 0o700))
	must(t, "sh", "-ec", "cd "+base+"; umask 077; mkdir -p a/b c; touch file; ln -s a rel; ln -s "+base+
		"/a/b abs; ln -s .. a/up; ln -s ../rel/b a/far; ln -s me me; ln -s gone dangling; ln -s file tofile")
	parts := []string{"a", "b", "c", "..", ".", "", "rel", "abs", "up", "far", "me", "dangling", "file", "tofile", "gone"}
	rapid.Check(t, func(t *rapid.T) {
		path := base + "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 8).Draw(t, "path"), "/")
		d, err := fsafe.OpenRoot(path)
		if err == nil {
			defer d.Close()
		}
		want, kernelErr := os.Stat(path)
		switch {
		case endsInLink(path):
			if err == nil {
				t.Fatalf("%s: a link at the end was opened", path)
			}
		case kernelErr != nil:
			if err == nil {
				t.Fatalf("%s: opened, kernel: %v", path, kernelErr)
			}
		case !strings.HasPrefix(mustResolve(t, path), base) || !want.IsDir():
			if err == nil && !want.IsDir() {
				t.Fatalf("%s: not a directory, opened", path)
			}
		case err != nil:
			t.Fatalf("%s: %v", path, err)
		default:
			same(t, d, path)
		}
	})
}

func mustResolve(t *rapid.T, path string) string {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// endsInLink reports whether the last component, dots left out, is a link.
func endsInLink(path string) bool {
	parts := slices.DeleteFunc(strings.Split(path, "/"), func(p string) bool { return p == "" || p == "." })
	info, err := os.Lstat("/" + strings.Join(parts, "/"))
	return err == nil && info.Mode().Type() == os.ModeSymlink
}

// same fails unless d is what the kernel finds under path.
func same(t *rapid.T, d *fsafe.Dir, path string) {
	mark := fsafe.TempName()
	if err := d.Publish(mark, nil, false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path + "/" + mark); err != nil {
		t.Fatalf("%s: another directory was opened: %v", path, err)
	}
	if err := d.Remove(mark); err != nil {
		t.Fatal(err)
	}
}

// Whatever is given as a name, it makes one file of just that name or nothing.
func FuzzNames(f *testing.F) {
	for _, seed := range []string{"a", "", ".", "..", "a/b", "/", "a\x00", "\n", strings.Repeat("n", 300), ".tmp-0123456789abcdef"} {
		f.Add(seed)
	}
	base := f.TempDir()
	d, _, err := fsafe.CreateRoot(base + "/ns")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string) {
		err := d.Publish(name, nil, false)
		names, listErr := d.Names()
		ok(t, listErr)
		if err != nil {
			if k := fsafe.KindOf(err); k != fsafe.KindBadName && k != fsafe.KindNameTooLong || len(names) > 0 {
				t.Fatal(names, err)
			}
		} else {
			wantNames(t, d, name)
			ok(t, d.Remove(name))
		}
		if entries, err := os.ReadDir(base); err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
	})
}

// No path makes the walk panic, hang or open what is not private.
func FuzzOpenRoot(f *testing.F) {
	for _, seed := range []string{"ns", "", "//", "..", "ns/../ns", "\x00", "ns/.", strings.Repeat("../", 50)} {
		f.Add(seed)
	}
	base := f.TempDir()
	if err := os.Mkdir(base+"/ns", 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path string) {
		d, err := fsafe.OpenRoot(base + "/" + path)
		if err != nil {
			if fsafe.KindOf(err) == fsafe.KindNone || strings.Contains(err.Error(), "\n") {
				t.Fatal(err)
			}
			return
		}
		info, err := os.Lstat(base + "/" + path)
		if err != nil || info.Mode().Perm()&0o077 != 0 || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			t.Fatal(info, err)
		}
		ok(t, d.Close())
	})
}
