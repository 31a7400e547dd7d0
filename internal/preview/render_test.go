package preview

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"spool/pkg/format"
)

// TestRenderAccountsForEveryByte is the property of the whole room: whatever the
// input, the budget and the chunking, head, tail and omitted bytes are the
// stream, the text is valid and within the budget.
func TestRenderAccountsForEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Budget{
			StdoutChars: rapid.IntRange(1, 1200).Draw(t, "stdout chars"),
			StderrChars: rapid.IntRange(1, 1200).Draw(t, "stderr chars"),
			Bytes:       rapid.IntRange(1, 3000).Draw(t, "bytes"),
		}
		failed, terminal := rapid.Bool().Draw(t, "failed"), rapid.Bool().Draw(t, "terminal")
		names := rapid.SampledFrom([][]string{{"stdout", "stderr"}, {"stderr", "stdout"}, {"output"}, {"stderr"}}).Draw(t, "names")
		var parts []Part
		var all [][]byte
		for _, name := range names {
			data := streams().Draw(t, name)
			w := NewWindow(b.sum().bytes, b.sum().bytes)
			write(t, w, data)
			p := w.Part(name)
			if rapid.Bool().Draw(t, "reported") {
				p = Reported(report(p))
			}
			p.Terminal = terminal
			parts, all = append(parts, p), append(all, data)
		}
		r := Render(b, failed, parts)
		var used span
		for i, s := range r.Streams {
			checkShown(t, s, all[i], terminal)
			used = used.plus(span{s.Chars, s.Bytes})
			if most := b.most(s.Name, failed); s.Chars > most {
				t.Fatalf("%s shows %d of at most %d characters", s.Name, s.Chars, most)
			}
		}
		if !used.within(b.sum()) {
			t.Fatalf("used %v of %v", used, b.sum())
		}
		if state, _ := r.Preview.State.Get(); (state == format.PreviewComplete) != r.Whole() {
			t.Fatalf("state %s", state)
		}
	})
}

// checkShown holds what is shown of one stream against the stream.
func checkShown(t *rapid.T, s Shown, data []byte, terminal bool) {
	t.Helper()
	total := int64(len(data))
	if s.Returned+s.Omitted != total || s.Returned < 0 || s.Omitted < 0 {
		t.Fatalf("%s: %d returned and %d omitted of %d", s.Name, s.Returned, s.Omitted, total)
	}
	if s.HeadEnd > s.TailStart || s.TailStart > total {
		t.Fatalf("%s: [%d, %d) of %d", s.Name, s.HeadEnd, s.TailStart, total)
	}
	if !utf8.Valid(s.Text) || len(s.Text) != s.Bytes || utf8.RuneCount(s.Text) != s.Chars {
		t.Fatalf("%s: text of %d bytes, said to be %d chars and %d bytes: %q", s.Name, len(s.Text), s.Chars, s.Bytes, s.Text)
	}
	if terminal {
		checkTerminal(t, s.Text)
	}
	if s.Omitted == 0 && !terminal && !bytes.Equal(s.Text, toText(data).b) {
		t.Fatalf("%s: fits, but is not as it came", s.Name)
	}
	if terminal || s.Redraws > 0 || len(s.Text) == 0 {
		return
	}
	if s.TailStart > s.HeadEnd {
		note := omission(s.TailStart-s.HeadEnd, s.HeadEnd, s.TailStart)
		want := lossyOf(s.Head, data[:s.HeadEnd]) && lossyOf(s.Tail, data[s.TailStart:])
		if !want || !strings.Contains(string(s.Text), note) || !bytes.HasPrefix(s.Text, []byte(s.Head)) || !bytes.HasSuffix(s.Text, []byte(s.Tail)) {
			t.Fatalf("%s: head %q, tail %q and %q do not make %q of %q", s.Name, s.Head, s.Tail, note, s.Text, data)
		}
	}
}

// lossyOf tells whether shown is what data becomes when ill-formed bytes are
// replaced, taken alone or with a genuine U+FFFD written as three.
func lossyOf(shown string, data []byte) bool {
	byBytes := toText(data)
	tripled := bytes.ReplaceAll(data, []byte(replacement), []byte("\xff\xff\xff"))
	return shown == string(byBytes.b) || shown == string(toText(tripled).b)
}

func checkTerminal(t *rapid.T, text []byte) {
	t.Helper()
	for _, r := range string(text) {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) && isHostile(r)) {
			t.Fatalf("control character %U goes to a terminal", r)
		}
	}
}

func report(p Part) *format.PreviewReport {
	head, tail := p.ends()
	return &format.PreviewReport{
		Stream: p.Name, Head: string(head.b), HeadEnd: format.Known(p.HeadEnd),
		Tail: string(tail.b), TailStart: format.Known(p.TailStart), Observed: format.Known(p.Total),
	}
}

func TestRenderCutsAtLineEndsWhereThatIsCheap(t *testing.T) {
	short := []byte(strings.Repeat("a line of twenty-four ch\n", 4000))
	s := Render(Budget{}, false, []Part{Whole("stdout", short)}).Streams[0]
	if !strings.HasSuffix(s.Head, "\n") || !strings.HasPrefix(s.Tail, "a line") {
		t.Errorf("short lines are torn: head ends %q, tail begins %q", s.Head[len(s.Head)-10:], s.Tail[:10])
	}
	if s.Chars < 7900 {
		t.Errorf("only %d of 8000 characters used", s.Chars)
	}
	long := []byte("first\n" + strings.Repeat("x", 100_000) + "\nlast")
	s = Render(Budget{}, false, []Part{Whole("stdout", long)}).Streams[0]
	if s.Chars < 7900 || strings.HasSuffix(s.Head, "\n") || !strings.HasSuffix(s.Tail, "x\nlast") {
		t.Errorf("a long line costs more than a quarter: %d characters, head %q…", s.Chars, s.Head[:10])
	}
}

func TestRenderNeverTearsWholeCharacters(t *testing.T) {
	for _, unit := range []string{"e\u0301", "👩‍👩‍👧‍👦", "🇩🇪", "각", "好", "नि", "🏳️‍🌈", "שָׁ", "\r\n"} {
		t.Run(strconv.QuoteToASCII(unit), func(t *testing.T) {
			for pad := range 12 {
				data := []byte(strings.Repeat("a", pad) + strings.Repeat(unit, 9000))
				s := Render(Budget{}, true, []Part{Whole("stdout", data)}).Streams[0]
				for _, at := range []int64{s.HeadEnd, s.TailStart} {
					if off := (at - int64(pad)) % int64(len(unit)); at < int64(pad) || off != 0 {
						t.Errorf("pad %d: cut at %d tears a character", pad, at)
					}
				}
			}
		})
	}
}

func TestOneEndlessCharacterIsCutWithinTheBudget(t *testing.T) {
	data := []byte("a" + strings.Repeat("\u0301", 50_000))
	s := Render(Budget{}, false, []Part{Whole("stdout", data)}).Streams[0]
	if s.Chars > 8000 || s.Chars < 7000 || !utf8.Valid(s.Text) {
		t.Errorf("%d characters", s.Chars)
	}
	if n := uniseg.GraphemeClusterCount(string(data)); n != 1 {
		t.Fatalf("the input has %d clusters", n)
	}
}

func TestBudgetIsSharedAsTheOutcomeAsks(t *testing.T) {
	big := []byte(strings.Repeat("0123456789abcdef\n", 10_000))
	tests := []struct {
		name           string
		failed         bool
		stdout, stderr []byte
		atLeast        [2]int // characters
		most           [2]int
	}{
		{"success: stdout first", false, big, big, [2]int{7900, 1900}, [2]int{8000, 2100}},
		{"success: quiet stdout leaves the sum to stderr", false, nil, big, [2]int{0, 9900}, [2]int{0, 10000}},
		{"failure: stderr first", true, big, big, [2]int{1900, 7900}, [2]int{2100, 8000}},
		{"failure on stdout alone", true, big, nil, [2]int{7900, 0}, [2]int{8000, 0}},
		{"failure: short stderr", true, big, big[:1700], [2]int{7900, 1700}, [2]int{8000, 1700}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Render(Budget{}, tt.failed, []Part{Whole("stdout", tt.stdout), Whole("stderr", tt.stderr)})
			for i, s := range r.Streams {
				if s.Chars < tt.atLeast[i] || s.Chars > tt.most[i] {
					t.Errorf("%s: %d characters, want %d to %d", s.Name, s.Chars, tt.atLeast[i], tt.most[i])
				}
			}
		})
	}
}

func TestWideTextIsHeldByTheByteCeiling(t *testing.T) {
	big := []byte(strings.Repeat("好", 20_000))
	r := Render(Budget{}, true, []Part{Whole("stdout", big), Whole("stderr", big)})
	sum := r.Streams[0].Bytes + r.Streams[1].Bytes
	if sum > DefaultBytes || sum < DefaultBytes-200 {
		t.Errorf("%d bytes of %d", sum, DefaultBytes)
	}
	if r.Streams[0].Bytes < 3000 {
		t.Errorf("stdout is starved: %d bytes", r.Streams[0].Bytes)
	}
}

func TestWhatFitsIsPrintedAsItCame(t *testing.T) {
	for _, data := range []string{"", "hi", "hi\n", "a\r\nb\r\n", "10%\r20%\r100%\n", "a\x00b\x1b[0m\n", strings.Repeat("x", 8000)} {
		parts := []Part{Whole("stdout", []byte(data))}
		r := Render(Budget{}, false, parts)
		if string(r.Streams[0].Text) != data || !Fits(Budget{}, false, parts) {
			t.Errorf("%.40q became %.60q", data, r.Streams[0].Text)
		}
	}
	if Fits(Budget{}, false, []Part{Whole("stdout", make([]byte, 8001))}) {
		t.Error("8001 characters are said to fit")
	}
}

func TestRedrawsAreShownAsTheirLastStateAndCounted(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "%3d of 3000\r", i)
	}
	b.WriteString("done\nnext line\n")
	s := Render(Budget{}, false, []Part{Whole("stdout", []byte(b.String()))}).Streams[0]
	want := "[spool: 3000 redraws of a line omitted (" + strconv.Itoa(b.Len()-len("done\nnext line\n")) + " bytes)]\ndone\nnext line\n"
	if string(s.Text) != want || s.Redraws != 3000 || s.Returned != int64(len("done\nnext line\n")) {
		t.Errorf("got %.200q, %d redraws, %d returned", s.Text, s.Redraws, s.Returned)
	}
}

func TestHighlightsAreMarkedAndWithinTheShare(t *testing.T) {
	data := []byte(strings.Repeat("ok\n", 20_000))
	copy(data[30_000:], "xx: error: it\n")
	p := Whole("stderr", data)
	calls := 0
	p.Find = func(from, to int64) Found {
		calls++
		if from > 30_000 || to < 30_014 {
			t.Errorf("asked for [%d, %d)", from, to)
		}
		return Found{Of: 1, Lines: []Highlight{{Offset: 30_000, Line: 10_001, Text: "xx: error: it"}}}
	}
	s := Render(Budget{}, true, []Part{p}).Streams[0]
	if calls != 1 || s.Chars > 8000 || s.Chars < 7900 {
		t.Errorf("%d calls, %d characters", calls, s.Chars)
	}
	want := regexp.MustCompile(`(?m)^\[spool: derived view of the omitted bytes: 1 of 1 lines that look like the cause\]
\[spool: line 10001, byte 30000\] xx: error: it$`)
	if !want.Match(s.Text) || len(s.Found.Lines) != 1 {
		t.Errorf("no highlight in %s", s.Text[1900:2400])
	}
}

func TestTerminalGetsNoControlCharacters(t *testing.T) {
	data := "a\x1b]0;title\x07b\u202etxt\u2069\x00\x7f\u0085\tend\r\n1%\r2%\r3%\nlone\r"
	p := Whole("stdout", []byte(data))
	p.Terminal = true
	s := Render(Budget{}, false, []Part{p}).Streams[0]
	want := "[spool: 2 redraws of a line omitted (6 bytes)]\na␛]0;title␇b\uFFFDtxt\uFFFD␀␡\uFFFD\tend\n3%\nlone␍"
	if string(s.Text) != want {
		t.Errorf("got %q, want %q", s.Text, want)
	}
}

func TestForTerminalLeavesNothingThatSteersOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out := ForTerminal(streams().Draw(t, "data"))
		if !utf8.Valid(out) {
			t.Fatalf("%q", out)
		}
		checkTerminal(t, out)
	})
	if got := string(ForTerminal([]byte("1%\r2%\r\nok\n"))); got != "2%\nok\n" {
		t.Errorf("got %q", got)
	}
}

func TestReportedPartOfUnknownCountsIsEmpty(t *testing.T) {
	p := Reported(&format.PreviewReport{Stream: "stdout", Head: "x", HeadEnd: format.Known(1)})
	if p.Total != 0 || len(p.Head) != 0 {
		t.Errorf("got %+v", p)
	}
}

// FuzzReported renders reports that anyone may have written.
func FuzzReported(f *testing.F) {
	f.Add("head", int64(4), "tail", int64(10), int64(14), 300)
	f.Add("\ufffd\ufffd", int64(2), "x\ry", int64(2), int64(5), 100)
	f.Add("long", int64(1), "", int64(1), int64(1), 50)
	f.Fuzz(func(t *testing.T, head string, headEnd int64, tail string, tailStart, total int64, chars int) {
		if headEnd < 0 || tailStart < 0 || total < 0 || chars < 1 || chars > 1<<20 {
			return
		}
		r := &format.PreviewReport{
			Schema: format.PreviewSchema, Stream: "stdout", Head: head, HeadEnd: format.Known(headEnd),
			Tail: tail, TailStart: format.Known(tailStart), Observed: format.Known(total), Tool: format.Tool{Name: "t", Version: "1"},
		}
		if r.Check() != nil {
			return
		}
		for _, terminal := range []bool{false, true} {
			p := Reported(r)
			p.Terminal = terminal
			s := Render(Budget{StdoutChars: chars}, true, []Part{p}).Streams[0]
			if s.Returned < 0 || s.Omitted < 0 || s.Returned+s.Omitted != p.Total || s.Chars > chars || !utf8.Valid(s.Text) {
				t.Fatalf("%+v", s)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	for name, unit := range map[string]string{"ascii": "0123456789abcdef\n", "emoji": "👩‍👩‍👧"} {
		w := NewWindow(DefaultBytes, DefaultBytes)
		for range 20_000 {
			_, _ = w.Write([]byte(unit))
		}
		parts := []Part{w.Part("stdout")}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Render(Budget{}, false, parts)
			}
		})
	}
}
