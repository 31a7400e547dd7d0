package preview

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCauseKnowsWhatFailureLooksLike(t *testing.T) {
	for _, line := range []string{
		"src/unit_0871.c:42:17: error: expected ';' before 'return'",
		"main.cc:3:10: fatal error: nothing.h: No such file or directory",
		"error[E0308]: mismatched types",
		"src/app.ts(3,7): error TS2304: Cannot find name 'x'.",
		"tests/test_sample.py::test_case_13337 FAILED",
		"--- FAIL: TestOne (0.00s)",
		"FAIL\tspool/internal/x\t0.010s",
		"not ok 7 - it works",
		"panic: runtime error: index out of range [3] with length 3",
		"thread 'main' panicked at src/main.rs:2:5:",
		"Traceback (most recent call last):",
		"ValueError: invalid literal for int() with base 10: 'x'",
		`Exception in thread "main" java.lang.NullPointerException`,
		"main.c:(.text+0x13): undefined reference to `frobnicate'",
		"npm ERR! code ELIFECYCLE",
		"E: Unable to locate package nothing",
		"make: *** [Makefile:42: build/unit_0871.o] Error 1",
		"sh: 1: frob: command not found",
		"Segmentation fault (core dumped)",
	} {
		data := []byte(strings.Repeat("an ordinary line\n", 100) + line + "\n" + strings.Repeat("another one\n", 100))
		var c Cause
		found, err := c.Find(bytes.NewReader(data), 0, int64(len(data)))
		want := Highlight{Offset: int64(strings.Index(string(data), line)), Line: 101, Text: line}
		if err != nil || len(found.Lines) != 1 || found.Lines[0] != want {
			t.Errorf("%q: found %+v, %v", line, found, err)
		}
	}
}

func TestCausePassesOrdinaryLines(t *testing.T) {
	for _, line := range []string{
		"0 errors, 12 warnings", "12 passed, 0 failed", "errors: 0", "gcc -Wall -Werror -c a.c",
		"src/a.c:1:2: warning: unused variable 'tmp_1' [-Wunused-variable]", "test_case_1 PASSED", "ok  \tspool/internal/x\t0.010s",
	} {
		data := []byte(line + "\n")
		var c Cause
		if found, err := c.Find(bytes.NewReader(data), 0, int64(len(data))); err != nil || len(found.Lines) != 0 {
			t.Errorf("%q: found %+v, %v", line, found, err)
		}
	}
}

func TestCauseTakesWeakSignsOnlyWhereThereAreNoStrongOnes(t *testing.T) {
	weak := "the operation failed for some reason\n"
	var c Cause
	found, _ := c.Find(strings.NewReader(weak), 0, int64(len(weak)))
	if len(found.Lines) != 1 {
		t.Errorf("the weak one is not found: %+v", found)
	}
	both := weak + "a.c:1:1: error: it\n"
	found, _ = c.Find(strings.NewReader(both), 0, int64(len(both)))
	if len(found.Lines) != 1 || found.Lines[0].Line != 2 {
		t.Errorf("found %+v", found)
	}
}

func TestCauseIsBoundedButCountsAll(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "f.c:%d:1: error: number %d %s\n", i, i, strings.Repeat("x", 500))
	}
	var c Cause
	found, err := c.Find(strings.NewReader(b.String()), 0, int64(b.Len()))
	if err != nil || found.Of != 5000 || len(found.Lines) != firstCauses+lastCauses {
		t.Fatalf("%d lines of %d, %v", len(found.Lines), found.Of, err)
	}
	if last := found.Lines[len(found.Lines)-1]; last.Line != 5000 || len(last.Text) != causeText {
		t.Errorf("the last is line %d, %d bytes", last.Line, len(last.Text))
	}
}

func TestCauseEndsItsSearchAfterManyLines(t *testing.T) {
	data := strings.Repeat("error: again\n", 10*closeLooks)
	var c Cause
	found, err := c.Find(strings.NewReader(data), 0, int64(len(data)))
	if err != nil || !found.More || found.Of < closeLooks || found.Of > 5*closeLooks || len(found.Lines) != 1 {
		t.Errorf("%d lines of %d, more %v, %v", len(found.Lines), found.Of, found.More, err)
	}
}

func TestCauseFindsWhatLiesAcrossPiecesOfALongLine(t *testing.T) {
	for _, at := range []int{blockSize - 3, blockSize - overlap - 3, 3*blockSize - 10} {
		data := bytes.Repeat([]byte("x"), 5*blockSize)
		copy(data[at:], " needle ")
		c := Cause{Pattern: regexp.MustCompile(`needle`)}
		found, err := c.Find(bytes.NewReader(data), 0, int64(len(data)))
		if err != nil || found.Of != 1 || !strings.Contains(found.Lines[0].Text, "needle") {
			t.Errorf("at %d: %+v, %v", at, found, err)
		}
	}
}

// TestHighlightsHoldTheCauseThatTheMiddleHides does so on a failing build and a
// failing test run whose one line that matters is far from both ends.
func TestHighlightsHoldTheCauseThatTheMiddleHides(t *testing.T) {
	var build, tests strings.Builder
	for i := range 1000 {
		if i == 870 {
			build.WriteString("src/unit_0871.c:42:17: error: expected ';' before 'return'\n")
		}
		fmt.Fprintf(&build, "src/unit_%04d.c:%d:%d: warning: unused variable 'tmp_%d' [-Wunused-variable]\n", i, 10+i%90, 1+i%70, i)
	}
	build.WriteString(strings.Repeat("note: "+strings.Repeat(".", 53)+"\n", 300))
	build.WriteString("1 error generated.\nmake: *** [Makefile:42: build/unit_0871.o] Error 1\nmake: *** [Makefile:7: all] Error 2\n")
	for i := range 20_000 {
		verdict := map[bool]string{false: "PASSED", true: "FAILED"}[i == 13_337]
		fmt.Fprintf(&tests, "tests/test_sample.py::test_case_%05d %s\n", i, verdict)
	}
	tests.WriteString("1 failed 19999 passed\n")
	for _, tt := range []struct {
		stream, data string
		line         int
		want         string
	}{
		{"stderr", build.String(), 871, "src/unit_0871.c:42:17: error: expected ';' before 'return'"},
		{"stdout", tests.String(), 13338, "tests/test_sample.py::test_case_13337 FAILED"},
	} {
		want := fmt.Sprintf("[spool: line %d, byte %d] %s\n", tt.line, strings.Index(tt.data, tt.want), tt.want)
		p := Whole(tt.stream, []byte(tt.data))
		var c Cause
		p.Find = func(from, to int64) Found {
			f, err := c.Find(strings.NewReader(tt.data), from, to)
			if err != nil {
				t.Error(err)
			}
			return f
		}
		s := Render(Budget{}, true, []Part{p}).Streams[0]
		if !strings.Contains(string(s.Text), want) || s.Chars > 8000 || len(s.Found.Lines) != 1 {
			t.Errorf("%s: %d characters, %+v", tt.stream, s.Chars, s.Found)
		}
	}
}

func BenchmarkCause(b *testing.B) {
	data := bytes.Repeat([]byte("[ 123/5000] CC src/unit_0123.c -> build/unit_0123.o, nothing wrong here\n"), 1<<20/72)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var c Cause
		if _, err := c.Find(bytes.NewReader(data), 0, int64(len(data))); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCauseReady(b *testing.B) {
	for b.Loop() {
		var c Cause
		c.ready()
	}
}

// TestQuickLookMissesNothing: what every line of a cause is said to have, it has.
func TestQuickLookMissesNothing(t *testing.T) {
	var c Cause
	c.ready()
	pieces := []string{
		"", " ", "\t", "E", "x", "(12):", "--- ", "=== ", "1", "[running", "'m' ", "exceptions.", " in thread", ": ", ":", "panicked", "make[2]: ", "***",
	}
	for _, k := range causes {
		pieces = append(pieces, k.has...)
	}
	pieces = append(pieces, hints...)
	rapid.Check(t, func(t *rapid.T) {
		line := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 6).Draw(t, "pieces"), ""))
		for i, re := range c.strong {
			if re.Match(line) && !causes[i].mayBe(line) {
				t.Errorf("%q is a line of %q without any of %q", line, causes[i].expr, causes[i].has)
			}
		}
	})
}
