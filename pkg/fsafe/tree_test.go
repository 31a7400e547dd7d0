//go:build unix

package fsafe_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"spool/pkg/fsafe"
)

func TestRemoveTreeFollowsNoLink(t *testing.T) {
	d := private(t)
	outside := t.TempDir()
	ok(t, os.WriteFile(outside+"/kept", nil, 0o600))
	must(t, "sh", "-ec", "cd "+d.Path()+"; mkdir -p tree/a/b; ln -s "+outside+" tree/dir; ln -s "+outside+
		"/kept tree/a/file; ln "+outside+"/kept tree/a/b/hard; ln -s . tree/loop; mkfifo tree/pipe; touch 'tree/a b\n' tree/zero; chmod 0 tree/zero")
	before := listing(t, outside)
	ok(t, d.RemoveTree("tree"))
	wantNames(t, d)
	if after := listing(t, outside); after != before {
		t.Fatalf("changed:\n%s\n%s", before, after)
	}
}

func TestRemoveTreeOfALinkRemovesTheLink(t *testing.T) {
	d := private(t)
	outside := t.TempDir()
	ok(t, os.WriteFile(outside+"/kept", nil, 0o600))
	ok(t, os.Symlink(outside, d.Path()+"/link"))
	ok(t, d.RemoveTree("link"))
	wantNames(t, d)
	if _, err := os.Lstat(outside + "/kept"); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveTreeIsBoundedInDepth(t *testing.T) {
	d := private(t)
	deep := d.Path() + "/deep" + strings.Repeat("/d", 100)
	ok(t, os.MkdirAll(deep, 0o700))
	err := d.RemoveTree("deep")
	wantKind(t, err, fsafe.KindOther)
	if _, err := os.Lstat(deep); err != nil {
		t.Fatal(err)
	}
	ok(t, os.MkdirAll(d.Path()+"/fits"+strings.Repeat("/d", 63), 0o700))
	ok(t, d.RemoveTree("fits"))
}

func TestRemoveTreeEntersNoMount(t *testing.T) {
	needRoot(t)
	d := private(t)
	outside := t.TempDir()
	ok(t, os.WriteFile(outside+"/kept", nil, 0o600))
	for kind, words := range map[string][]string{
		"other filesystem": {"mount", "-t", "tmpfs", "tmpfs", d.Path() + "/tree/sub"},
		"same filesystem":  {"mount", "--bind", outside, d.Path() + "/tree/sub"},
	} {
		t.Run(kind, func(t *testing.T) {
			ok(t, os.MkdirAll(d.Path()+"/tree/sub", 0o700))
			ok(t, os.WriteFile(d.Path()+"/tree/file", nil, 0o600))
			mount(t, d.Path()+"/tree/sub", words)
			ok(t, os.WriteFile(d.Path()+"/tree/sub/mounted", nil, 0o600))
			if err := d.RemoveTree("tree"); err == nil || !strings.Contains(err.Error(), "mounted") {
				t.Fatal(err)
			}
			if _, err := os.Lstat(d.Path() + "/tree/sub/mounted"); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(d.Path() + "/tree/file"); !os.IsNotExist(err) {
				t.Fatal("what could be removed was not")
			}
		})
	}
}

// mount runs words and unmounts path at the end of the test.
func mount(t *testing.T, path string, words []string) {
	t.Helper()
	must(t, words...)
	t.Cleanup(func() {
		must(t, "umount", "-l", path) // also when a failure left something open
	})
}

func TestRemoveIsForFilesAndRemoveDirForDirectories(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("file", nil, false))
	sub, err := d.Mkdir("dir")
	ok(t, err)
	defer sub.Close()
	if err := d.Remove("dir"); err == nil {
		t.Fatal("removed a directory")
	}
	wantKind(t, d.RemoveDir("file"), fsafe.KindNotDir)
	wantKind(t, d.RemoveDir("absent"), fsafe.KindNotExist)
	wantKind(t, d.Remove("absent"), fsafe.KindNotExist)
	ok(t, sub.Publish("x", nil, false))
	wantKind(t, d.RemoveDir("dir"), fsafe.KindExist)
	ok(t, sub.Remove("x"))
	ok(t, d.RemoveDir("dir"))
	ok(t, d.Remove("file"))
	wantNames(t, d)
}

func TestEntriesTellEachThingAsItself(t *testing.T) {
	d := private(t)
	must(t, "sh", "-ec", "cd "+d.Path()+"; printf 12345 >file; chmod 640 file; ln file twin; mkdir -m 700 dir; ln -s /etc/passwd link; mkfifo -m 600 pipe; chmod 1700 dir")
	entries, err := d.Entries()
	ok(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprint(e.Name, " ", e.Mode, " ", e.Links, " ", e.Check() == nil))
		if alone, err := d.Stat(e.Name); err != nil || alone != e {
			t.Errorf("%+v, %+v, %v", alone, e, err)
		}
	}
	want := []string{
		"dir dtrwx------ 2 true", "file -rw-r----- 2 false", "link Lrwxrwxrwx 1 false",
		"pipe prw------- 1 false", "twin -rw-r----- 2 false",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if entries[1].Size != 5 || !entries[1].Same(entries[4]) || entries[1].Same(entries[0]) {
		t.Fatalf("%+v", entries)
	}
}

// More than one batch, and a stop in the middle.
func TestAllStreamsEveryEntryOnce(t *testing.T) {
	d := private(t)
	const many = 1000
	for i := range many {
		ok(t, os.WriteFile(fmt.Sprintf("%s/%d", d.Path(), i), nil, 0o600))
	}
	seen := map[string]bool{}
	for e, err := range d.All() {
		ok(t, err)
		if seen[e.Name] {
			t.Fatal("twice:", e.Name)
		}
		seen[e.Name] = true
	}
	if len(seen) != many {
		t.Fatalf("%d of %d", len(seen), many)
	}
	n := 0
	for range d.All() {
		if n++; n == 300 {
			break
		}
	}
	if n != 300 {
		t.Fatal(n)
	}
}
