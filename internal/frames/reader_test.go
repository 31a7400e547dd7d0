package frames

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/iotest"

	seekable "github.com/SaveTheRbtz/zstd-seekable-format-go/pkg"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// stored is data in frames of n bytes, and the length of the file without its
// table.
func stored(tb testing.TB, data []byte, n int) (file []byte, whole int) {
	tb.Helper()
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		tb.Fatal(err)
	}
	defer enc.Close()
	var out bytes.Buffer
	w, err := seekable.NewWriter(&out, enc)
	if err != nil {
		tb.Fatal(err)
	}
	for len(data) > 0 {
		k := min(n, len(data))
		if _, err := w.Write(data[:k]); err != nil {
			tb.Fatal(err)
		}
		data = data[k:]
	}
	whole = out.Len()
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes(), whole
}

func sample(n int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefgh\n"[random.IntN(9)]
	}
	return b
}

func TestReaderReadsLikeAPlainFile(t *testing.T) {
	data := sample(300_000)
	for _, n := range []int{1, 100, 1 << 16, 1 << 20} {
		part := data[:min(len(data), n*3000)]
		file, whole := stored(t, part, n)
		for name, size := range map[string]int{"final": len(file), "live": whole} {
			r, err := Open(bytes.NewReader(file), int64(size))
			if err != nil {
				t.Fatal(err)
			}
			if r.Size() != int64(len(part)) || r.Indexed() != (name == "final") || r.Packed() != int64(whole) {
				t.Errorf("%s, frames of %d: size %d, packed %d", name, n, r.Size(), r.Packed())
			}
			if err := iotest.TestReader(io.NewSectionReader(r, 0, r.Size()), part); err != nil {
				t.Errorf("%s, frames of %d: %v", name, n, err)
			}
			r.Close()
		}
	}
}

func TestReaderSeesWholeFramesOnlyAndGrows(t *testing.T) {
	data := sample(50_000)
	file, whole := stored(t, data, 10_000)
	r, err := Open(bytes.NewReader(file), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last := int64(0)
	for size := range whole + 1 {
		if err := r.Grow(int64(size)); err != nil {
			t.Fatalf("at %d bytes: %v", size, err)
		}
		if r.Size() < last || r.Size()%10_000 != 0 {
			t.Fatalf("at %d bytes the stream has %d", size, r.Size())
		}
		last = r.Size()
	}
	if last != int64(len(data)) {
		t.Errorf("%d of %d bytes", last, len(data))
	}
	if err := r.Grow(int64(len(file))); err != nil || r.Size() != last || !r.Indexed() {
		t.Errorf("the table: %v, size %d", err, r.Size())
	}
}

func TestReaderDecodesOnlyTheFramesItNeeds(t *testing.T) {
	file, _ := stored(t, sample(1<<20), 1<<16)
	// Everything but the frame that is read and the table is made unreadable.
	r, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, f := range r.index {
		if i != 7 {
			clear(file[f.at : f.at+f.size])
		}
	}
	p := make([]byte, 1000)
	if n, err := r.ReadAt(p, 7<<16+500); n != 1000 || err != nil {
		t.Errorf("read %d, %v", n, err)
	}
	if _, err := r.ReadAt(p, 8<<16); !errors.Is(err, ErrDamaged) {
		t.Errorf("a destroyed frame: %v", err)
	}
}

func TestReaderTellsDamageAndNeverPanics(t *testing.T) {
	data := sample(5000)
	file, whole := stored(t, data, 700)
	rapid.Check(t, func(t *rapid.T) {
		bad := bytes.Clone(file)
		for range rapid.IntRange(1, 4).Draw(t, "faults") {
			bad[rapid.IntRange(0, len(bad)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		}
		size := rapid.SampledFrom([]int{len(bad), whole, whole / 2, 5}).Draw(t, "size")
		r, err := Open(bytes.NewReader(bad), int64(size))
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("open: %v", err)
			}
			return
		}
		defer r.Close()
		if _, err := io.ReadAll(io.NewSectionReader(r, 0, r.Size())); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("read: %v", err)
		}
	})
}

func TestZstdProgramAndReaderAgree(t *testing.T) {
	program, err := exec.LookPath("zstd")
	if err != nil {
		t.Skip("SKIPPED: needs the zstd program")
	}
	data := sample(200_000)
	file, _ := stored(t, data, 1<<16)
	path := filepath.Join(t.TempDir(), "f.zst")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "-dc", path).Output()
	if err != nil || !bytes.Equal(out, data) {
		t.Errorf("zstd -dc: %v, %d bytes", err, len(out))
	}
}

func BenchmarkRead(b *testing.B) {
	file, _ := stored(b, sample(16<<20), 128<<10)
	b.SetBytes(16 << 20)
	for b.Loop() {
		r, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, io.NewSectionReader(r, 0, r.Size())); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}
