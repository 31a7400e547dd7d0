package frames

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// program decodes by the zstd program.
func program(t *testing.T, file string) []byte {
	t.Helper()
	out, err := exec.Command("zstd", "-dcq", file).Output()
	if err != nil {
		t.Fatalf("zstd: %v", err)
	}
	return out
}

// FuzzZstdProgramReadsWhatWeWrite holds writer and reader against the program:
// of a stream written in any pieces and cut off anywhere, both read the same.
func FuzzZstdProgramReadsWhatWeWrite(f *testing.F) {
	if _, err := exec.LookPath("zstd"); err != nil {
		f.Skip("SKIPPED: needs zstd")
	}
	f.Add([]byte("a line\n"), uint16(1), uint16(3), 0)
	f.Add(text(3000), uint16(700), uint16(20), 1000)
	f.Add([]byte{0, 0xff, '\r'}, uint16(9), uint16(60_000), 12)
	f.Add([]byte{0x5e, 0x2a, 0x4d, 0x18, 0xb1, 0xea, 0x92, 0x8f}, uint16(1), uint16(1), 30) // magic numbers
	f.Add([]byte{}, uint16(0), uint16(0), 5)
	f.Fuzz(func(t *testing.T, seed []byte, pieces, repeat uint16, cut int) {
		var all []byte
		file := filepath.Join(t.TempDir(), "stream.zst")
		out, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		w := NewWriter(out)
		for i := range int(pieces%50) + 1 {
			p := bytes.Repeat(seed, int(repeat)*(i%3)/(len(seed)+1)+1) // some small, some large
			if err := w.Append(p); err != nil {
				t.Fatal(err)
			}
			all = append(all, p...)
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if got := program(t, file); !bytes.Equal(got, all) {
			t.Errorf("the program reads %d bytes, not the %d written", len(got), len(all))
		}
		info, err := out.Stat()
		if err != nil {
			t.Fatal(err)
		}
		// As a writer leaves it that dies there, and as gc finishes it.
		if err := out.Truncate(int64(max(cut, -cut, 0)) % (info.Size() + 1)); err != nil {
			t.Fatal(err)
		}
		if err := Finish(out); err != nil {
			t.Fatal(err)
		}
		if info, err = out.Stat(); err != nil {
			t.Fatal(err)
		}
		r, err := Open(out, info.Size())
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		left := make([]byte, r.Size())
		if n, err := r.ReadAt(left, 0); n != len(left) {
			t.Fatalf("%d of %d bytes: %v", n, len(left), err)
		}
		if got := program(t, file); !bytes.Equal(got, left) || !bytes.HasPrefix(all, left) {
			t.Errorf("cut off: the program reads %d bytes, we read %d of %d", len(got), len(left), len(all))
		}
	})
}
