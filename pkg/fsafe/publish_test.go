package fsafe_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

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

func TestPublishMakesNameWithContent(t *testing.T) {
	d := private(t)
	for _, sync := range []bool{false, true} {
		name := "a"
		if sync {
			name = "b"
		}
		if err := d.Publish(name, []byte("content"), sync); err != nil {
			t.Fatal(err)
		}
		got, err := d.ReadFile(name, 7)
		if err != nil || string(got) != "content" {
			t.Fatalf("%q, %v", got, err)
		}
	}
	names, err := d.Names()
	if err != nil || len(names) != 2 {
		t.Fatalf("left behind: %q, %v", names, err)
	}
}

func TestPublishRefusesExisting(t *testing.T) {
	d := private(t)
	if err := d.Publish("a", []byte("first"), false); err != nil {
		t.Fatal(err)
	}
	wantKind(t, d.Publish("a", []byte("second"), false), fsafe.KindExist)
	got, _ := d.ReadFile("a", 100)
	if string(got) != "first" {
		t.Fatalf("overwritten by %q", got)
	}
	if names, _ := d.Names(); len(names) != 1 {
		t.Fatalf("left behind: %q", names)
	}
}

func TestPublishReservedTakesTheReservation(t *testing.T) {
	d := private(t)
	if err := d.Reserve("room", 4096); err != nil {
		t.Fatal(err)
	}
	if e, err := d.Stat("room"); err != nil || e.Size != 4096 {
		t.Fatalf("%+v, %v", e, err)
	}
	if err := d.PublishReserved("room", "a", []byte("content"), true); err != nil {
		t.Fatal(err)
	}
	got, err := d.ReadFile("a", 7)
	if err != nil || string(got) != "content" {
		t.Fatalf("%q, %v", got, err)
	}
}

func TestLockExclusiveKeepsOthersOut(t *testing.T) {
	d := private(t)
	held, err := d.TryLock("lock", fsafe.LockExclusive, true)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = d.Lock(ctx, "lock", fsafe.LockShared, false)
	wantKind(t, err, fsafe.KindLocked)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := d.Lock(t.Context(), "lock", fsafe.LockShared, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveTreeRemovesAllBelow(t *testing.T) {
	d := private(t)
	sub, err := d.Mkdir("sub")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if err := sub.Publish("file", nil, false); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/", filepath.Join(sub.Path(), "link")); err != nil {
		t.Fatal(err)
	}
	if err := d.RemoveTree("sub"); err != nil {
		t.Fatal(err)
	}
	_, err = d.Stat("sub")
	wantKind(t, err, fsafe.KindNotExist)
}
