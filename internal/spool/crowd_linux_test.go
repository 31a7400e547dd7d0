package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// TestKilledWritersLeakNothing kills writers at random moments, many at once,
// and looks at what they have left: never beyond the limit, and all of it to be
// had again once they are gone.
func TestKilledWritersLeakNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ns")
	const limit = 8 << 20
	var captures []*capture.Capture
	for round := range 5 {
		var running []*exec.Cmd
		for range 6 {
			c := newCapture(t, dir)
			captures = append(captures, c)
			cmd := exec.Command(binary(t), "--capture", c.Path(), "--stream", "stdout", "--max-namespace", fmt.Sprint(limit), "--sync", "none")
			cmd.Stdin = io.LimitReader(endless{}, 3<<20)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			running = append(running, cmd)
		}
		for i, cmd := range running {
			if i%2 == 0 {
				time.Sleep(time.Duration(round*i) * time.Millisecond) // any moment will do
				_ = cmd.Process.Kill()
			}
		}
		for _, cmd := range running {
			_ = cmd.Wait()
		}
		if sum := retained(t, captures); sum > limit {
			t.Fatalf("round %d: %d bytes of %d", round, sum, limit)
		}
	}
	ns := captures[0].Namespace()
	last := newCapture(t, dir)
	if err := last.Hold(t.Context()); err != nil {
		t.Fatal(err)
	}
	q := last.Quota(format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: limit})
	var got int64
	for {
		n, err := q.Reserve(t.Context(), 1<<20)
		if errors.Is(err, capture.ErrQuotaNamespace) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got += n
	}
	if sum := retained(t, captures); got+sum != limit {
		t.Errorf("%d bytes lie there, %d were to be had, of %d", sum, got, limit)
	}
	if err := ns.Recount(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestHundredWritersUseTheAllowanceToTheByte lets them all want more than there
// is.
func TestHundredWritersUseTheAllowanceToTheByte(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ns")
	const limit = 20_000_001
	var captures []*capture.Capture
	var running []*exec.Cmd
	for range 100 {
		c := newCapture(t, dir)
		cmd := exec.Command(binary(t), "--capture", c.Path(), "--stream", "stdout", "--max-namespace", fmt.Sprint(limit), "--sync", "none")
		cmd.Stdin, cmd.Stderr = io.LimitReader(endless{}, 1<<20), t.Output()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		captures, running = append(captures, c), append(running, cmd)
	}
	for _, cmd := range running {
		_ = cmd.Wait() // most have met the limit
	}
	if sum := retained(t, captures); sum != limit {
		t.Errorf("%d bytes of %d", sum, limit)
	}
}

// retained adds up the bytes in the captures' files.
func retained(t *testing.T, captures []*capture.Capture) (sum int64) {
	t.Helper()
	for _, c := range captures {
		f, err := c.OpenStream("stdout")
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		n, err := f.Size()
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// TestReaderOfALiveStreamSeesWholeCharactersOnly follows the file while it
// grows.
func TestReaderOfALiveStreamSeesWholeCharactersOnly(t *testing.T) {
	c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
	in, feed := io.Pipe()
	done := make(chan error)
	go func() { done <- Run(t.Context(), staged(c, "stdout"), in, io.Discard) }()
	var sent bytes.Buffer
	for i := range 300 {
		piece := []byte("€𝄞é")[i%9 : i%9+1]
		sent.Write(piece)
		if _, err := feed.Write(piece); err != nil {
			t.Fatal(err)
		}
		f, err := c.OpenStream("stdout")
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err != nil || !bytes.HasPrefix(sent.Bytes(), data) || whole(sent.Bytes(), len(data)) != len(data) {
			t.Fatalf("after %d bytes: %q, %v", i, data, err)
		}
		f.Close()
	}
	feed.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
