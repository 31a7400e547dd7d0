package redact

import (
	"context"
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFullPipesAreGrown passes more than pipes hold through a filter and looks at
// the pipes on both sides of it.
func TestFullPipesAreGrown(t *testing.T) {
	fromUs, in := pipe(t)
	out, toUs := pipe(t)
	go func() {
		_, _ = io.WriteString(in, logText(4<<20)) // a broken pipe shows in what arrives
		_ = in.Close()
	}()
	passed := make(chan int64)
	go func() {
		n, _ := io.Copy(io.Discard, out)
		passed <- n
	}()
	err := Run(context.Background(), StageOptions{Warn: t.Errorf}, fromUs, toUs)
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int{pipeSize(t, fromUs), pipeSize(t, toUs)}
	_ = toUs.Close()
	if n := <-passed; n != 4<<20 {
		t.Errorf("%d bytes passed", n)
	}
	for i, name := range []string{"input", "output"} {
		if sizes[i] <= pipeFull {
			t.Errorf("the pipe of the %s has %d bytes", name, sizes[i])
		}
	}
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}

func pipeSize(t *testing.T, f *os.File) int {
	t.Helper()
	n, err := unix.FcntlInt(f.Fd(), unix.F_GETPIPE_SZ, 0)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
