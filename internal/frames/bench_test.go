package frames

import (
	"bytes"
	"testing"
)

// BenchmarkRange is what a retrieval from a compressed stream pays.
func BenchmarkRange(b *testing.B) {
	data := bytes.Repeat([]byte("an ordinary line of a log\n"), 16<<20/26)
	file, _ := stored(b, data, 256<<10)
	p := make([]byte, 1000)
	for b.Loop() {
		r, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.ReadAt(p, int64(len(data)/2)); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}
