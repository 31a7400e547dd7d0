//go:build unix

package fsafe_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"spool/pkg/fsafe"
)

func mkdir(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	ok(t, os.MkdirAll(path, 0o700))
	ok(t, os.Chmod(path, mode))
}

// rootCases: what a shell makes in a directory that no one else can write and
// that holds a private directory ns, then the path that is opened. 54321 is a
// stranger.
var rootCases = []struct {
	name, make, path string
	want             fsafe.Kind
}{
	{"a private directory", ``, "ns", fsafe.KindNone},
	{"doubled and trailing slashes", ``, "/./ns//.", fsafe.KindNone},
	{"up and down again", ``, "ns/../ns", fsafe.KindNone},
	{"not there", ``, "absent", fsafe.KindNotExist},
	{"not there on the way", ``, "absent/ns", fsafe.KindNotExist},
	{"a name too long", ``, strings.Repeat("n", 256), fsafe.KindNameTooLong},
	{"more components than there can be", ``, strings.Repeat("ns/../", 2100), fsafe.KindNameTooLong},
	{"a NUL byte", ``, "n\x00s", fsafe.KindBadName},

	{"open to the group", `chmod 710 ns`, "ns", fsafe.KindNotPrivate},
	{"open to others", `chmod 701 ns`, "ns", fsafe.KindNotPrivate},
	{"a stranger's", `chown 54321 ns`, "ns", fsafe.KindForeign},
	{"a file", `touch file`, "file", fsafe.KindNotDir},
	{"a file on the way", `touch file`, "file/ns", fsafe.KindNotDir},
	{"a pipe", `mkfifo pipe`, "pipe", fsafe.KindNotDir},
	{"a pipe on the way", `mkfifo pipe`, "pipe/ns", fsafe.KindNotDir},
	{"a device", `mknod dev c 1 3`, "dev", fsafe.KindNotDir},

	{"a link at the end", `ln -s ns link`, "link", fsafe.KindLoop},
	{"a link with a slash at the end", `ln -s ns link`, "link/", fsafe.KindLoop},
	{"a link with a dot at the end", `ln -s ns link`, "link/.", fsafe.KindLoop},
	{"a dangling link at the end", `ln -s absent link`, "link", fsafe.KindLoop},
	{"our link on the way", `ln -s . link`, "link/ns", fsafe.KindNone},
	{"our absolute link on the way", `ln -s "$PWD" link`, "link/ns", fsafe.KindNone},
	{"a link through a link and up", `ln -s ns/.. one; ln -s one two`, "two/ns", fsafe.KindNone},
	{"a link to a file on the way", `touch file; ln -s file link`, "link/ns", fsafe.KindNotDir},
	{"a link to itself", `ln -s link link`, "link/ns", fsafe.KindLoop},
	{"a dangling link on the way", `ln -s absent link`, "link/ns", fsafe.KindNotExist},
	{"a stranger's link on the way", `ln -s . link; chown -h 54321 link`, "link/ns", fsafe.KindForeign},

	{"a stranger's directory on the way", `mkdir -p x/ns; chmod 700 x/ns; chown 54321 x`, "x/ns", fsafe.KindForeign},
	{
		"a stranger's directory on the way of a link",
		`mkdir -p x/ns; chmod 700 x/ns; chown 54321 x; ln -s x link`, "link/ns", fsafe.KindForeign,
	},
	{"where others may write", `mkdir -m 777 pub; mkdir -m 700 pub/ns`, "pub/ns", fsafe.KindNotPrivate},
	{"where a group may write", `mkdir -m 775 pub; mkdir -m 700 pub/ns`, "pub/ns", fsafe.KindNotPrivate},
	{"below where others may write", `mkdir -m 777 pub; mkdir -p pub/x/ns; chmod 700 pub/x/ns`, "pub/x/ns", fsafe.KindNotPrivate},
	{"where a link leads others may write", `mkdir -m 777 pub; mkdir -m 700 pub/ns; ln -s pub link`, "link/ns", fsafe.KindNotPrivate},
	{"in root's sticky directory", `mkdir -m 1777 tmp; mkdir -m 700 tmp/ns`, "tmp/ns", fsafe.KindNone},
	{
		"by a stranger's link in a sticky directory",
		`mkdir -m 1777 tmp; mkdir -m 700 tmp/ns; ln -s . tmp/link; chown -h 54321 tmp/link`, "tmp/link/ns", fsafe.KindForeign,
	},
	{
		"in a stranger's sticky directory",
		`mkdir -m 1777 tmp; mkdir -m 700 tmp/ns; chown 54321 tmp; chmod 1777 tmp`, "tmp/ns", fsafe.KindForeign,
	},
}

func TestOpenRootJudgesThePath(t *testing.T) {
	needRoot(t)
	for _, c := range rootCases {
		t.Run(c.name, func(t *testing.T) {
			base := t.TempDir()
			mkdir(t, base+"/ns", 0o700)
			must(t, "sh", "-ec", "umask 022; cd "+base+"; "+c.make)
			before := listing(t, base)
			d, err := fsafe.OpenRoot(base + "/" + c.path)
			wantKind(t, err, c.want)
			if after := listing(t, base); after != before {
				t.Fatalf("changed:\n%s\n%s", before, after)
			}
			if err != nil {
				return
			}
			if d.Path() != base+"/"+c.path {
				t.Fatalf("path %q", d.Path())
			}
			ok(t, d.Close())
		})
	}
}

// userCases are opened by user 54321 and made by root.
var userCases = []struct{ name, make, path, want string }{
	{"ours in root's sticky directory", `mkdir -m 1777 tmp; mkdir -m 700 tmp/ns; chown 54321 tmp/ns`, "tmp/ns", "none"},
	{"where we may only search", `mkdir -m 711 x; mkdir -m 700 x/ns; chown 54321 x/ns`, "x/ns", "none"},
	{"by root's link", `mkdir -m 700 ns; chown 54321 ns; ln -s . link`, "link/ns", "none"},
	{"by our link in root's sticky directory", `mkdir -m 1777 tmp; mkdir -m 700 ns; chown 54321 ns; ln -s .. tmp/link; chown -h 54321 tmp/link`, "tmp/link/ns", "none"},
	{"root's", `mkdir -m 700 ns`, "ns", "foreign"},
	{"root's that we may enter", `mkdir -m 755 ns`, "ns", "foreign"},
	{"below root's private directory", `mkdir -m 700 x; mkdir -m 700 x/ns; chown 54321 x/ns`, "x/ns", "permission"},
	{"in a stranger's directory", `mkdir -m 755 x; mkdir -m 700 x/ns; chown 54321 x/ns; chown 54322 x`, "x/ns", "foreign"},
	{"by a stranger's link", `mkdir -m 700 ns; chown 54321 ns; ln -s . link; chown -h 54322 link`, "link/ns", "foreign"},
	{"where our group may write", `mkdir x; mkdir -m 700 x/ns; chown -R 54321:54321 x; chmod 775 x`, "x/ns", "not-private"},
	{"by our own directory, entered by others", `mkdir x; mkdir -m 700 x/ns; chown -R 54321 x; chmod 755 x`, "x/ns", "none"},
	{"ours without our own permission", `mkdir -m 0 ns; chown 54321 ns`, "ns", "permission"},
}

func TestOpenRootJudgesThePathForAnOrdinaryUser(t *testing.T) {
	needRoot(t)
	tool(t, "setpriv")
	for _, c := range userCases {
		t.Run(c.name, func(t *testing.T) {
			base := publicDir(t)
			must(t, "sh", "-ec", "umask 022; cd "+base+"; "+c.make)
			before := listing(t, base)
			if kind, message := run(t, asUser(), "open", base+"/"+c.path); kind != c.want {
				t.Fatalf("want %s: %s", c.want, message)
			}
			if after := listing(t, base); after != before {
				t.Fatalf("changed:\n%s\n%s", before, after)
			}
		})
	}
}

// listing is all that lies below base, with type, mode and owner.
func listing(t *testing.T, base string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(base, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err == nil {
			fmt.Fprintln(&b, path, info.Mode(), ownerOf(info))
		}
		return err
	})
	ok(t, err)
	return b.String()
}

func TestOpenRootNamesThingReasonAndWayOut(t *testing.T) {
	base := t.TempDir()
	mkdir(t, base+"/open", 0o755)
	mkdir(t, base+"/pub/a\nb", 0o700)
	mkdir(t, base+"/pub", 0o777)
	for path, want := range map[string]string{
		base + "/open": `directory "` + base + `/open": open to others (mode 0755): chmod 700 it or choose another`,
		base + "/pub/a\nb": `directory "` + base + `/pub/a\nb": lies in "` + base +
			`/pub", where others may replace it (mode 0777): chmod go-w that or choose another`,
		base + "/absent/x": `directory "` + base + `/absent/x": "` + base + `/absent": no such file or directory`,
		base + "/absent":   `directory "` + base + `/absent": no such file or directory`,
		"":                 `directory "": an empty path`,
	} {
		_, err := fsafe.OpenRoot(path)
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestRelativePathStartsAtWorkingDirectory(t *testing.T) {
	base := t.TempDir()
	t.Chdir(base)
	d, made, err := fsafe.CreateRoot("a/ns")
	ok(t, err)
	if !made {
		t.Fatal("not made")
	}
	ok(t, d.Publish("x", nil, false))
	ok(t, d.Close())
	if _, err := os.Lstat(base + "/a/ns/x"); err != nil {
		t.Fatal(err)
	}
}

func TestRelativePathInDeletedWorkingDirectory(t *testing.T) {
	base := filepath.Join(t.TempDir(), "gone")
	mkdir(t, base, 0o700)
	t.Chdir(base)
	ok(t, os.Remove(base))
	_, _, err := fsafe.CreateRoot("ns")
	wantKind(t, err, fsafe.KindNotExist)
	if !strings.Contains(err.Error(), "working directory") {
		t.Fatalf("the reason is not told: %v", err)
	}
}

func TestCreateRootMakesMissingParentsAndNothingElse(t *testing.T) {
	base := t.TempDir()
	mkdir(t, base+"/there", 0o755)
	d, made, err := fsafe.CreateRoot(base + "/there/a/b/ns")
	ok(t, err)
	defer d.Close()
	if !made {
		t.Fatal("not made")
	}
	for path, want := range map[string]os.FileMode{"there": 0o755, "there/a": 0o700, "there/a/b": 0o700, "there/a/b/ns": 0o700} {
		info, err := os.Lstat(base + "/" + path)
		if err != nil || info.Mode() != os.ModeDir|want {
			t.Errorf("%s: %v, want %v: %v", path, info.Mode(), want, err)
		}
	}
	again, made, err := fsafe.CreateRoot(base + "/there/a/b/ns")
	if err != nil || made {
		t.Fatal(made, err)
	}
	ok(t, again.Close())
}

func TestCreateRootIsMadeOnceByMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "ns")
	const many = 16
	var makers int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range many {
		wg.Go(func() {
			d, made, err := fsafe.CreateRoot(path)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if made {
				makers++
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if makers != 1 {
		t.Fatalf("%d makers", makers)
	}
}

func TestCreateRootRefusesToMakeWhereOthersMayReplace(t *testing.T) {
	base := t.TempDir()
	mkdir(t, base+"/pub", 0o777)
	_, _, err := fsafe.CreateRoot(base + "/pub/ns")
	wantKind(t, err, fsafe.KindNotPrivate)
	if _, err := os.Lstat(base + "/pub/ns"); !os.IsNotExist(err) {
		t.Fatal("made all the same")
	}
}

func TestCreateRootMakesNothingThroughADanglingLink(t *testing.T) {
	base := t.TempDir()
	ok(t, os.Symlink("absent", base+"/link"))
	_, _, err := fsafe.CreateRoot(base + "/link/ns")
	wantKind(t, err, fsafe.KindNotExist)
	if _, err := os.Lstat(base + "/absent"); !os.IsNotExist(err) {
		t.Fatal("made all the same")
	}
	ok(t, os.Mkdir(base+"/absent", 0o700))
	d, made, err := fsafe.CreateRoot(base + "/link/a/ns")
	if err != nil || !made {
		t.Fatal(made, err)
	}
	ok(t, d.Close())
}
