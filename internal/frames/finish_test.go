package frames

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// left is a file that a writer left.
func left(tb testing.TB, data []byte) *os.File {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "stdout.zst.live")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

func TestFinishKeepsWholeFramesWhereverTheWriterDied(t *testing.T) {
	data := sample(3000)
	file, whole := stored(t, data, 700)
	for cut := range len(file) + 1 {
		f := left(t, file[:cut])
		for range 2 { // twice, as after a death in the middle
			if err := Finish(f); err != nil {
				t.Fatalf("cut at %d of %d: %v", cut, len(file), err)
			}
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(f, info.Size())
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		got, err := io.ReadAll(io.NewSectionReader(r, 0, r.Size()))
		if err != nil || !r.Indexed() || !bytes.HasPrefix(data, got) || len(got)%700 != 0 && len(got) != len(data) {
			t.Fatalf("cut at %d: %d bytes, indexed %v, %v", cut, len(got), r.Indexed(), err)
		}
		if cut >= whole && len(got) != len(data) {
			t.Fatalf("cut at %d, behind the last frame: %d of %d bytes", cut, len(got), len(data))
		}
		r.Close()
	}
}

func TestFinishLeavesAFinalFileAlone(t *testing.T) {
	file, _ := stored(t, sample(3000), 700)
	f := left(t, file)
	if err := Finish(f); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(f.Name())
	if err != nil || !bytes.Equal(got, file) {
		t.Errorf("changed: %d bytes of %d, %v", len(got), len(file), err)
	}
}
