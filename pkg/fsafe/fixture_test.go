package fsafe_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spool/pkg/fsafe"
)

// publicDir is a fresh directory that every user can get to.
func publicDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		ok(t, os.Chmod(d, 0o755)) //nolint:gosec // as said
	}
	return dir
}

// tool returns the path of a program that the test cannot do without.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED: needs %s", name)
	}
	return path
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: needs root")
	}
}

// must runs a program that prepares the test.
func must(t *testing.T, words ...string) {
	t.Helper()
	tool(t, words[0])
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // in a cleanup too
	defer cancel()
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput() //nolint:gosec // fixed words
	if err != nil {
		t.Fatalf("%q: %v: %s", words, err, out)
	}
}

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
