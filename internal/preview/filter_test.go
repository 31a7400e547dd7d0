package preview

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

func filterOptions() FilterOptions {
	return FilterOptions{Head: DefaultHead, Tail: DefaultTail, Stream: "stdout", Tool: format.Tool{Name: "t", Version: "1"}}
}

// chunks is a reader of data in pieces of n bytes.
type chunks struct {
	data []byte
	n    int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.data[:min(c.n, len(c.data))])
	c.data = c.data[n:]
	return n, nil
}

func TestFilterGivesTheSameForAnyChunking(t *testing.T) {
	data := []byte(strings.Repeat("é好👩‍👩‍👧 a line\r\n", 4000))
	var want []byte
	for _, n := range []int{1 << 20, 1, 2, 3, 7, 4095, 4096, 4097, 1<<16 + 1} {
		var out bytes.Buffer
		if err := Filter(t.Context(), filterOptions(), &chunks{data, n}, &out); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = bytes.Clone(out.Bytes())
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("chunks of %d give another preview", n)
		}
	}
	if !utf8.Valid(want) || utf8.RuneCount(want) > DefaultHead+DefaultTail {
		t.Errorf("%d characters", utf8.RuneCount(want))
	}
}

func TestFilterStaysWithinHeadTailAndBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := FilterOptions{
			Head:  rapid.IntRange(0, 1000).Draw(t, "head"),
			Tail:  rapid.IntRange(0, 1000).Draw(t, "tail"),
			Bytes: rapid.IntRange(MinBytes, 2000).Draw(t, "bytes"),
		}
		data := streams().Draw(t, "data")
		var out bytes.Buffer
		if err := Filter(context.Background(), o, bytes.NewReader(data), &out); err != nil {
			t.Fatal(err)
		}
		w := newIntake(DefaultBytes).window
		_, _ = w.Write(data)
		s := o.shape().show(w.Part(""))
		checkShown(t, s, data, false)
		if !bytes.Equal(out.Bytes(), s.Text) {
			t.Fatal("the filter prints something else than its shape shows")
		}
		if s.Bytes > o.Bytes || o.Head+o.Tail >= besideMax && s.Chars > o.Head+o.Tail {
			t.Fatalf("%d characters, %d bytes", s.Chars, s.Bytes)
		}
		if s.TailStart > s.HeadEnd && (utf8.RuneCountInString(s.Head) > o.Head || utf8.RuneCountInString(s.Tail) > o.Tail) {
			t.Fatalf("head %d, tail %d", utf8.RuneCountInString(s.Head), utf8.RuneCountInString(s.Tail))
		}
	})
}

// TestKeptPartServesEveryBudget renders from a report what is rendered from the
// stream itself.
func TestKeptPartServesEveryBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Budget{
			StdoutChars: rapid.IntRange(150, 900).Draw(t, "stdout chars"),
			StderrChars: rapid.IntRange(150, 900).Draw(t, "stderr chars"),
			Bytes:       rapid.IntRange(400, 3000).Draw(t, "bytes"),
		}
		data := bytes.ReplaceAll(streams().Draw(t, "data"), []byte("\r"), []byte("r"))
		w := NewWindow(b.Bytes, 4*b.Bytes)
		_, _ = w.Write(data)
		p := w.Part(rapid.SampledFrom([]string{"stdout", "stderr", "output"}).Draw(t, "name"))
		kept := keep(b, p)
		r := reportOf(kept, format.Tool{Name: "t", Version: "1"})
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		if kept.TailStart > kept.HeadEnd && len(r.Head)+len(r.Tail) > b.Bytes*5/4 {
			t.Fatalf("the report holds %d bytes for a budget of %d", len(r.Head)+len(r.Tail), b.Bytes)
		}
		if !lossyOf(r.Head, data[:kept.HeadEnd]) || !lossyOf(r.Tail, data[kept.TailStart:]) {
			t.Fatalf("head or tail is not the stream's")
		}
		failed := rapid.Bool().Draw(t, "failed")
		want := Render(b, failed, []Part{p}).Streams[0]
		got := Render(b, failed, []Part{Reported(r)}).Streams[0]
		if !bytes.Equal(got.Text, want.Text) && !bytes.Contains(data, []byte(replacement)) {
			t.Fatalf("from the report:\n%q\nfrom the stream:\n%q", got.Text, want.Text)
		}
	})
}

// lateReader hands out data, then waits until it is let go.
type lateReader struct {
	data io.Reader
	read chan struct{} // closed when data is used up
	free chan struct{}
}

func (r *lateReader) Read(p []byte) (int, error) {
	n, err := r.data.Read(p)
	if err == nil {
		return n, nil
	}
	close(r.read)
	<-r.free
	return 0, io.EOF
}

func TestFilterSettlesWhenItIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := &lateReader{strings.NewReader("so far\n"), make(chan struct{}), make(chan struct{})}
	defer close(in.free)
	go func() { <-in.read; cancel() }()
	o := filterOptions()
	var got *format.PreviewReport
	o.Report = func(r *format.PreviewReport) error { got = r; return r.Check() }
	var out bytes.Buffer
	if err := Filter(ctx, o, in, &out); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	if out.String() != "so far\n" || got.EOF || !got.Observed.Is(7) {
		t.Errorf("printed %q, reported %+v", out.String(), got)
	}
}

type brokenWriter struct{ err error }

func (b brokenWriter) Write([]byte) (int, error) { return 0, b.err }

// stalledWriter takes nothing until it is closed.
type stalledWriter chan struct{}

func (s stalledWriter) Write([]byte) (int, error) { <-s; return 0, io.ErrClosedPipe }

func TestFilterReadsToTheEndWhateverBecomesOfItsOutput(t *testing.T) {
	stalled := make(stalledWriter)
	defer close(stalled)
	for name, out := range map[string]io.Writer{"broken": brokenWriter{syscall.EPIPE}, "stalled": stalled} {
		t.Run(name, func(t *testing.T) {
			in := &chunks{bytes.Repeat([]byte("x"), 5<<20), 4096}
			o := filterOptions()
			o.patience = time.Millisecond
			var got *format.PreviewReport
			o.Report = func(r *format.PreviewReport) error { got = r; return r.Check() }
			if err := Filter(t.Context(), o, in, out); err == nil {
				t.Error("the lost output is not told")
			}
			if len(in.data) > 0 || !got.Observed.Is(5<<20) || !got.EOF || !got.Error.IsSet() {
				t.Errorf("%d bytes unread, report %v %v %v", len(in.data), got.Observed, got.EOF, got.Error)
			}
		})
	}
}

func TestFilterTellsAnInputThatCannotBeRead(t *testing.T) {
	o := filterOptions()
	var got *format.PreviewReport
	o.Report = func(r *format.PreviewReport) error { got = r; return r.Check() }
	in := io.MultiReader(strings.NewReader("a"), iotestErr{syscall.EIO})
	var out bytes.Buffer
	if err := Filter(t.Context(), o, in, &out); !errors.Is(err, syscall.EIO) {
		t.Errorf("got %v", err)
	}
	if out.String() != "a" || got.EOF || !strings.Contains(got.Error.Or(""), "read stdin") {
		t.Errorf("printed %q, report %+v", out.String(), got)
	}
}

type iotestErr struct{ err error }

func (e iotestErr) Read([]byte) (int, error) { return 0, e.err }

func TestReportIsShortenedUntilTheDiskTakesIt(t *testing.T) {
	o := filterOptions()
	data := []byte(strings.Repeat("0123456789\n", 5000))
	var tries []int
	o.Report = func(r *format.PreviewReport) error {
		tries = append(tries, len(r.Head)+len(r.Tail))
		if err := r.Check(); err != nil {
			t.Error(err)
		}
		if !bytes.HasSuffix(data, []byte(r.Tail)) || !bytes.HasPrefix(data, []byte(r.Head)) {
			t.Error("a shortened report holds no ends")
		}
		if len(r.Head)+len(r.Tail) > 1000 {
			return &fsafe.Error{Op: "publish", Path: "r", Kind: fsafe.KindNoSpace, Err: syscall.ENOSPC}
		}
		return nil
	}
	if err := Filter(t.Context(), o, bytes.NewReader(data), io.Discard); err != nil {
		t.Fatal(err)
	}
	if len(tries) < 3 || tries[len(tries)-1] == 0 {
		t.Errorf("lengths tried: %v", tries)
	}
}

func BenchmarkFilter(b *testing.B) {
	const size = 256 << 20
	b.SetBytes(size)
	for b.Loop() {
		in := io.LimitReader(zeros{}, size)
		if err := Filter(context.Background(), filterOptions(), in, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
