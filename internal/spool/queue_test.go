package spool

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWholeNeverCutsACharacterAndDropsLessThanOne(t *testing.T) {
	for _, text := range []string{"abc", "a€b", "€€€", "𝄞𝄞", "é", "\xff\xfe", "a\xe2", "\xe2\x82", "\xf0\x9d\x84", "\x80\x80\x80\x80", "a\xe2\x28b"} {
		for n := range len(text) + 1 {
			p := []byte(text)
			m := whole(p, n)
			if m > n || n-m >= utf8.UTFMax {
				t.Fatalf("%q at %d: %d", text, n, m)
			}
			// A character that lies across m, or may once more bytes come, was cut.
			for k := max(m-utf8.UTFMax+1, 0); k < m; k++ {
				r, size := utf8.DecodeRune(p[k:])
				if r != utf8.RuneError && k+size > m {
					t.Errorf("%q at %d: %d cuts the character at %d", text, n, m, k)
				}
			}
			if valid := utf8.ValidString(text); valid && !utf8.Valid(p[:m]) {
				t.Errorf("%q at %d: %d", text, n, m)
			}
		}
	}
}

// TestQueueHandsOnWhatItTookIn plays pump and keeper in turns of any size: all
// bytes come out, in order, once, in spans of whole characters.
func TestQueueHandsOnWhatItTookIn(t *testing.T) {
	text := []byte(strings.Repeat("plain, é, € and 𝄞; ", 3*queueSize/24))
	rapid.Check(t, func(t *rapid.T) {
		q := newQueue()
		in, out := 0, 0
		take := func() bool {
			span, more := q.ready()
			if len(span) == 0 {
				return more
			}
			if !bytes.Equal(span, text[out:out+len(span)]) {
				t.Fatalf("at %d: other bytes", out)
			}
			if !utf8.Valid(span) {
				t.Fatalf("at %d: a span of %d bytes cuts a character", out, len(span))
			}
			out += len(span)
			q.advance(len(span))
			return true
		}
		// Long runs of one side bring the ring to its bounds.
		for range rapid.IntRange(1, 15).Draw(t, "turns") {
			most := rapid.SampledFrom([]int{1, 2, 3, 1000, chunkSize}).Draw(t, "most")
			for range rapid.IntRange(0, 40).Draw(t, "reads") {
				free := q.free()
				n := min(len(free), most, len(text)-in)
				in += copy(free[:n], text[in:])
				q.commit(n)
			}
			for range rapid.IntRange(0, 40).Draw(t, "writes") {
				take()
			}
			if in-out > queueSize {
				t.Fatalf("%d bytes in a queue of %d", in-out, queueSize)
			}
		}
		for take() && in > out && len(q.free()) == 0 {
			continue
		}
		for in < len(text) && !utf8.RuneStart(text[in]) { // to the end of the character
			free := q.free()
			in += copy(free[:1], text[in:])
			q.commit(1)
		}
		q.close()
		for take() {
			continue
		}
		observed, retained := q.counts()
		if int(observed) != in || int(retained) != in || out != in {
			t.Fatalf("in %d, out %d, observed %d, retained %d", in, out, observed, retained)
		}
	})
}

func TestRestIsWhatWasTakenInButNotRetained(t *testing.T) {
	q := newQueue()
	put := func(s string) {
		free := q.free()
		q.commit(copy(free, s))
	}
	put("kept, busy, ")
	if span, _ := q.next(1, 0); string(span) != "kept, busy, " {
		t.Fatalf("span %q", span)
	}
	q.advance(len("kept, "))
	if span, _ := q.next(1, 0); string(span) != "busy, " {
		t.Fatalf("span %q", span)
	}
	put("rest")
	q.end()
	parts := q.rest()
	if got := string(parts[0]) + string(parts[1]); got != "rest" {
		t.Errorf("rest %q", got)
	}
	if span, more := q.next(1, 0); span != nil || more {
		t.Errorf("after the end: %q, %v", span, more)
	}
}

func TestFullQueueWaitsOnlyForThePatienceInAll(t *testing.T) {
	q := newQueue()
	for free := q.free(); len(free) > 0; free = q.free() {
		q.commit(len(free))
	}
	patience := 20 * time.Millisecond
	if free, stalled := q.room(&patience); free != nil || !stalled || patience > 0 {
		t.Errorf("%d bytes, %v, %v left", len(free), stalled, patience)
	}
	if free, stalled := q.room(&patience); free != nil || stalled {
		t.Errorf("again: %d bytes, %v", len(free), stalled)
	}
}

// TestOnlyASlowDiskUsesUpPatience fills the queue faster than it is emptied, a
// chunk at a time, in a time of its own.
func TestOnlyASlowDiskUsesUpPatience(t *testing.T) {
	const patience = 2 * time.Second
	for _, c := range []struct {
		chunk   time.Duration // to retain one
		chunks  int
		atLeast time.Duration // of waiting, until it ends; 0: it must not end
		atMost  time.Duration
	}{
		{time.Millisecond, 20_000, 0, 0}, // 5 GB at 260 MB/s
		{1900 * time.Microsecond, 20_000, 0, 0},
		{20 * time.Millisecond, 1000, patience, patience * 5 / 4}, // 13 MB/s
		{300 * time.Millisecond, 100, patience, patience + 400*time.Millisecond},
		{time.Hour, 100, patience, patience},
	} {
		synctest.Test(t, func(t *testing.T) {
			q, done := newQueue(), make(chan struct{})
			go func() {
				defer close(done)
				for {
					span, _ := q.next(1, 0)
					if len(span) == 0 {
						return
					}
					time.Sleep(c.chunk)
					q.advance(len(span))
				}
			}()
			left, waited := patience, time.Duration(0)
			stalled := false
			for range c.chunks {
				start := time.Now()
				var free []byte
				free, stalled = q.room(&left)
				waited += time.Since(start)
				if stalled {
					break
				}
				q.commit(len(free))
			}
			if stalled != (c.atLeast > 0) || stalled && (waited < c.atLeast || waited > c.atMost) {
				t.Errorf("%v for a chunk: stalled %v after %v of waiting, %v left", c.chunk, stalled, waited, left)
			}
			q.end()
			<-done
		})
	}
}
