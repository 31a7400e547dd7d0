package preview

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"spool/internal/capture"
	"spool/internal/receipt"
	"spool/internal/spool"
	"spool/pkg/format"
)

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

func TestSmallPartialStreamIsSavedWhole(t *testing.T) {
	data := []byte("first line\nsecond line, with é\nthe very end\n")
	for kept := range len(data) {
		if kept == 0 {
			continue // unlimited
		}
		c := captured(t, namespaceIn(t, t.TempDir()), made{max: format.Size(kept), exit: 1}, map[string][]byte{"stdout": data})
		var s said
		if err := Poll(t.Context(), c, "stdout", PollOptions{Output: s.output()}); err != nil {
			t.Fatal(err)
		}
		n := s.Len() // at a whole character
		tail := fmt.Sprintf("the tail is saved: --bytes-range %d:%d", n, len(data))
		if missing := fmt.Sprintf("%d bytes are missing behind the %d kept; ", len(data)-n, n); !strings.Contains(s.note(), missing+tail) {
			t.Errorf("told %q, want %q", s.note(), missing+tail)
		}
		if err := Bytes(c, "stdout", RangeOptions{Range: Range{int64(n), int64(len(data))}, Output: s.output()}); err != nil || s.String() != string(data) {
			t.Errorf("with the tail it is %q, %v", s.String(), err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
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
