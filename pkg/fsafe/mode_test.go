//go:build unix

package fsafe_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spool/pkg/fsafe"
)

// surroundings change what mode a new file gets. The shell makes them in the
// directory where the first private one is then created.
var surroundings = []struct{ name, tool, make, umask string }{
	{"umask 000", "", ``, "000"},
	{"umask 022", "", ``, "022"},
	{"umask 0277", "", ``, "0277"},
	{"umask 0777", "", ``, "0777"},
	{"setgid parent", "", `chmod 2755 .`, "000"},
	{"widening default list", "setfacl", `setfacl -d -m u::rwx,g::rwx,o::rwx,u:54322:rwx,m::rwx .`, "000"},
	{"widening default list under a umask", "setfacl", `setfacl -d -m u::rwx,g::rwx,o::rwx,u:54322:rwx,m::rwx .`, "0777"},
	{"default list that denies the owner", "setfacl", `setfacl -d -m u::---,g::rwx,o::rwx .`, "022"},
	{"default list in a setgid parent", "setfacl", `chmod 2755 .; setfacl -d -m g::rwx,o::rwx .`, "0277"},
}

// asUser are the words that run a program as a user who is not root.
func asUser() []string {
	return []string{"setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"}
}

func TestEverythingIsPrivateFromItsCreation(t *testing.T) {
	needRoot(t)
	for _, s := range surroundings {
		for _, user := range []string{"root", "not root"} {
			t.Run(s.name+", "+user, func(t *testing.T) {
				if s.tool != "" {
					tool(t, s.tool)
				}
				base := publicDir(t)
				var wrap []string
				if user != "root" {
					tool(t, "setpriv")
					ok(t, os.Chown(base, 54321, 54321))
					wrap = asUser()
				}
				must(t, "sh", "-ec", "cd "+base+"; "+s.make)
				wrap = append(wrap, "sh", "-c", "umask "+s.umask+`; exec "$@"`, "sh")
				kind, message := run(t, wrap, "everything", base+"/made/parent/ns")
				if kind != "none" {
					t.Fatal(message)
				}
				wantExactModes(t, base+"/made")
			})
		}
	}
}

// wantExactModes fails unless all below path is 0700 and 0600 to the bit.
func wantExactModes(t *testing.T, path string) {
	t.Helper()
	var files int
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if info.IsDir() {
			want = fs.ModeDir | 0o700
		} else {
			files++
		}
		if info.Mode() != want {
			t.Errorf("%s: mode %v, want %v", path, info.Mode(), want)
		}
		return err
	})
	if err != nil || files != 5 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// A list that was inherited grants nothing while the group bits, which are its
// mask, are off: someone whom it names must get nothing.
func TestInheritedListLetsNoOneIn(t *testing.T) {
	needRoot(t)
	tool(t, "setfacl")
	tool(t, "setpriv")
	base := publicDir(t)
	must(t, "setfacl", "-d", "-m", "u:54321:rwx,m::rwx", base)
	d, _, err := fsafe.CreateRoot(base + "/ns")
	ok(t, err)
	defer d.Close()
	ok(t, d.Publish("secret", []byte("x"), false))
	must(t, append(asUser(), "sh", "-c", "! ls "+base+"/ns && ! cat "+base+"/ns/secret")...)
}

func TestCreatedFileGrantsNothingBeforeItIsClosed(t *testing.T) {
	d := private(t)
	f, err := d.Create("a")
	ok(t, err)
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Mode() != 0o600 {
		t.Fatal(info.Mode(), err)
	}
	_, err = d.Create("a")
	wantKind(t, err, fsafe.KindExist)
}

// The mode of a directory that someone else is just making is waited for.
func TestCreateRootWaitsForTheMakerOfADirectory(t *testing.T) {
	path := t.TempDir() + "/ns"
	ok(t, os.Mkdir(path, 0o500))
	time.AfterFunc(2*time.Millisecond, func() { _ = os.Chmod(path, 0o700) })
	d, made, err := fsafe.CreateRoot(path)
	if err != nil || made {
		t.Fatal(made, err)
	}
	defer d.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("not waited for: %v, %v", info.Mode(), err)
	}
}

// A directory whose maker has not yet given it its mode is waited for.
func TestCreateRootMeetsAnotherUnderStrangeUmask(t *testing.T) {
	needRoot(t)
	tool(t, "setpriv")
	base := publicDir(t)
	ok(t, os.Chown(base, 54321, 54321))
	script := `umask 0777; for i in 1 2 3 4 5 6 7 8; do "$@" & done; wait`
	cmd := child(t, append(asUser(), "sh", "-c", script, "sh"), "root", base+"/a/b/ns")
	out, err := cmd.Output()
	if err != nil || string(out) != strings.Repeat("none <nil>\n", 8) {
		t.Fatalf("%v: %s", err, out)
	}
}
