package receipt

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spool/internal/capture"
	"spool/internal/capture/capturetest"
	"spool/pkg/format"
)

// twoStreams is a final capture of stdout and stderr.
func twoStreams(t *testing.T) *capture.Capture {
	t.Helper()
	c, err := Begin(capturetest.Namespace(t), BeginOptions{
		Label: "secret plans", CallID: "call-7", Streams: []string{format.Stdout, format.Stderr}, Tool: capturetest.Tool(),
		Upstream: format.Upstream{State: format.UpstreamComplete, Note: format.Some("a note")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	write(t, c, format.Stdout, strings.Repeat("out\n", 1000))
	write(t, c, format.Stderr, "err\n")
	if r, _, err := Finish(t.Context(), c, FinishOptions{}); err != nil || r.Capture.State != format.CaptureComplete {
		t.Fatalf("%+v, %v", r, err)
	}
	return c
}

// unpack unpacks a bundle as anyone would.
func unpack(t *testing.T, bundle string) *capture.Namespace {
	t.Helper()
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("SKIPPED: needs the zstd program")
	}
	dir := filepath.Join(t.TempDir(), "unpacked")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("tar", "--zstd", "-xf", bundle, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	ns, err := capture.OpenNamespace(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ns.Close() })
	return ns
}

// verified opens a capture, verifies it and returns its receipt.
func verified(t *testing.T, ns *capture.Namespace, id format.ID) (*capture.Capture, *format.Receipt) {
	t.Helper()
	c, err := ns.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if v, err := Verify(t.Context(), c); err != nil || v.Live || len(v.Faults) > 0 {
		t.Errorf("verify: %+v, %v", v, err)
	}
	r, err := c.Receipt()
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

func TestExportUnpacksToANamespaceThatVerifies(t *testing.T) {
	c := twoStreams(t)
	bundle := filepath.Join(t.TempDir(), "b.tar.zst")
	if err := Export(t.Context(), []*capture.Capture{c}, bundle, ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(bundle); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	ns := unpack(t, bundle)
	got, r := verified(t, ns, c.ID())
	if r.Label.IsSet() || r.CallID.IsSet() || r.Upstream.Note.IsSet() || r.Capture.State != format.CaptureComplete {
		t.Errorf("%+v", r)
	}
	if data, err := os.ReadFile(filepath.Join(got.Path(), "begin.json")); err != nil || strings.Contains(string(data), "plans") || strings.Contains(string(data), "call-7") {
		t.Errorf("metadata went along: %s, %v", data, err)
	}
	for _, stream := range []string{format.Stdout, format.Stderr} {
		path, err := Resolve(got, stream)
		want, _ := os.ReadFile(filepath.Join(c.Path(), stream))
		if data, _ := os.ReadFile(path); err != nil || string(data) != string(want) {
			t.Errorf("%s: %q, %v", stream, data, err)
		}
	}
}

func TestExportMarksAStreamThatIsLeftOut(t *testing.T) {
	c := twoStreams(t)
	bundle := filepath.Join(t.TempDir(), "b.tar.zst")
	err := Export(t.Context(), []*capture.Capture{c}, bundle, ExportOptions{Streams: []string{format.Stderr}, WithMetadata: true})
	if err != nil {
		t.Fatal(err)
	}
	got, r := verified(t, unpack(t, bundle), c.ID())
	if r.Capture.State != format.CaptureUnavailable || r.Streams[format.Stdout].Ref.IsSet() || r.Label.Or("") != "secret plans" {
		t.Errorf("%+v", r)
	}
	if _, err := Resolve(got, format.Stdout); !errors.Is(err, ErrUnavailable) {
		t.Errorf("want unavailable; got %v", err)
	}
	if _, err := Resolve(got, format.Stderr); err != nil {
		t.Error(err)
	}
}

func TestExportWritesAllOrNothing(t *testing.T) {
	c := twoStreams(t)
	live := begin(t, capturetest.Namespace(t))
	damaged := twoStreams(t)
	if err := os.WriteFile(filepath.Join(damaged.Path(), "stderr"), []byte("er1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	gone := twoStreams(t)
	if err := os.Remove(filepath.Join(gone.Path(), "stderr")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		c    *capture.Capture
		o    ExportOptions
		want string
	}{
		{"over its limit", c, ExportOptions{MaxBytes: 4000}, ErrTooLarge.Error()},
		{"not final", live, ExportOptions{}, ErrNotFinal.Error()},
		{"damaged", damaged, ExportOptions{}, "damaged"},
		{"a stream is gone", gone, ExportOptions{}, ErrNeedsTransfer.Error()},
	} {
		dir := t.TempDir()
		err := Export(t.Context(), []*capture.Capture{tt.c}, filepath.Join(dir, "b.tar.zst"), tt.o)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: want %q; got %v", tt.name, tt.want, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", tt.name, left, err)
		}
	}
	taken := filepath.Join(t.TempDir(), "b")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Export(t.Context(), []*capture.Capture{c}, taken, ExportOptions{}); err == nil {
		t.Error("an existing file was taken")
	}
	if data, _ := os.ReadFile(taken); string(data) != "mine" {
		t.Errorf("overwritten: %q", data)
	}
}

func TestShareCopiesWithinTheOtherAllowance(t *testing.T) {
	c := twoStreams(t)
	to := capturetest.Namespace(t)
	room := format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: 4004}
	id, err := Share(t.Context(), c, to, ShareOptions{Limits: room})
	if err != nil {
		t.Fatal(err)
	}
	_, r := verified(t, to, id)
	from, err := c.Receipt()
	if err != nil {
		t.Fatal(err)
	}
	if r.Origin.Or("") != string(c.ID()) || r.CreatedAt != from.CreatedAt || r.Capture.State != format.CaptureComplete || r.Label.IsSet() || id == c.ID() {
		t.Errorf("%+v", r)
	}
	// It is used up to the last byte: another copy is refused whole.
	_, err = Share(t.Context(), c, to, ShareOptions{Limits: room})
	if !errors.Is(err, capture.ErrQuotaNamespace) {
		t.Errorf("want it refused; got %v", err)
	}
	if ids, err := to.IDs(); err != nil || !slices.Equal(ids, []format.ID{id}) {
		t.Errorf("half a copy is left: %v, %v", ids, err)
	}
	if err := to.Recount(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

func TestShareOfADamagedStreamLeavesNothing(t *testing.T) {
	c := twoStreams(t)
	if err := os.WriteFile(filepath.Join(c.Path(), "stderr"), []byte("er1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := capturetest.Namespace(t)
	if _, err := Share(t.Context(), c, to, ShareOptions{Limits: format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: format.Unlimited}}); err == nil {
		t.Error("a damaged stream was handed on")
	}
	if ids, err := to.IDs(); err != nil || len(ids) > 0 {
		t.Errorf("left: %v, %v", ids, err)
	}
}
