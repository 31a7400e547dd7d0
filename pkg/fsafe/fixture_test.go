package fsafe_test

import (
	"path/filepath"
	"strings"
	"testing"

	"spool/pkg/fsafe"
)

// private opens a fresh private directory.
func private(t *testing.T) *fsafe.Dir {
	t.Helper()
	d, made, err := fsafe.CreateRoot(filepath.Join(t.TempDir(), "private"))
	if err != nil {
		t.Fatal(err)
	}
	if !made {
		t.Fatal("not made")
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// wantKind fails unless err is of that kind.
func wantKind(t *testing.T, err error, want fsafe.Kind) {
	t.Helper()
	if got := fsafe.KindOf(err); got != want {
		t.Fatalf("kind %v, want %v: %v", got, want, err)
	}
}

// wantNames fails unless the directory holds exactly these names, sorted.
func wantNames(t *testing.T, d *fsafe.Dir, want ...string) {
	t.Helper()
	got, err := d.Names()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("names %q, want %q", got, want)
	}
}

// wantContent fails unless the file name holds that.
func wantContent(t *testing.T, d *fsafe.Dir, name, want string) {
	t.Helper()
	got, err := d.ReadFile(name, 1<<20)
	if err != nil || string(got) != want {
		t.Fatalf("%s: %q, want %q: %v", name, got, want, err)
	}
}

// ok fails on an error.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
