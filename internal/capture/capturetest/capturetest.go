// Package capturetest makes captures for the tests of the rooms above.
package capturetest

import (
	"errors"
	"path/filepath"
	"testing"

	"spool/internal/capture"
	"spool/pkg/format"
)

// Tool returns who makes what is made here.
func Tool() format.Tool { return format.Tool{Name: "spool", Version: "test"} }

// Limits returns bounds that no text of a test meets.
func Limits() format.Limits { return format.Limits{CaptureBytes: 1 << 20, NamespaceBytes: 1 << 21} }

// Plain returns the form of a stream that is not compressed.
func Plain() format.Opt[format.Compression] { return format.None[format.Compression]() }

// Namespace makes a namespace of the test's own.
func Namespace(t *testing.T) *capture.Namespace {
	t.Helper()
	ns, err := capture.CreateNamespace(filepath.Join(t.TempDir(), "ns"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ns.Close(); err != nil {
			t.Error(err)
		}
	})
	return ns
}

// Write writes text as a writer does that has died: the stream stays live, and
// nobody reports on it.
func Write(t *testing.T, c *capture.Capture, stream, text string) {
	t.Helper()
	f, err := c.CreateStream(stream, Plain())
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}
