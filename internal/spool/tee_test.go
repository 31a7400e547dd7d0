package spool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

func options(dir string) Options {
	return Options{
		File: filepath.Join(dir, "file"), Report: filepath.Join(dir, "report"),
		Limits: format.Limits{CaptureBytes: 32 << 20, NamespaceBytes: format.Unlimited},
		Stall:  DefaultStall, Sync: SyncNone, Compress: CompressNone, Forward: ForwardAll,
		Tool: format.Tool{Name: "spool-tee", Version: "test"},
	}
}

func readReport(t *testing.T, o Options) *format.TeeReport {
	t.Helper()
	data, err := os.ReadFile(o.Report)
	if err != nil {
		t.Fatal(err)
	}
	r, err := format.ParseTee(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkFile holds the report against the file: length, hash, lines.
func checkFile(t *testing.T, r *format.TeeReport, file []byte) {
	t.Helper()
	sum := sha256.Sum256(file)
	switch {
	case !r.Counts.Committed.Is(int64(len(file))) || !r.Counts.RetainedEnd.Is(int64(len(file))):
		t.Errorf("committed %v, the file holds %d", r.Counts.Committed, len(file))
	case r.SHA256.Or("") != hex.EncodeToString(sum[:]):
		t.Errorf("sha256 %v", r.SHA256)
	case !r.Lines.Is(int64(bytes.Count(file, []byte("\n")))):
		t.Errorf("lines %v", r.Lines)
	case r.FinalNewline.Or(false) != (len(file) == 0 || file[len(file)-1] == '\n'):
		t.Errorf("final newline %v", r.FinalNewline)
	}
}

// TestRetentionEndsAtTheLastWholeCharacterThatFits goes over every limit, cut of
// the input and mode.
func TestRetentionEndsAtTheLastWholeCharacterThatFits(t *testing.T) {
	const text = "ab\ncé€𝄞 tail\n"
	for limit := range len(text) + 2 {
		for _, step := range []int{1, 2, 3, len(text)} {
			for _, forward := range []Forward{ForwardAll, ForwardRest} {
				o := options(t.TempDir())
				o.Limits.CaptureBytes = format.Size(limit)
				o.Forward = forward
				var out bytes.Buffer
				err := Run(t.Context(), o, &steps{text, step}, &out)
				want := text[:whole([]byte(text), min(limit, len(text)))]
				file, readErr := os.ReadFile(o.File)
				if readErr != nil || string(file) != want {
					t.Fatalf("limit %d, step %d: file %q, %v; want %q", limit, step, file, readErr, want)
				}
				if (err != nil) != (len(want) < len(text)) {
					t.Errorf("limit %d: error %v", limit, err)
				}
				passed := text
				if forward == ForwardRest {
					passed = text[len(want):]
				}
				if out.String() != passed {
					t.Errorf("limit %d, %s: passed on %q, want %q", limit, forward, out.String(), passed)
				}
				r := readReport(t, o)
				checkFile(t, r, file)
				if !r.EOF || !r.Observed.Is(int64(len(text))) || !r.Forwarded.Is(int64(len(passed))) {
					t.Errorf("limit %d: %+v", limit, r)
				}
				if full := len(want) < len(text); full != (len(r.Reasons) == 1 && r.Reasons[0] == format.ReasonQuotaCapture) {
					t.Errorf("limit %d: reasons %q", limit, r.Reasons)
				}
			}
		}
	}
}

// steps reads text in pieces of n bytes.
type steps struct {
	text string
	n    int
}

func (s *steps) Read(p []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	n := copy(p, s.text[:min(s.n, len(s.text))])
	s.text = s.text[n:]
	return n, nil
}

func TestBytesThatAreNoTextAreKeptAsTheyAre(t *testing.T) {
	all := make([]byte, 1<<20)
	for i := range all {
		all[i] = byte(i * i >> 3)
	}
	for _, limit := range []format.Size{format.Unlimited, 1000, 262143, 262145} {
		o := options(t.TempDir())
		o.Limits.CaptureBytes = limit
		var out bytes.Buffer
		_ = Run(t.Context(), o, iotest.HalfReader(bytes.NewReader(all)), &out)
		file, err := os.ReadFile(o.File)
		if err != nil || !bytes.Equal(out.Bytes(), all) || !bytes.HasPrefix(all, file) {
			t.Fatalf("limit %v: %d bytes kept, %d passed on, %v", limit, len(file), out.Len(), err)
		}
		if short := min(int64(limit), int64(len(all))) - int64(len(file)); short < 0 || short > 3 {
			t.Errorf("limit %v: %d bytes kept", limit, len(file))
		}
		checkFile(t, readReport(t, o), file)
	}
}

func TestCompressedFileHoldsTheSameBytesAndTheSameBoundary(t *testing.T) {
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("SKIPPED: needs zstd")
	}
	text := strings.Repeat("a line of text with an €\n", 100_000)
	for _, limit := range []format.Size{format.Unlimited, 1_000_000} {
		o := options(t.TempDir())
		o.Limits.CaptureBytes, o.Compress = limit, CompressZstd
		_ = Run(t.Context(), o, strings.NewReader(text), io.Discard)
		file, err := exec.Command("zstd", "-dcq", o.File).Output()
		want := text[:whole([]byte(text), int(min(limit, format.Size(len(text)))))]
		if err != nil || string(file) != want {
			t.Fatalf("%d bytes, %v; want %d", len(file), err, len(want))
		}
		r := readReport(t, o)
		checkFile(t, r, file)
		if r.Compression.Or("") != format.Zstd {
			t.Errorf("compression %v", r.Compression)
		}
	}
}

func TestExistingFileIsLeftAloneAndTheInputIsReadAllTheSame(t *testing.T) {
	for _, taken := range []string{"file", "file.live"} {
		for kind, plant := range map[string]func(string) error{
			"file":    func(p string) error { return os.WriteFile(p, []byte("old"), 0) },
			"dir":     func(p string) error { return os.Mkdir(p, 0o700) },
			"link":    func(p string) error { return os.Symlink("/nowhere", p) },
			"to file": func(p string) error { return os.Symlink("/etc/hostname", p) },
		} {
			t.Run(taken+" is a "+kind, func(t *testing.T) {
				o := options(t.TempDir())
				path := filepath.Join(filepath.Dir(o.File), taken)
				if err := plant(path); err != nil {
					t.Fatal(err)
				}
				before, err := os.Lstat(path)
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := Run(t.Context(), o, strings.NewReader("text"), &out); err == nil {
					t.Error("no error")
				}
				after, err := os.Lstat(path)
				if err != nil || after.Mode() != before.Mode() || after.Size() != before.Size() || !os.SameFile(before, after) {
					t.Errorf("changed: %v, %v", after, err)
				}
				if r := readReport(t, o); out.String() != "text" || !r.Counts.Refused.Is(4) || len(r.Reasons) != 1 {
					t.Errorf("%q, %+v", out.String(), r)
				}
			})
		}
	}
}

func TestFailingOutputIsRecordedAndReadingGoesOn(t *testing.T) {
	o := options(t.TempDir())
	err := Run(t.Context(), o, strings.NewReader("text"), failing{})
	if err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("error %v", err)
	}
	r := readReport(t, o)
	if file, _ := os.ReadFile(o.File); string(file) != "text" || !r.Forwarded.Is(0) || !strings.Contains(r.Error.Or(""), "no room") {
		t.Errorf("%q, %+v", file, r)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestFailingInputIsNotItsEnd(t *testing.T) {
	o := options(t.TempDir())
	in := io.MultiReader(strings.NewReader("text"), iotest.ErrReader(errors.New("torn")))
	if err := Run(t.Context(), o, in, io.Discard); err == nil || !strings.Contains(err.Error(), "torn") {
		t.Errorf("error %v", err)
	}
	r := readReport(t, o)
	if file, _ := os.ReadFile(o.File); string(file) != "text" || r.EOF || !r.Counts.Committed.Is(4) {
		t.Errorf("%q, %+v", file, r)
	}
}

func TestBeingToldToEndSettlesWhatWasRead(t *testing.T) {
	o := options(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	defer feed.Close()
	seen := make(chan struct{})
	done := make(chan error)
	go func() { done <- Run(ctx, o, in, signalling{seen}) }()
	if _, err := feed.Write([]byte("some ")); err != nil {
		t.Fatal(err)
	}
	<-seen
	cancel()
	if _, err := feed.Write([]byte("text")); err != nil { // a neighbour's last words
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, errStopped) {
		t.Errorf("error %v", err)
	}
	r := readReport(t, o)
	file, _ := os.ReadFile(o.File)
	if string(file) != "some text" || r.EOF {
		t.Errorf("%q, %+v", file, r)
	}
	checkFile(t, r, file)
}

type signalling struct{ seen chan struct{} }

func (s signalling) Write(p []byte) (int, error) {
	if string(p) == "some " {
		close(s.seen)
	}
	return len(p), nil
}

// newCapture makes a capture whose lock nobody holds.
func newCapture(t *testing.T, dir string) *capture.Capture {
	t.Helper()
	ns, err := capture.CreateNamespace(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ns.Begin(format.Begin{
		Generation: 1, Streams: []string{"stdout", "stderr"}, Upstream: format.Upstream{State: format.UpstreamUnknown},
		Tool: format.Tool{Name: "spool", Version: "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); ns.Close() })
	return c
}

func staged(c *capture.Capture, stream string) Options {
	o := options("")
	o.File, o.Report, o.Capture, o.Stream = "", "", c.Path(), stream
	return o
}

func TestStreamsOfOneCaptureKeepExactlyItsLimitTogether(t *testing.T) {
	c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
	const limit = 3_000_000
	done := make(chan error)
	for _, stream := range []string{"stdout", "stderr"} {
		o := staged(c, stream)
		o.Limits.CaptureBytes = limit
		go func() { done <- Run(t.Context(), o, strings.NewReader(strings.Repeat("x", limit)), io.Discard) }()
	}
	if first, second := <-done, <-done; first == nil && second == nil {
		t.Error("no error, though both together wrote twice the limit")
	}
	var sum int64
	for _, stream := range []string{"stdout", "stderr"} {
		r, err := c.Tee(stream)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := r.Counts.Committed.Value()
		sum += n
		f, err := os.ReadFile(filepath.Join(c.Path(), stream))
		if err != nil {
			t.Fatal(err)
		}
		checkFile(t, r, f)
	}
	if sum != limit {
		t.Errorf("both hold %d, want %d", sum, limit)
	}
}

func TestStageThatMeetsAReceiptWritesNothingMore(t *testing.T) {
	c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
	r := &format.Receipt{
		Schema: format.ReceiptSchema, ID: c.ID(), Generation: 1, CreatedAt: format.At(time.Now()),
		Process:        format.Process{State: format.ProcessUnknown},
		Capture:        format.Capture{State: format.CaptureFailed, Reasons: []format.Reason{format.ReasonCrash}},
		Representation: format.Representation{Transforms: []string{}},
		Streams:        map[string]format.Stream{"stdout": {}, "stderr": {}},
		Preview:        format.Preview{Streams: map[string]format.PreviewCounts{}},
		Upstream:       format.Upstream{State: format.UpstreamUnknown},
		Tool:           format.Tool{Name: "spool", Version: "test"},
	}
	if err := c.Publish(t.Context(), r, false); err != nil {
		t.Fatal(err)
	}
	before, _ := c.Root().Names()
	var out bytes.Buffer
	err := Run(t.Context(), staged(c, "stdout"), strings.NewReader("text"), &out)
	if !errors.Is(err, capture.ErrPublished) || out.String() != "text" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if after, _ := c.Root().Names(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("left %q", after)
	}
}

func TestRemovedFileIsToldAsNothingRetained(t *testing.T) {
	o := options(t.TempDir())
	in, feed := io.Pipe()
	done := make(chan error)
	go func() { done <- Run(t.Context(), o, in, io.Discard) }()
	if _, err := feed.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(o.File + ".live"); err != nil {
		t.Fatal(err)
	}
	feed.Close()
	if err := <-done; err == nil {
		t.Error("no error")
	}
	r := readReport(t, o)
	if !r.Counts.Committed.Is(0) || r.Reasons[0].Code() != format.ReasonWriteError || r.SHA256.IsSet() {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(o.File); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file: %v", err)
	}
}
