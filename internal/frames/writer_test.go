package frames

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	seekable "github.com/SaveTheRbtz/zstd-seekable-format-go/pkg"
	"github.com/klauspost/compress/zstd"
)

// text returns n bytes that compress like a log.
func text(n int) []byte {
	words := []string{"ok ", "compile ", "internal/frames ", "0.013s\n", "FAIL\n"}
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // reproducible on purpose
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.Bytes()[:n]
}

func written(t *testing.T, pieces ...[]byte) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stdout.zst"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	w := NewWriter(f)
	for _, p := range pieces {
		if err := w.Append(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOtherReadersReadWhatWeWrite(t *testing.T) {
	all := text(600_000)
	f := written(t, all[:256<<10], all[256<<10:500_000], all[500_000:])

	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	other, err := seekable.NewReader(f, d)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 1000)
	if _, err := other.ReadAt(got, 499_500); err != nil || !bytes.Equal(got, all[499_500:500_500]) {
		t.Errorf("a range: %v", err)
	}
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("SKIPPED: needs zstd")
	}
	out, err := exec.Command("zstd", "-dcq", f.Name()).Output()
	if err != nil || !bytes.Equal(out, all) {
		t.Errorf("zstd: %d bytes, %v", len(out), err)
	}
}
