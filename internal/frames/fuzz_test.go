package frames

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpen reads a file that anybody may have damaged: frames, their headers and
// the table at the end. It gives as many bytes as it says it has, or says that it
// is damaged.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed.zst")
	file, err := os.Create(path)
	if err != nil {
		f.Fatal(err)
	}
	w := NewWriter(file)
	err = errors.Join(w.Append([]byte("some text\n")), w.Append(bytes.Repeat([]byte("more "), 1000)), w.Finish(), file.Close())
	if err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)-20])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := Open(bytes.NewReader(in), int64(len(in)))
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("not told as damage: %v", err)
			}
			return
		}
		defer r.Close()
		const most = 1 << 20
		n, err := io.Copy(io.Discard, io.NewSectionReader(r, 0, min(r.Size(), most)))
		if err == nil && n != min(r.Size(), most) || err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, r.Size(), err)
		}
	})
}
