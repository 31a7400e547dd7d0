package redact

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// logText returns n bytes of log lines with nothing to redact.
func logText(n int) string {
	rng := rand.New(rand.NewPCG(7, 7))
	levels := []string{"INFO", "WARN", "DEBUG", "ERROR"}
	words := strings.Fields("connection accepted from client request handled status user session started worker pool flushed cache entries compaction finished reading file module retry attempt upstream response body bytes closed by peer checking dependencies building package running tests passed skipped")
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "2026-11-30T%02d:%02d:%02d.%03dZ %s [worker-%d] ", rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(1000), levels[rng.IntN(4)], rng.IntN(16))
		for range 4 + rng.IntN(8) {
			b.WriteString(words[rng.IntN(len(words))])
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "path=/srv/app/%s/%d.go:%d took=%dms\n", words[rng.IntN(len(words))], rng.IntN(1000), rng.IntN(900), rng.IntN(5000))
	}
	return b.String()[:n]
}

// randomLiterals returns n secrets of 32 letters and digits.
func randomLiterals(n int) []Literal {
	rng := rand.New(rand.NewPCG(3, 9))
	const set = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	var list []Literal
	for i := range n {
		v := make([]byte, 32)
		for k := range v {
			v[k] = set[rng.IntN(len(set))]
		}
		list = append(list, Literal{Name: fmt.Sprintf("env:SECRET_%d", i), Value: v})
	}
	return list
}

func benchmark(b *testing.B, o Options, text string) {
	b.Helper()
	set := compile(b, o)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	begun := cpuTime(b)
	for b.Loop() {
		w := set.NewWriter(io.Discard)
		if _, err := w.ReadFrom(strings.NewReader(text)); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(text))/1e6/(cpuTime(b)-begun).Seconds(), "MB/cpu-s")
}

func BenchmarkLog(b *testing.B) {
	text := logText(4 << 20)
	for _, n := range []int{0, 100, 1000} {
		b.Run(fmt.Sprintf("literals=%d", n), func(b *testing.B) {
			benchmark(b, Options{Literals: randomLiterals(n)}, text)
		})
	}
	b.Run("none", func(b *testing.B) { benchmark(b, Options{NoRedact: true}, text) })
	b.Run("coloured", func(b *testing.B) {
		benchmark(b, Options{}, strings.ReplaceAll(text, "INFO", "\x1b[32mINFO\x1b[0m"))
	})
	b.Run("unicode", func(b *testing.B) {
		benchmark(b, Options{}, strings.ReplaceAll(text, "ms\n", "µs ✓\n"))
	})
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{0, 1, 100} {
		b.Run(fmt.Sprintf("literals=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compile(b, Options{Literals: randomLiterals(n)})
			}
		})
	}
}
