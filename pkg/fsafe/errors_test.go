package fsafe_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"spool/pkg/fsafe"
)

func TestKindOfWorksThroughWrapping(t *testing.T) {
	d := private(t)
	_, err := d.Open("absent")
	for _, e := range []error{
		err, fmt.Errorf("open capture: %w", err), errors.Join(errors.New("other"), err),
		&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, os.ErrNotExist,
	} {
		wantKind(t, e, fsafe.KindNotExist)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("the cause is lost")
	}
	wantKind(t, nil, fsafe.KindNone)
	wantKind(t, errors.New("x"), fsafe.KindOther)
	wantKind(t, fsafe.ErrLocked, fsafe.KindLocked)
	wantKind(t, fsafe.ErrTooLarge, fsafe.KindFileTooLarge)
}

func TestErrorTellsWhatWasTriedOnWhatAndWhy(t *testing.T) {
	d := private(t)
	_, err := d.Open("ab\nsent")
	e, is := errors.AsType[*fsafe.Error](err)
	if !is || e.Op != "open" || e.Path != d.Path()+"/ab\nsent" && os.PathSeparator == '/' || !errors.Is(e.Err, fs.ErrNotExist) {
		t.Fatalf("%#v", err)
	}
	if want := fmt.Sprintf("open %q: %v", e.Path, e.Err); err.Error() != want {
		t.Fatalf("got %s, want %s", err, want)
	}
}

func TestKindsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]fsafe.Kind{}
	for k := fsafe.KindNone; k <= fsafe.KindOther; k++ {
		if other, twice := seen[k.String()]; twice {
			t.Fatalf("%d and %d are both %q", other, k, k)
		}
		seen[k.String()] = k
	}
	if seen["no-space"] != fsafe.KindNoSpace || seen["other"] != fsafe.KindOther || seen["symlink"] != fsafe.KindLoop {
		t.Fatal(seen)
	}
	if got := fsafe.Kind(99).String(); got != "kind(99)" {
		t.Fatal(got)
	}
}

func TestTempNamesAreFreshAndKnown(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		name := fsafe.TempName()
		if seen[name] || !fsafe.IsTemp(name) {
			t.Fatal(name)
		}
		seen[name] = true
	}
	for _, name := range []string{
		"", ".tmp-", ".tmp-0123456789abcde", ".tmp-0123456789abcdef0", ".tmp-0123456789abcdeg", ".tmp-0123456789ABCDEF",
		"tmp-0123456789abcdef", "x.tmp-0123456789abcdef", ".tmp-0123456789abcd/f", ".TMP-0123456789abcdef",
	} {
		if fsafe.IsTemp(name) {
			t.Errorf("%q passes for a temporary", name)
		}
	}
}
