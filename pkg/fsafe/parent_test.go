//go:build unix

package fsafe

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOpenParentTakesAnyDirectoryButMakesPrivateFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	d, name, err := OpenParent(filepath.Join(link, "report.json"))
	if err != nil || name != "report.json" {
		t.Fatalf("OpenParent: %q, %v", name, err)
	}
	defer d.Close()
	if err := d.Publish(name, []byte("{}\n"), false); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "report.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("got %v, %v, want mode 0600", info, err)
	}
	if err := d.Publish(name, nil, false); KindOf(err) != KindExist {
		t.Errorf("a second report: %v", err)
	}
}

func TestOpenParentRefusesWhatNamesNoFile(t *testing.T) {
	for path, want := range map[string]Kind{
		"": KindBadName, "/": KindBadName, "dir/": KindBadName, "..": KindBadName,
		filepath.Join(t.TempDir(), "none", "file"): KindNotExist,
	} {
		if _, _, err := OpenParent(path); KindOf(err) != want {
			t.Errorf("%q: %v", path, err)
		}
	}
}
