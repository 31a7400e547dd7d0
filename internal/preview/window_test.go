package preview

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// streams draws bytes of every unpleasant sort, from nothing to many times the
// budgets of these tests.
func streams() *rapid.Generator[[]byte] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\n", "\r\n", "\r", "\r\r\n", "\x00", "\x1b[31m", "é", "e\u0301", "好", "👩‍👩‍👧", "🇩🇪", "שלום", "\u202e", "\u2067x\u2069",
			"\u0085", "\ufffd", "\xff", "\xe2\x80", "\xf0\x9f", "a\u0300\u0301\u0302\u0303", "10%\r20%\r", "[spool: 5 bytes omitted (bytes 1-6)]\n",
		}),
		rapid.StringOfN(rapid.RuneFrom([]rune("abc \t")), 1, 30, -1),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(rapid.SampledFrom([]string{"x", "line\n", "好", "\u0301", "\xc3", "9%\r"}).Draw(t, "unit"), rapid.IntRange(1, 400).Draw(t, "times"))
		}),
	)
	return rapid.Custom(func(t *rapid.T) []byte {
		return []byte(strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), ""))
	})
}

// write feeds data to w in chunks of any size.
func write(t *rapid.T, w *Window, data []byte) {
	for len(data) > 0 {
		n := rapid.IntRange(1, len(data)).Draw(t, "chunk")
		if _, err := w.Write(data[:n]); err != nil {
			t.Fatal(err)
		}
		data = data[n:]
	}
}

func TestWindowRemembersTheEndsWhateverTheChunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := streams().Draw(t, "data")
		w := NewWindow(rapid.IntRange(0, 300).Draw(t, "head"), rapid.IntRange(0, 300).Draw(t, "tail"))
		write(t, w, data)
		p := w.Part("stdout")
		if p.Total != int64(len(data)) || w.Total() != p.Total {
			t.Fatalf("total %d of %d", p.Total, len(data))
		}
		if !bytes.Equal(p.Head, data[:p.HeadEnd]) || !bytes.Equal(p.Tail, data[p.TailStart:]) {
			t.Fatalf("head or tail is not what the stream holds there")
		}
	})
}

func TestWindowAtEveryLengthAroundItsBounds(t *testing.T) {
	const head, tail = 5, 7
	data := []byte("abcdefghijklmnopqrstuvwxyz0123456789")
	for _, n := range []int{0, 1, head - 1, head, head + 1, head + tail - 1, head + tail, head + tail + 1, head + 2*tail, len(data)} {
		for step := 1; step <= n+1; step++ {
			w := NewWindow(head, tail)
			for rest := data[:n]; len(rest) > 0; {
				k := min(step, len(rest))
				_, _ = w.Write(rest[:k])
				rest = rest[k:]
			}
			p := w.Part("")
			wantHead, wantTail := min(n, head), min(max(n-head, 0), tail)
			if string(p.Head) != string(data[:wantHead]) || string(p.Tail) != string(data[n-wantTail:n]) || p.isWhole() != (n <= head+tail) {
				t.Errorf("%d bytes by %d: head %q, tail %q", n, step, p.Head, p.Tail)
			}
		}
	}
}

func TestWindowKeepsNoMoreThanItsBounds(t *testing.T) {
	w := NewWindow(4<<10, 4<<10)
	block := bytes.Repeat([]byte("y\n"), 32<<10)
	allocs := testing.AllocsPerRun(100, func() { _, _ = w.Write(block) })
	if allocs != 0 || cap(w.head) > 4<<10 || cap(w.ring) > 8<<10 {
		t.Errorf("%v allocations, head %d, ring %d", allocs, cap(w.head), cap(w.ring))
	}
	if w.Total() > math.MaxInt32 || w.Total() < 100*64<<10 {
		t.Errorf("total %d", w.Total())
	}
}

func BenchmarkWindow(b *testing.B) {
	w := NewWindow(DefaultBytes, DefaultBytes)
	block := make([]byte, 256<<10)
	b.SetBytes(int64(len(block)))
	for b.Loop() {
		_, _ = w.Write(block)
	}
}
