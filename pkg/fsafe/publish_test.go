package fsafe_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"spool/pkg/fsafe"
)

func TestPublishMakesNameWithContent(t *testing.T) {
	d := private(t)
	for i, content := range []string{"", "x", strings.Repeat("long ", 100_000)} {
		for _, sync := range []bool{false, true} {
			name := fmt.Sprint(i, sync)
			ok(t, d.Publish(name, []byte(content), sync))
			wantContent(t, d, name, content)
		}
	}
	names, err := d.Names()
	if err != nil || len(names) != 6 {
		t.Fatalf("left behind: %q, %v", names, err)
	}
}

func TestPublishRefusesExisting(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("a", []byte("first"), false))
	wantKind(t, d.Publish("a", []byte("second"), false), fsafe.KindExist)
	wantContent(t, d, "a", "first")
	wantNames(t, d, "a")
}

func TestPublishOfOneNameSucceedsOnce(t *testing.T) {
	d := private(t)
	const rivals = 16
	errs := make([]error, rivals)
	var wg sync.WaitGroup
	for i := range rivals {
		wg.Go(func() { errs[i] = d.Publish("a", fmt.Appendf(nil, "%d", i), false) })
	}
	wg.Wait()
	won := -1
	for i, err := range errs {
		switch {
		case err == nil && won < 0:
			won = i
		case fsafe.KindOf(err) != fsafe.KindExist:
			t.Fatalf("rival %d: %v", i, err)
		}
	}
	wantContent(t, d, "a", fmt.Sprint(won))
	wantNames(t, d, "a")
}

func TestReplaceIsSeenWholeOrNotAtAll(t *testing.T) {
	d := private(t)
	old, next := strings.Repeat("o", 5000), strings.Repeat("n", 9000)
	ok(t, d.Replace("a", []byte(old), false))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 200 {
			content := old
			if i%2 == 0 {
				content = next
			}
			if err := d.Replace("a", []byte(content), false); err != nil {
				t.Error(err)
			}
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		got, err := d.ReadFile("a", 1<<20)
		if err != nil || string(got) != old && string(got) != next {
			t.Fatalf("torn: %d bytes, %v", len(got), err)
		}
	}
	wantNames(t, d, "a")
}

func TestReplaceRefusesWhatItWouldNotOpen(t *testing.T) {
	d := private(t)
	at := func(name string) string { return filepath.Join(d.Path(), name) }
	ok(t, os.Symlink("elsewhere", at("link")))
	ok(t, os.Mkdir(at("dir"), 0o700))
	ok(t, os.WriteFile(at("open"), nil, 0o600))
	ok(t, os.Chmod(at("open"), 0o640))
	ok(t, os.WriteFile(at("twice"), nil, 0o600))
	ok(t, os.Link(at("twice"), at("again")))
	ok(t, os.WriteFile(at("zero"), []byte("kept"), 0o600))
	ok(t, os.Chmod(at("zero"), 0))
	before, err := d.Entries()
	ok(t, err)
	for name, want := range map[string]fsafe.Kind{
		"link": fsafe.KindLoop, "dir": fsafe.KindNotRegular, "open": fsafe.KindNotPrivate,
		"twice": fsafe.KindNotPrivate, "zero": fsafe.KindPermission,
	} {
		wantKind(t, d.Replace(name, []byte("new"), false), want)
	}
	after, err := d.Entries()
	ok(t, err)
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Fatalf("changed:\n%v\n%v", before, after)
	}
}

func TestPublishReservedTakesTheReservation(t *testing.T) {
	d := private(t)
	for _, size := range []int64{0, 1, 4096, 10_000} {
		for _, length := range []int64{0, 1, size, size + 1, 20_000} {
			content := strings.Repeat("r", int(length))
			ok(t, d.Reserve("room", size))
			reserved, err := d.Stat("room")
			if err != nil || reserved.Size != size {
				t.Fatalf("%+v, %v", reserved, err)
			}
			ok(t, d.PublishReserved("room", "a", []byte(content), length%2 == 0))
			wantContent(t, d, "a", content)
			if e, err := d.Stat("a"); err != nil || !e.Same(reserved) {
				t.Fatalf("another file: %+v, %v", e, err)
			}
			wantNames(t, d, "a")
			ok(t, d.Remove("a"))
		}
	}
}

func TestPublishReservedRefusesExistingAndKeepsRoom(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("a", []byte("first"), false))
	ok(t, d.Reserve("room", 100))
	wantKind(t, d.PublishReserved("room", "a", []byte("second"), false), fsafe.KindExist)
	wantContent(t, d, "a", "first")
	ok(t, d.PublishReserved("room", "b", []byte("2"), false))
	wantContent(t, d, "b", "2")
}

func TestPublishReservedWithoutReservation(t *testing.T) {
	d := private(t)
	wantKind(t, d.PublishReserved("room", "a", nil, false), fsafe.KindNotExist)
	wantNames(t, d)
}

func TestRenameRefusesExisting(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("a", []byte("a"), false))
	ok(t, d.Publish("b", []byte("b"), false))
	ok(t, os.Symlink("nowhere", filepath.Join(d.Path(), "dangling")))
	ok(t, os.Mkdir(filepath.Join(d.Path(), "empty"), 0o700))
	ok(t, os.Mkdir(filepath.Join(d.Path(), "dir"), 0o700))
	for _, to := range []string{"b", "dangling", "empty", "a"} {
		wantKind(t, d.Rename("a", to), fsafe.KindExist)
		wantKind(t, d.Rename("dir", to), fsafe.KindExist)
	}
	wantKind(t, d.Rename("absent", "c"), fsafe.KindNotExist)
	wantContent(t, d, "a", "a")
	wantContent(t, d, "b", "b")
}

func TestRenameToMovesBetweenDirectories(t *testing.T) {
	from, to := private(t), private(t)
	ok(t, from.Publish("a", []byte("content"), false))
	ok(t, from.RenameTo("a", to, "b"))
	wantNames(t, from)
	wantContent(t, to, "b", "content")
}

func TestReadFileIsBounded(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("a", []byte("12345"), false))
	for _, limit := range []int64{5, 6, 1<<63 - 1} {
		if got, err := d.ReadFile("a", limit); err != nil || string(got) != "12345" {
			t.Fatalf("limit %d: %q, %v", limit, got, err)
		}
	}
	for _, limit := range []int64{0, 4} {
		_, err := d.ReadFile("a", limit)
		wantKind(t, err, fsafe.KindFileTooLarge)
		if !errors.Is(err, fsafe.ErrTooLarge) {
			t.Fatal(err)
		}
	}
}

func TestOpenAppendWritesAtTheEnd(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("a", []byte("start "), false))
	f, err := d.OpenAppend("a")
	ok(t, err)
	defer f.Close()
	if n, err := fsafe.WriteFull(f, []byte("end")); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	wantContent(t, d, "a", "start end")
}
