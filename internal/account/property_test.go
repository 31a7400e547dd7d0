package account

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"

	"spool/pkg/format"
)

func drawCount(t *rapid.T, what string) format.Count {
	n := rapid.SampledFrom([]int64{-1, 0, 1, 9, 10, 11, 1 << 40, 1<<63 - 1}).Draw(t, what)
	if n < 0 {
		return format.Unknown()
	}
	return format.Known(n)
}

func drawReasons(t *rapid.T, what string) []format.Reason {
	return rapid.SliceOfNDistinct(rapid.SampledFrom([]format.Reason{
		format.ReasonQuotaCapture, format.ReasonWriteError.With("x"), format.ReasonNoSpace, format.ReasonStageLost,
		format.ReasonDrainTimeout, format.ReasonInline, format.ReasonPolicy, format.ReasonCrash,
	}), 0, 3, rapid.ID[format.Reason]).Draw(t, what)
}

// drawStream draws facts of a stream that pass the reports' own checks but for
// that need not fit together.
func drawStream(t *rapid.T, name string) StreamFacts {
	s := wholeStream(name)
	flag := func(what string) bool { return rapid.Bool().Draw(t, name+what) }
	s.Redact.EOF, s.Tee.EOF = flag("redact eof"), flag("tee eof")
	s.Redact.Raw.Observed, s.Redact.Raw.Accepted, s.Redact.Raw.Discarded = drawCount(t, "observed"), drawCount(t, "accepted"), drawCount(t, "discarded")
	s.Redact.Emitted, s.Tee.Observed = drawCount(t, "emitted"), drawCount(t, "arrived")
	s.Tee.Counts.Emitted, s.Tee.Counts.Committed, s.Tee.Counts.Refused = s.Tee.Observed, drawCount(t, "committed"), drawCount(t, "refused")
	s.Tee.Counts.RetainedEnd, s.Tee.Lines = s.Tee.Counts.Committed, drawCount(t, "lines")
	s.Tee.Reasons = drawReasons(t, "tee reasons")
	s.Preview.Returned, s.Preview.Omitted, s.Preview.Observed = drawCount(t, "returned"), drawCount(t, "omitted"), format.Unknown()
	if flag("kind") {
		s.Redact.Kind, s.Redact.Transforms = format.KindBinary, []string{"ansi-stripped"}
	}
	if flag("no redact") || s.Redact.Check() != nil {
		s.Redact = nil
	}
	if flag("no tee") || s.Tee.Check() != nil {
		s.Tee = nil
	}
	if flag("no preview") || s.Preview.Check() != nil {
		s.Preview = nil
	}
	size := rapid.SampledFrom([]int64{0, 9, 10, 11}).Draw(t, "size")
	s.File.Size = size
	if flag("no file") {
		s.File = nil
	} else if s.Unread() || flag("read") {
		s.File.Content = content(size, flag("text"))
	}
	return s
}

func TestFoldAlwaysKeepsTheContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := whole()
		f.Begin.Streams = rapid.SampledFrom([][]string{{"stdout"}, {"stdout", "stderr"}, {"output"}}).Draw(t, "streams")
		f.Streams = map[string]StreamFacts{}
		for _, n := range f.Begin.Streams {
			f.Streams[n] = drawStream(t, n)
		}
		f.Process.Reasons = drawReasons(t, "process reasons")
		o := Options{Now: published, Tool: tool, Crashed: rapid.Bool().Draw(t, "crashed")}
		r := Fold(f, o)
		if err := r.Check(); err != nil {
			t.Fatalf("%v in %+v", err, r)
		}
		if r.Capture.State != format.CaptureComplete {
			return
		}
		if o.Crashed {
			t.Fatal("complete after a crash")
		}
		for n, s := range f.Streams {
			if s.Redact == nil || s.Tee == nil || s.File == nil || !s.Redact.EOF || !s.Tee.EOF || s.Redact.Emitted != s.Tee.Observed {
				t.Fatalf("complete, but stream %s is %+v", n, s)
			}
		}
	})
}

func TestReadAgreesWithTheSlowWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.SampledFrom([]string{"", "\n", "a\nb", "é\n", "\xe2\x80\x94", "\xe2\x80", "\xf0\x9f\x98\x80", "a\xff", "\xf0\x9f"})).Draw(t, "text")
		for _, chunked := range []func(string) (Content, error){
			func(s string) (Content, error) { return Read(strings.NewReader(s)) },
			func(s string) (Content, error) { return Read(iotest.OneByteReader(strings.NewReader(s))) },
			func(s string) (Content, error) { return Read(iotest.HalfReader(strings.NewReader(s))) },
		} {
			got, err := chunked(text)
			sum := sha256.Sum256([]byte(text))
			want := Content{
				Size: int64(len(text)), Lines: int64(strings.Count(text, "\n")),
				FinalNewline: text == "" || strings.HasSuffix(text, "\n"), SHA256: hex.EncodeToString(sum[:]), UTF8: utf8.ValidString(text),
			}
			if err != nil || got != want {
				t.Fatalf("%q: want %+v; got %+v, %v", text, want, got, err)
			}
		}
	})
}

func TestReadPassesOnTheFirstError(t *testing.T) {
	bad := fmt.Errorf("input/output error")
	if _, err := Read(iotest.ErrReader(bad)); !errors.Is(err, bad) {
		t.Errorf("want %v; got %v", bad, err)
	}
}

// FuzzFold feeds what may lie on disk: whatever parses must fold into a receipt
// that keeps the contract, and never panic.
func FuzzFold(f *testing.F) {
	w := wholeStream(format.Stdout)
	redact, _ := format.EncodeRedact(w.Redact)
	tee, _ := format.EncodeTee(w.Tee)
	preview, _ := format.EncodePreview(w.Preview)
	f.Add(redact, tee, preview, int64(10), true, false)
	f.Add(redact, bytes.ReplaceAll(tee, []byte("10"), []byte("9223372036854775807")), preview, int64(3), true, true)
	f.Fuzz(func(t *testing.T, redact, tee, preview []byte, size int64, file, crashed bool) {
		var s StreamFacts
		s.Redact, _ = format.ParseRedact(redact)
		s.Tee, _ = format.ParseTee(tee)
		s.Preview, _ = format.ParsePreview(preview)
		if file && size >= 0 {
			s.File = &Retained{Size: size}
			if s.Unread() {
				s.File.Content = content(size, size%2 == 0)
			}
		}
		facts := whole()
		facts.Streams[format.Stdout] = s
		r := Fold(facts, Options{Now: published, Tool: tool, Crashed: crashed})
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		if crashed && r.Capture.State == format.CaptureComplete {
			t.Fatal("complete after a crash")
		}
	})
}
