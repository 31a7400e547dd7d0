package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"spool/pkg/format"
)

// roundsVariable sets how many rounds of random kills are played.
const roundsVariable = "SPOOL_E2E_ROUNDS"

// TestKilledAtRandomNothingIsClaimedFalsely kills one process of each round's
// line at a random moment, while collectors run over the same namespace. At the
// end every capture is there, what is complete is whole, no secret is on disk,
// and the allowance is what the files hold.
func TestKilledAtRandomNothingIsClaimedFalsely(t *testing.T) {
	rounds := 30
	if n, err := strconv.Atoi(os.Getenv(roundsVariable)); err == nil {
		rounds = n
	}
	ns := filepath.Join(t.TempDir(), "ns")
	secret := strings.Join([]string{"pl", "4477", "abcdefgh"}, "-")
	b := &crashBench{t: t, ns: ns}
	begun := map[string]bool{}
	const lines = 3000
	for range rounds {
		var dirs []string
		var wg sync.WaitGroup
		for range 2 {
			dir := b.begin()
			dirs = append(dirs, dir)
			begun[filepath.Base(dir)] = true
		}
		for _, dir := range dirs {
			wg.Go(func() { killedLine(t, b, dir, secret, lines) })
		}
		for range 2 {
			wg.Go(func() {
				out, err := b.command("", "spool-gc", "--grace", "1h").CombinedOutput() // the grace is what protects a line made by hand
				if err != nil {
					t.Errorf("spool-gc: %v\n%s", err, out)
				}
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
	}
	for range 2 {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { b.run("", "spool-gc", "--grace", "0") })
		}
		wg.Wait()
	}
	b.run("", "spool-receipt", "verify", "--all")
	b.checkAllowance("at the end")
	if found := secretIn(t, ns, secret); found != "" {
		t.Errorf("the secret is in %s", found)
	}
	states := map[format.CaptureState]int{}
	for line := range strings.Lines(b.run("", "spool-receipt", "list", "--json")) {
		var r format.Receipt
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		delete(begun, string(r.ID))
		states[r.Capture.State]++
		if n := r.Streams[format.Stdout].Lines; r.Capture.State == format.CaptureComplete && !n.Is(lines) {
			t.Errorf("capture %s is complete with %v of %d lines", r.ID, n, lines)
		}
	}
	if len(begun) > 0 {
		t.Errorf("%d captures are lost", len(begun))
	}
	t.Logf("%d rounds: %v", rounds, states)
}

// killedLine runs redact, tee, process and finish by hand and kills one of them,
// or none.
func killedLine(t *testing.T, b *crashBench, dir, secret string, lines int) {
	t.Helper()
	input := strings.Repeat("a line with API_TOKEN="+secret+" in it\n", lines)
	redact := b.command(input, "spool-redact", "--capture", dir, "--stream", "stdout")
	redact.Env = append(redact.Env, "API_TOKEN="+secret)
	tee := b.command("", "spool-tee", "--capture", dir, "--stream", "stdout")
	pipe, err := redact.StdoutPipe()
	if err != nil {
		t.Error(err)
		return
	}
	tee.Stdin = pipe
	// Our end of the pipe goes, or a redact without a tee would wait for us.
	if err := errors.Join(tee.Start(), redact.Start(), pipe.Close()); err != nil {
		t.Error(err)
		return
	}
	victims := []*exec.Cmd{redact, tee, nil}
	victim := victims[rand.IntN(len(victims))]
	wait := time.Duration(rand.IntN(60)) * time.Millisecond
	timer := time.AfterFunc(wait, func() {
		if victim != nil {
			_ = victim.Process.Kill() // it may have ended before
		}
	})
	_ = tee.Wait() // killed or not
	_ = redact.Wait()
	timer.Stop()
	for _, args := range [][]string{{"spool-receipt", "process", "--capture", dir, "--exit", "0"}, {"spool-receipt", "finish", "--capture", dir}} {
		cmd := b.command("", args...)
		if err := cmd.Start(); err != nil {
			t.Error(err)
			return
		}
		if rand.IntN(4) == 0 {
			time.AfterFunc(time.Duration(rand.IntN(15))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		}
		err := cmd.Wait()
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// secretIn returns the first file under dir that holds text.
func secretIn(t *testing.T, dir, text string) (found string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			found = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
