package pipeline

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"spool/pkg/format"
)

func TestAlarmsRingInOrderAndOnce(t *testing.T) {
	now := time.Unix(0, 0)
	a := alarms{now: func() time.Time { return now }}
	var rung []string
	a.in(2*time.Second, func() { rung = append(rung, "late") })
	a.in(time.Second, func() {
		rung = append(rung, "early")
		a.in(0, func() { rung = append(rung, "chained") })
	})
	gone := a.in(time.Second, func() { rung = append(rung, "cancelled") })
	a.cancel(gone)
	a.cancel(nil)
	if got := a.next(); got != time.Second {
		t.Errorf("next is in %v, want 1s", got)
	}
	now = now.Add(5 * time.Second)
	a.ring()
	a.ring()
	if got := strings.Join(rung, " "); got != "early late chained" && got != "early chained late" {
		t.Errorf("rang %q", got)
	}
	if got := a.next(); got >= 0 {
		t.Errorf("with no alarm next is in %v, want a negative time", got)
	}
}

func TestParseStatTakesTheNameForWhatItIs(t *testing.T) {
	const line = "77 (a) R 9 (b) S 12 77 77 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 4242 0 0\n"
	p, ok := parseStat(77, []byte(line))
	if !ok || p.parent != 12 || p.start != 4242 || p.zombie {
		t.Errorf("got %+v, %v", p, ok)
	}
	for _, bad := range []string{"", "77 (sh) S", "77 (sh) S x 77 77 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 4242 0 0"} {
		if p, ok := parseStat(77, []byte(bad)); ok {
			t.Errorf("%q gave %+v", bad, p)
		}
	}
}

func TestCandidatesFollowExecvp(t *testing.T) {
	for _, c := range []struct {
		name, path string
		set        bool
		want       string
	}{
		{"", "/bin", true, ""},
		{"./x", "/bin", true, "./x"},
		{"/no/where", "/bin", true, "/no/where"},
		{"sh", "/nowhere:/bin/", true, "/bin/sh"},
		{"sh", "", false, "/bin/sh"},
		{"doc.go", ":/bin", true, "./doc.go"},
		{"no-such-command", "/bin", true, ""},
	} {
		got := strings.Join(candidates(c.name, c.path, c.set), " ")
		if first, _, _ := strings.Cut(got, " "); first != c.want {
			t.Errorf("%q on %q: %q, want %q", c.name, c.path, got, c.want)
		}
	}
}

func TestEnvironmentIsChangedInOneVariableAlone(t *testing.T) {
	env := []string{"A=1", "SPOOL_PARENT=old", "B=2", "SPOOL_PARENTS=x"}
	got := strings.Join(withVariable(env, "SPOOL_PARENT", "new"), " ")
	if want := "A=1 B=2 SPOOL_PARENTS=x SPOOL_PARENT=new"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if v, ok := lookup(env, "SPOOL_PARENT"); v != "old" || !ok {
		t.Errorf("the environment handed in was changed: %q", v)
	}
}

func TestSummaryKeepsItsBound(t *testing.T) {
	big := format.Stream{Representation: format.StreamCounts{Emitted: format.Known(1<<60 - 1)}}
	got := &format.Receipt{
		Process: format.Process{State: format.ProcessCancelled, Signal: format.Some("SIGRTMIN+30")},
		Capture: format.Capture{State: format.CaptureUnavailable, Reasons: []format.Reason{format.ReasonUpstream.With("detail")}},
		Streams: map[string]format.Stream{format.Stdout: big, format.Stderr: big},
	}
	ref := strings.Repeat("7", format.IDLen)
	line := summary(got, ref)
	if n := len("spool-run: \n") + len(line); n > maxSummary {
		t.Errorf("%d bytes: %q", n, line)
	}
	for _, part := range []string{ref, "unavailable", "stdout", "stderr"} {
		if !strings.Contains(line, part) {
			t.Errorf("%q lacks %q", line, part)
		}
	}
	if line := summary(&format.Receipt{
		Process: format.Process{State: format.ProcessExited, ExitCode: format.Some(int64(2))},
		Capture: format.Capture{State: format.CapturePartial, Reasons: []format.Reason{format.ReasonQuotaCapture}},
		Streams: map[string]format.Stream{format.Stdout: {Representation: format.StreamCounts{Emitted: format.Known(1536)}}},
	}, ref); line != "exited 2, partial (quota-capture), stdout 1.5K, "+ref {
		t.Errorf("got %q", line)
	}
}

func TestHumanSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1.0K", 1023 << 10: "1.0M", 1 << 20: "1.0M", 40000000: "38.1M", 1<<63 - 1: "8.0E"} {
		if got := humanSize(format.Known(n)); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := humanSize(format.Unknown()); got != "?" {
		t.Errorf("unknown: %q", got)
	}
}

func TestSignalNames(t *testing.T) {
	for sig, want := range map[syscall.Signal]string{syscall.SIGKILL: "SIGKILL", 34: "SIGRTMIN+0", 40: "SIGRTMIN+6"} {
		if got := signalName(sig); got != want {
			t.Errorf("%d: %q, want %q", int(sig), got, want)
		}
	}
}

func TestLastLine(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\n": "a", "a\nb\n\n": "b", "10%\r50%\r": "50%", "half": "half"} {
		if got := lastLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPipeTellsWhatItHoldsAndItsHangUp(t *testing.T) {
	r, w, err := pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer closeFD(&r)
	defer closeFD(&w)
	expect := func(wantN int, wantHungUp bool) {
		t.Helper()
		if n, hungUp := unread(r); n != wantN || hungUp != wantHungUp {
			t.Errorf("unread: %d, %v; want %d, %v", n, hungUp, wantN, wantHungUp)
		}
	}
	expect(0, false)
	if err := writeAll(w, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	expect(5, false)
	closeFD(&w)
	expect(5, true)
	if data, err := readAll(r, 2); string(data) != "hello" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
	expect(0, true)
}
