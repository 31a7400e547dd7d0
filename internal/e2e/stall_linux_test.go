package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"spool/pkg/format"
)

// TestACallThatNeverReturnsIsGivenUp holds up one call of a stage for longer
// than anybody waits. The process that made it cannot end; the command's status
// comes back all the same, and the receipt says what is not known.
func TestACallThatNeverReturnsIsGivenUp(t *testing.T) {
	needsStrace(t)
	writeFaultWrapper(t)
	for _, hung := range []struct {
		victim, call, path string
		args               []string
		reason             format.Reason
		bound              time.Duration // what the tools wait for, and as much again
		short              bool
	}{
		{"spool-tee", "write", "-P $2/$4.live", nil, format.ReasonWriterStalled, 12 * time.Second, true},
		{"spool-tee", "fsync", "-P $2/$4.live", nil, format.ReasonWriterStalled, 20 * time.Second, true},
		{"spool-tee", "pwrite64", "-P $2/$4.zst.live", []string{"--compress", "zstd"}, format.ReasonWriterStalled, 12 * time.Second, false},
		{"spool-redact", "write", "", nil, format.ReasonStageLost, 40 * time.Second, false},
	} {
		t.Run(hung.victim+"/"+hung.call+strings.Join(hung.args, ""), func(t *testing.T) {
			if testing.Short() && !hung.short {
				t.Skip("one kind is enough in short mode")
			}
			t.Parallel()
			b := newFaultBench(t, fault{line: "driven", victim: hung.victim, call: hung.call})
			b.trace = fmt.Sprintf("%s -e trace=%s -e inject=%s:delay_enter=60s:when=1", hung.path, hung.call, hung.call)
			b.args = hung.args
			start := time.Now()
			b.play()
			if took := time.Since(start); took > hung.bound {
				t.Errorf("took %v", took)
			} else {
				t.Logf("took %v", took)
			}
			if !bytes.Contains(b.said, []byte("warned\n")) && hung.victim == "spool-tee" {
				t.Errorf("what was not kept is not shown: %q", b.said)
			}
			var r format.Receipt
			if err := json.Unmarshal([]byte(b.tool("spool-receipt", "show", "--json", "latest")), &r); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(r.Capture.Reasons, func(got format.Reason) bool { return got.Code() == hung.reason }) || r.Capture.State == format.CaptureComplete {
				t.Errorf("capture: %s", r.Capture)
			}
			b.tool("spool-receipt", "verify", "--all")
		})
	}
}

// TestAStoppedStageOfAHandMadeLineHoldsUpNobody stops the stage that the others
// write to. They record it, and read on to the end of their input.
func TestAStoppedStageOfAHandMadeLineHoldsUpNobody(t *testing.T) {
	for _, victim := range []string{"spool-tee", "spool-preview"} {
		t.Run(victim, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			dir := strings.TrimSpace(string(p.run("spool-receipt", "begin", "--streams", "stdout").stdout))
			capture := []string{"--capture", dir, "--stream", "stdout"}
			redact := p.command(append([]string{"spool-redact"}, capture...)...)
			tee := p.command(append([]string{"spool-tee", "--stall", "1s"}, capture...)...)
			preview := p.command(append([]string{"spool-preview"}, capture...)...)
			in := connect(t, redact, tee, preview)
			stopped := map[string]*exec.Cmd{"spool-tee": tee, "spool-preview": preview}[victim]
			if err := stopped.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			for i := range 400_000 {
				if _, err := fmt.Fprintln(in, i); err != nil {
					t.Fatalf("the command is harmed: %v", err)
				}
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			_ = redact.Wait() // it tells of a failed output
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("the command was held up for %v", took)
			}
			if victim == "spool-preview" {
				_ = tee.Wait() // as redact
			}
			if err := stopped.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = tee.Wait() // killed, or waited for before
			_ = preview.Wait()
			p.run("spool-receipt", "finish", "--capture", dir)
			r, _ := p.latest()
			if want := map[string]string{"spool-tee": "partial", "spool-preview": "complete"}[victim]; r.Capture.State != want {
				t.Errorf("capture: %+v, want %s", r.Capture, want)
			}
			p.verify()
		})
	}
}

// connect starts the commands, each reading what the one before writes, and
// returns the first one's stdin.
func connect(t *testing.T, line ...*exec.Cmd) io.WriteCloser {
	t.Helper()
	var in, next *os.File
	for i, cmd := range line {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			in = w
		} else {
			line[i-1].Stdout = w
		}
		cmd.Stdin = r
	}
	for _, cmd := range line {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for _, end := range []any{cmd.Stdin, cmd.Stdout} { // theirs alone
			if next, _ = end.(*os.File); next != nil {
				_ = next.Close()
			}
		}
	}
	return in
}

// TestAStageThatIsToldToEndSettlesAndSaysSo ends each stage before its input
// does: by one rule it reports what has come, and its status is 1.
func TestAStageThatIsToldToEndSettlesAndSaysSo(t *testing.T) {
	for _, args := range [][]string{{"spool-redact"}, {"spool-tee", "kept"}, {"spool-preview"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			cmd := p.command(append([]string{args[0], "--report", "report"}, args[1:]...)...)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			in, err := cmd.StdinPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			// More than the pipe holds: it is at work when the write returns.
			if _, err := in.Write(bytes.Repeat([]byte("some line\n"), 20_000)); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if code := p.status(cmd.Wait()); code != 1 || !strings.HasSuffix(errs.String(), ": stopped before the end of the input\n") {
				t.Errorf("status %d: %s", code, errs.String())
			}
			data, err := os.ReadFile(filepath.Join(p.dir, "report"))
			if err != nil || !bytes.Contains(data, []byte(`"eof":false`)) || out.Len() == 0 {
				t.Errorf("%v, %d bytes out, %s", err, out.Len(), data)
			}
		})
	}
}
