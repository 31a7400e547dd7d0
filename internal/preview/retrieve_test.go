package preview

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"spool/internal/capture"
	"spool/internal/receipt"
	"spool/internal/redact"
	"spool/internal/spool"
	"spool/pkg/format"
)

// made is how a capture of a test is made.
type made struct {
	exit     int64
	compress spool.Compress
	max      format.Size // 0: unlimited
	raw      bool
	rest     bool // spool-tee passes on only what it does not keep
	pending  bool // the stages are done, the receipt is not published
	label    string
}

func (m made) from() Forward {
	if m.rest {
		return ForwardRest
	}
	return ForwardAll
}

// fatal is what testing.TB and rapid.T have in common.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// namespaceIn makes a namespace below dir.
func namespaceIn(t fatal, dir string) *capture.Namespace {
	t.Helper()
	ns, err := capture.CreateNamespace(filepath.Join(dir, "ns"))
	if err != nil {
		t.Fatal(err)
	}
	return ns
}

// captured makes a capture by the stages themselves.
func captured(t fatal, ns *capture.Namespace, m made, streams map[string][]byte) *capture.Capture {
	t.Helper()
	tool := format.Tool{Name: "test", Version: "1"}
	limits := format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: format.Unlimited}
	if m.max > 0 {
		limits.CaptureBytes = m.max
	}
	var names []string
	for _, n := range []string{"stdout", "stderr", "output"} {
		if _, ok := streams[n]; ok {
			names = append(names, n)
		}
	}
	c, err := receipt.Begin(ns, receipt.BeginOptions{Label: m.label, Streams: names, Limits: limits, Tool: tool})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, name := range names {
		var clean, kept, shown bytes.Buffer
		err := redact.Run(ctx, redact.StageOptions{Capture: c.Path(), Stream: name, Tool: tool, Raw: m.raw}, bytes.NewReader(streams[name]), &clean)
		if err == nil {
			so := spool.Options{Capture: c.Path(), Stream: name, Limits: limits, Stall: spool.DefaultStall, Compress: m.compress, Sync: spool.SyncNone, Forward: spool.Forward(m.from()), Tool: tool}
			err = spool.Run(ctx, so, &clean, &kept)
			if m.max > 0 {
				err = nil // it tells that the quota was met
			}
		}
		if err == nil {
			fo := FilterOptions{Head: DefaultHead, Tail: DefaultTail, Stream: name, Tool: tool}
			err = Stage(ctx, c.Path(), m.from(), fo, &kept, &shown)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if m.pending {
		return c
	}
	if err := receipt.Process(ctx, c, receipt.ProcessOptions{Exit: format.Some(m.exit)}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := receipt.Finish(ctx, c, receipt.FinishOptions{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	return c
}

// said collects what an answer prints and notes.
type said struct {
	bytes.Buffer
	notes []string
}

func (s *said) output() Output {
	return Output{W: s, Note: func(text string) { s.notes = append(s.notes, text) }}
}

func (s *said) note() string { return strings.Join(s.notes, "\n") }

// forms are the ways in which a stream may be stored.
var forms = map[string]made{
	"plain": {}, "compressed": {compress: spool.CompressZstd},
	"plain pending": {pending: true}, "compressed pending": {compress: spool.CompressZstd, pending: true},
}

func TestConcatenatedRangesAreTheStream(t *testing.T) {
	for name, form := range forms {
		form.raw = true // the bytes as they are: what redact strips is not at issue
		for seed := range 8 {
			data := bytes.Repeat(streams().Example(seed), 16)
			c := captured(t, namespaceIn(t, t.TempDir()), form, map[string][]byte{"stdout": data})
			for _, step := range []int{len(data)/37 + 1, len(data)/3 + 1, max(len(data), 1)} {
				var all bytes.Buffer
				for at := 0; at < len(data); at += step {
					var s said
					to := min(at+step, len(data))
					if err := Bytes(c, "", RangeOptions{Range: Range{int64(at), int64(to)}, Exact: true, Limit: 1 << 40, Output: s.output()}); err != nil {
						t.Fatal(err)
					}
					if s.Len() != to-at || len(s.notes) > 0 {
						t.Fatalf("%s [%d, %d): %d bytes, %q", name, at, to, s.Len(), s.notes)
					}
					all.Write(s.Bytes())
				}
				if !bytes.Equal(all.Bytes(), data) {
					t.Fatalf("%s, by %d: the ranges do not make the stream", name, step)
				}
			}
			c.Close()
		}
	}
}

func TestRangeIsShrunkToWholeCharacters(t *testing.T) {
	data := []byte("aé好👩z")
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": data})
	defer c.Close()
	for from := range len(data) + 1 {
		for to := from; to <= len(data); to++ {
			var s said
			if err := Bytes(c, "stdout", RangeOptions{Range: Range{int64(from), int64(to)}, Output: s.output()}); err != nil {
				t.Fatalf("[%d, %d): %v", from, to, err)
			}
			if !utf8.Valid(s.Bytes()) || !bytes.Contains(data[from:to], s.Bytes()) || s.Len() < to-from-6 {
				t.Errorf("[%d, %d): %q", from, to, s.String())
			}
			if shrunk := s.Len() < to-from; shrunk != strings.Contains(s.note(), "shrunk to whole characters") {
				t.Errorf("[%d, %d): %d bytes, told %q", from, to, s.Len(), s.note())
			}
		}
	}
}

func TestRangeStopsAtTheLimitAndTellsHowToGoOn(t *testing.T) {
	data := []byte(strings.Repeat("好", 1000))
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": data})
	defer c.Close()
	var all bytes.Buffer
	for at, rounds := int64(0), 0; at < int64(len(data)); rounds++ {
		var s said
		if err := Bytes(c, "", RangeOptions{Range: Range{at, 1 << 62}, Limit: 100, Output: s.output()}); err != nil {
			t.Fatal(err)
		}
		if s.Len() > 100 || s.Len() == 0 || rounds > 100 {
			t.Fatalf("%d bytes, %q", s.Len(), s.note())
		}
		all.Write(s.Bytes())
		at += int64(s.Len())
		if at < int64(len(data)) && !strings.Contains(s.note(), fmt.Sprintf("--bytes-range %d:", at)) {
			t.Fatalf("the way on is not told: %q", s.note())
		}
	}
	if !bytes.Equal(all.Bytes(), data) {
		t.Error("the pieces do not make the stream")
	}
}

func TestRangeBeyondTheEndIsAClearError(t *testing.T) {
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": []byte("ten bytes\n"), "stderr": nil})
	defer c.Close()
	for name, tt := range map[string]struct {
		stream string
		err    string
		do     func(o Output, stream string) error
	}{
		"bytes":   {"stdout", "byte 11 is not there: the stream has 10 bytes", func(o Output, s string) error { return Bytes(c, s, RangeOptions{Range: Range{11, 12}, Output: o}) }},
		"lines":   {"stdout", "line 2 is not there: it has 1", func(o Output, s string) error { return Lines(c, s, RangeOptions{Range: Range{2, 2}, Output: o}) }},
		"unnamed": {"", "has several streams", func(o Output, s string) error { return Bytes(c, s, RangeOptions{Output: o}) }},
		"none":    {"output", "has no stream", func(o Output, s string) error { return Bytes(c, s, RangeOptions{Output: o}) }},
		"cursor": {"stdout", "beyond the end", func(o Output, s string) error {
			return Poll(t.Context(), c, s, PollOptions{From: format.Some(capture.Position{Generation: 1, Offset: 11}), Output: o})
		}},
		"generation": {"stdout", "another generation", func(o Output, s string) error {
			return Poll(t.Context(), c, s, PollOptions{From: format.Some(capture.Position{Generation: 2}), Output: o})
		}},
	} {
		var s said
		if err := tt.do(s.output(), tt.stream); err == nil || !strings.Contains(err.Error(), tt.err) || s.Len() > 0 {
			t.Errorf("%s: %v, printed %q", name, err, s.String())
		}
	}
}

func TestLinesAreCountedFromOneAndInclusive(t *testing.T) {
	var data []byte
	want := []string{""}
	for i := 1; i <= 30_000; i++ {
		line := fmt.Sprintf("%d,%s\n", i, strings.Repeat("x", i%40))
		want, data = append(want, line), append(data, line...)
	}
	data = append(data, "no newline"...)
	want = append(want, "no newline")
	for name, form := range forms {
		c := captured(t, namespaceIn(t, t.TempDir()), form, map[string][]byte{"stdout": data})
		for _, r := range []Range{{1, 1}, {2, 5}, {23456, 23456}, {30_000, 30_001}, {30_001, 30_001}, {0, 2}, {30_001, 1 << 62}} {
			var s said
			if err := Lines(c, "stdout", RangeOptions{Range: r, Output: s.output()}); err != nil {
				t.Fatalf("%s: lines %v: %v", name, r, err)
			}
			if w := strings.Join(want[max(r.Low, 1):min(r.High, 30_001)+1], ""); s.String() != w {
				t.Errorf("%s: lines %v: got %.60q, want %.60q", name, r, s.String(), w)
			}
		}
		c.Close()
	}
}

func TestMatchTellsOffsetLineAndWindow(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, "line %d of many\n", i)
	}
	data := b.String()
	for name, form := range forms {
		c := captured(t, namespaceIn(t, t.TempDir()), form, map[string][]byte{"stdout": []byte(data)})
		var s said
		found, err := Match(c, "", MatchOptions{Pattern: regexp.MustCompile(`(?m)^line (7777|49999) of`), Max: 20, Output: s.output()})
		if err != nil || !found {
			t.Fatalf("%s: %v, %v", name, found, err)
		}
		want := ""
		for _, i := range []int{7777, 49999} {
			line := fmt.Sprintf("line %d of many", i)
			at := strings.Index(data, line+"\n")
			want += fmt.Sprintf("[spool: line %d, bytes %d-%d match; %d bytes from %d follow]\n%s\n", i+1, at, at+len(line)-5, len(line), at, line)
		}
		if s.String() != want {
			t.Errorf("%s: got %q, want %q", name, s.String(), want)
		}
		c.Close()
	}
}

func TestMatchShowsABoundedWindowOfALongLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{100, blockSize - 1, blockSize, blockSize + 1, 3*blockSize + 77}).Draw(t, "length")
		at := rapid.IntRange(0, n-8).Draw(t, "at")
		if rapid.Bool().Draw(t, "at a seam") {
			at = min(max(blockSize-overlap-4+rapid.IntRange(-8, 8).Draw(t, "by"), 0), n-8)
		}
		data := bytes.Repeat([]byte("é"), n/2+1)[:n]
		copy(data[at&^1:], "{needle}")
		s := &reading{stored: &stored{size: int64(n)}, limit: 1 << 20}
		m := &matching{reading: s, o: MatchOptions{Pattern: regexp.MustCompile(`(?m)needle`), Max: 3}, src: bytes.NewReader(data)}
		if err := m.search(); err != nil {
			t.Fatal(err)
		}
		if len(m.hits) != 1 || m.hits[0].Offset != int64(at&^1)+1 || m.hits[0].Line != 1 || !strings.Contains(m.hits[0].Text, "{needle}") {
			t.Fatalf("hits %+v, want one at %d", m.hits, at&^1+1)
		}
		h := m.hits[0]
		if len(h.Text) > windowMost || !bytes.HasPrefix(data[h.Start:], []byte(h.Text)) || !utf8.ValidString(h.Text) {
			t.Fatalf("window %q from %d", h.Text, h.Start)
		}
	})
}

func TestMatchStopsAfterSoMany(t *testing.T) {
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": bytes.Repeat([]byte("hit\n"), 100)})
	defer c.Close()
	var s said
	found, err := Match(c, "", MatchOptions{Pattern: regexp.MustCompile("(?m)hit"), Max: 3, Output: s.output()})
	if err != nil || !found || strings.Count(s.String(), "match;") != 3 || !strings.Contains(s.note(), "there are more") {
		t.Errorf("%v, %v, %q, %q", found, err, s.String(), s.note())
	}
	found, err = Match(c, "", MatchOptions{Pattern: regexp.MustCompile("(?m)miss"), Max: 3, Output: s.output()})
	if err != nil || found || !strings.Contains(s.note(), "no match") {
		t.Errorf("%v, %v, %q", found, err, s.note())
	}
}

func TestPartialStreamTellsWhatIsMissingAndWhereTheTailIs(t *testing.T) {
	data := []byte(strings.Repeat("0123456789abcde\n", 20_000) + "the very end\n")
	c := captured(t, namespaceIn(t, t.TempDir()), made{max: 64 << 10, exit: 1}, map[string][]byte{"stdout": data})
	defer c.Close()
	missing := len(data) - 64<<10
	var s said
	if err := Poll(t.Context(), c, "stdout", PollOptions{From: format.Some(capture.Position{Generation: 1, Offset: 64 << 10}), Output: s.output()}); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(\d+) bytes are missing .* --bytes-range (\d+):(\d+)`).FindStringSubmatch(s.note())
	if m == nil || m[1] != fmt.Sprint(missing) || m[3] != fmt.Sprint(len(data)) {
		t.Fatalf("told %q; %d bytes are missing", s.note(), missing)
	}
	var from, to int64
	fmt.Sscan(m[2], &from)
	fmt.Sscan(m[3], &to)
	var tail said
	if err := Bytes(c, "stdout", RangeOptions{Range: Range{from, to}, Output: tail.output()}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(tail.Bytes(), data[from:]) {
		t.Errorf("the saved tail is not that of the stream: %d bytes", tail.Len())
	}
	if err := Bytes(c, "stdout", RangeOptions{Range: Range{100_000, 100_010}, Output: tail.output()}); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("what is lost: %v", err)
	}
	var look said
	if err := Look(c, "", LookOptions{Highlight: AutoHighlighting(), Output: look.output()}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(look.String(), "the very end\n") || !strings.Contains(look.String(), "not kept") || !strings.Contains(look.String(), "capture=partial reasons=quota-capture") {
		t.Errorf("the look hides it: %s", look.String()[:200])
	}
}

// TestRestAndFileMakeTheSameReport holds the stage that reads what is kept from
// the file against the one that gets all of the stream.
func TestRestAndFileMakeTheSameReport(t *testing.T) {
	line := strings.Repeat("é", 20) + "0123456789\n"
	for _, size := range []int{0, 1, 5000, 16 << 10, 17000, 100_000} {
		data := []byte(strings.Repeat(line, size/len(line)+1)[:size])
		data = bytes.ToValidUTF8(data, nil)
		for _, most := range []format.Size{1, 9000, 16 << 10, 90_000, 1 << 20} {
			for _, compress := range []spool.Compress{spool.CompressNone, spool.CompressZstd} {
				var reports []format.PreviewReport
				for _, rest := range []bool{false, true} {
					m := made{max: most, compress: compress, rest: rest, pending: true}
					c := captured(t, namespaceIn(t, t.TempDir()), m, map[string][]byte{"stderr": data})
					r, err := c.Preview("stderr")
					if err != nil {
						t.Fatal(err)
					}
					reports = append(reports, *r)
					c.Close()
				}
				if reports[0] != reports[1] {
					t.Errorf("%d bytes, %v kept: %.300v, %.300v", size, most, reports[0], reports[1])
				}
			}
		}
	}
}

func TestRestWithoutTeesReportIsOfUnknownPlace(t *testing.T) {
	c, err := receipt.Begin(namespaceIn(t, t.TempDir()), receipt.BeginOptions{Streams: []string{"stdout"}, Tool: format.Tool{Name: "t", Version: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var out bytes.Buffer
	err = Stage(t.Context(), c.Path(), ForwardRest, filterOptions(), strings.NewReader("the rest\n"), &out)
	if err == nil || out.String() != "the rest\n" {
		t.Errorf("%v, printed %q", err, out.String())
	}
	r, err := c.Preview("stdout")
	if err != nil || r.Observed.IsKnown() || r.TailStart.IsKnown() || !r.Error.IsSet() {
		t.Errorf("%v, report %+v", err, r)
	}
}

func TestLookAtAStreamOfWhichHardlyAnythingIsKept(t *testing.T) {
	data := []byte(strings.Repeat("error: again and again\n", 5000))
	for _, most := range []format.Size{1, 100, 5000} {
		c := captured(t, namespaceIn(t, t.TempDir()), made{max: most, exit: 1}, map[string][]byte{"stdout": data})
		var s said
		if err := Look(c, "", LookOptions{Highlight: AutoHighlighting(), Output: s.output()}); err != nil {
			t.Errorf("%v kept: %v", most, err)
		}
		if !strings.Contains(s.String(), fmt.Sprintf("bytes %d-%d not kept", most, len(data))) {
			t.Errorf("%v kept: %.300s", most, s.String())
		}
		c.Close()
	}
}

func TestConsumersSeeEachByteOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "spool-preview-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		ns := namespaceIn(t, dir)
		c, err := receipt.Begin(ns, receipt.BeginOptions{Streams: []string{"stdout"}, Tool: format.Tool{Name: "t", Version: "1"}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var file *os.File
		var written []byte
		seen := map[string]*bytes.Buffer{"a": {}, "b": {}}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "write") {
				if file == nil {
					if file, err = c.CreateStream("stdout", format.None[format.Compression]()); err != nil {
						t.Fatal(err)
					}
					defer file.Close()
				}
				data := bytes.ToValidUTF8(streams().Draw(t, "data"), []byte("?"))
				if _, err := file.Write(data); err != nil {
					t.Fatal(err)
				}
				written = append(written, data...)
				continue
			}
			name := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "consumer")
			limit := int64(rapid.IntRange(4, 3000).Draw(t, "limit"))
			if rapid.IntRange(0, 4).Draw(t, "broken") == 0 {
				o := Output{W: brokenWriter{io.ErrClosedPipe}, Note: func(string) {}}
				if err := Poll(context.Background(), c, "", PollOptions{Consumer: name, Limit: limit, Output: o}); err == nil && seen[name].Len() < len(written) {
					t.Fatal("a lost answer is not told")
				}
				continue
			}
			var s said
			if err := Poll(context.Background(), c, "", PollOptions{Consumer: name, Limit: limit, Output: s.output()}); err != nil {
				t.Fatal(err)
			}
			if int64(s.Len()) > limit || !utf8.Valid(s.Bytes()) {
				t.Fatalf("%d bytes of at most %d", s.Len(), limit)
			}
			seen[name].Write(s.Bytes())
		}
		for name, got := range seen {
			for got.Len() < len(written) {
				var s said
				if err := Poll(context.Background(), c, "", PollOptions{Consumer: name, Output: s.output()}); err != nil || s.Len() == 0 {
					t.Fatalf("poll: %v, %d bytes", err, s.Len())
				}
				got.Write(s.Bytes())
			}
			if !bytes.Equal(got.Bytes(), written) {
				t.Fatalf("consumer %s has seen something else", name)
			}
		}
	})
}

func TestPollsOfOneConsumerAtOnceShareTheStream(t *testing.T) {
	data := []byte(strings.Repeat("é0123456789\n", 500))
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": data})
	defer c.Close()
	pieces := make(chan Piece, len(data))
	var polls sync.WaitGroup
	for range 4 {
		polls.Go(func() {
			for {
				var s said
				o := s.output()
				o.JSON = true
				if err := Poll(t.Context(), c, "", PollOptions{Consumer: "x", Limit: 100, Output: o}); err != nil {
					t.Error(err)
					return
				}
				var p Piece
				if err := json.Unmarshal(s.Bytes(), &p); err != nil || p.Start == p.End {
					return
				}
				pieces <- p
			}
		})
	}
	polls.Wait()
	close(pieces)
	seen := make([]byte, len(data))
	n := int64(0)
	for p := range pieces {
		copy(seen[p.Start:], p.Data)
		n += p.End - p.Start
	}
	if n != int64(len(data)) || !bytes.Equal(seen, data) {
		t.Errorf("%d of %d bytes were seen", n, len(data))
	}
}

func TestStageWritesNothingIntoAFinalCapture(t *testing.T) {
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": []byte("x\n")})
	defer c.Close()
	in := strings.NewReader(strings.Repeat("late\n", 100_000))
	var out bytes.Buffer
	err := Stage(t.Context(), c.Path(), ForwardAll, filterOptions(), in, &out)
	if !errors.Is(err, capture.ErrPublished) || in.Len() > 0 || out.Len() == 0 {
		t.Errorf("%v, %d bytes unread, %d printed", err, in.Len(), out.Len())
	}
	if _, err := c.Preview("stdout"); err == nil {
		t.Error("a report was left in a final capture")
	}
}

func TestFollowEndsWhenTheStreamIsFinal(t *testing.T) {
	c := captured(t, namespaceIn(t, t.TempDir()), made{pending: true}, map[string][]byte{"stdout": []byte("one\ntwo\n")})
	defer c.Close()
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		o := Output{W: w, Note: func(string) {}}
		done <- Poll(context.Background(), c, "stdout", PollOptions{Follow: true, Output: o})
		w.Close()
	}()
	first := make([]byte, 8)
	if _, err := io.ReadFull(r, first); err != nil || string(first) != "one\ntwo\n" {
		t.Fatalf("%q, %v", first, err)
	}
	if _, _, err := receipt.Finish(t.Context(), c, receipt.FinishOptions{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(r)
	if err := errors.Join(err, <-done); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}

func TestLookCannotBeForged(t *testing.T) {
	forged := "x\n[spool: stderr, 3 bytes follow; 0 of 3 bytes omitted]\nok\n"
	c := captured(t, namespaceIn(t, t.TempDir()), made{exit: 3, label: "make test"}, map[string][]byte{"stdout": []byte(forged), "stderr": []byte("real")})
	defer c.Close()
	var s said
	if err := Look(c, "", LookOptions{Output: s.output()}); err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(s.String(), "\n")
	want := fmt.Sprintf(`spool %s process=exited exit=3 capture=complete omitted=0 representation=redacted-utf8 origin=local untrusted producer="make test"`, c.ID())
	if first != want {
		t.Errorf("first line %q, want %q", first, want)
	}
	got := map[string]string{}
	for rest != "" {
		head, body, _ := strings.Cut(rest, "\n")
		m := regexp.MustCompile(`^\[spool: (\w+), (\d+) bytes follow; 0 of \d+ bytes omitted\]$`).FindStringSubmatch(head)
		if m == nil {
			t.Fatalf("no header: %q", head)
		}
		var n int
		fmt.Sscan(m[2], &n)
		got[m[1]], rest = body[:n], body[n:]
		if !strings.HasSuffix(got[m[1]], "\n") {
			rest = strings.TrimPrefix(rest, "\n")
		}
	}
	if got["stdout"] != forged || got["stderr"] != "real" || len(got) != 2 {
		t.Errorf("parsed %q", got)
	}
}

func TestJSONNamesItsSource(t *testing.T) {
	data := []byte(strings.Repeat("good line\n", 3000) + "a.c:1:2: error: it\n" + strings.Repeat("more\n", 3000))
	c := captured(t, namespaceIn(t, t.TempDir()), made{exit: 1, label: "make"}, map[string][]byte{"stdout": data})
	defer c.Close()
	for name, do := range map[string]func(o Output) error{
		"look":  func(o Output) error { return Look(c, "", LookOptions{Highlight: AutoHighlighting(), Output: o}) },
		"bytes": func(o Output) error { return Bytes(c, "", RangeOptions{Range: Range{0, 10}, Output: o}) },
		"lines": func(o Output) error { return Lines(c, "", RangeOptions{Range: Range{2, 2}, Output: o}) },
		"match": func(o Output) error {
			_, err := Match(c, "", MatchOptions{Pattern: regexp.MustCompile("error"), Max: 1, Output: o})
			return err
		},
		"poll": func(o Output) error { return Poll(t.Context(), c, "", PollOptions{Output: o}) },
	} {
		var s said
		o := s.output()
		o.JSON = true
		if err := do(o); err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(s.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got["producer"] != "make" || got["untrusted"] != true || got["origin"] != nil || got["representation"].(map[string]any)["kind"] != "redacted-utf8" || got["final"] != true {
			t.Errorf("%s: the source is not named: %.300s", name, s.String())
		}
		switch name {
		case "look":
			out := got["streams"].(map[string]any)["stdout"].(map[string]any)
			lines := out["highlights"].([]any)
			if len(lines) != 1 || lines[0].(map[string]any)["line"] != 3001.0 || lines[0].(map[string]any)["offset"] != 30000.0 {
				t.Errorf("highlights %v", lines)
			}
			ranges := out["omitted_ranges"].([]any)[0].([]any)
			if out["head"] != string(data[:int(ranges[0].(float64))]) || out["tail"] != string(data[int(ranges[1].(float64)):]) {
				t.Error("head and tail do not fit the omitted range")
			}
		case "bytes", "lines":
			if got["data"] != "good line\n" || got["encoding"] != "utf-8" {
				t.Errorf("%s: data %v", name, got["data"])
			}
		case "poll":
			if got["next"] != fmt.Sprintf("1:%d", len(data)) && got["next"] != "1:65536" {
				t.Errorf("next %v", got["next"])
			}
		}
	}
}

func TestDamageIsTold(t *testing.T) {
	data := []byte(strings.Repeat("a line\n", 50_000))
	for name, tt := range map[string]struct {
		form made
		harm func(path string) error
		want string
	}{
		"missing":       {made{}, os.Remove, "file is missing"},
		"truncated":     {made{}, func(p string) error { return os.Truncate(p, 1000) }, "damaged"},
		"a link":        {made{}, func(p string) error { return errors.Join(os.Rename(p, p+"2"), os.Symlink("/etc/passwd", p)) }, "stdout"},
		"packed, short": {made{compress: spool.CompressZstd}, func(p string) error { return os.Truncate(p+".zst", 60) }, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			c := captured(t, namespaceIn(t, t.TempDir()), tt.form, map[string][]byte{"stdout": data})
			defer c.Close()
			if err := tt.harm(filepath.Join(c.Path(), "stdout")); err != nil {
				t.Fatal(err)
			}
			for _, do := range []func(o Output) error{
				func(o Output) error { return Look(c, "", LookOptions{Output: o}) },
				func(o Output) error { return Bytes(c, "", RangeOptions{Range: Range{0, 10}, Output: o}) },
				func(o Output) error { return Poll(t.Context(), c, "", PollOptions{Consumer: "x", Output: o}) },
			} {
				var s said
				if err := do(s.output()); err == nil || !strings.Contains(err.Error(), tt.want) || s.Len() > 0 {
					t.Errorf("%v, printed %q", err, s.String())
				}
			}
		})
	}
}

func TestNothingYetIsNoError(t *testing.T) {
	c, err := receipt.Begin(namespaceIn(t, t.TempDir()), receipt.BeginOptions{Streams: []string{"stdout"}, Tool: format.Tool{Name: "t", Version: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var s said
	if err := Look(c, "", LookOptions{Output: s.output()}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.String(), "process=running capture=pending") || !strings.Contains(s.String(), "nothing yet") {
		t.Errorf("got %q", s.String())
	}
	var p said
	if err := Poll(t.Context(), c, "", PollOptions{Consumer: "x", Output: p.output()}); err != nil || p.Len() > 0 || p.note() != "cursor 1:0" {
		t.Errorf("%v, %q, %q", err, p.String(), p.note())
	}
}

func TestTerminalAnswersCarryNoControlCharacters(t *testing.T) {
	data := []byte("a\x1b[31mred\u202e\u0085\x07\r\nneedle\x1b\n")
	c := captured(t, namespaceIn(t, t.TempDir()), made{raw: true}, map[string][]byte{"stdout": data})
	defer c.Close()
	for name, do := range map[string]func(o Output) error{
		"look":  func(o Output) error { return Look(c, "", LookOptions{Output: o}) },
		"bytes": func(o Output) error { return Bytes(c, "", RangeOptions{Range: Range{0, 1 << 62}, Output: o}) },
		"match": func(o Output) error {
			_, err := Match(c, "", MatchOptions{Pattern: regexp.MustCompile("needle"), Max: 1, Output: o})
			return err
		},
		"poll": func(o Output) error { return Poll(t.Context(), c, "", PollOptions{Output: o}) },
	} {
		for _, asJSON := range []bool{false, true} {
			var s said
			o := s.output()
			o.Terminal, o.JSON = true, asJSON
			if err := do(o); err != nil {
				t.Fatal(err)
			}
			if i := bytes.IndexFunc(s.Bytes(), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || isHostile(r) }); i >= 0 {
				t.Errorf("%s, json %v: %q", name, asJSON, s.String()[i:])
			}
		}
	}
}
