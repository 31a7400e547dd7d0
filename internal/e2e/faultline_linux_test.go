package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// faultScript writes to both streams, leaves a mark and fails with a status of
// its own.
const faultScript = `seq 1 4000; echo "token $API_TOKEN"; echo warned >&2; : >done; exit 7`

// expected is what is kept of the script's stdout.
func (b *faultBench) expected() []byte {
	var out bytes.Buffer
	for i := range 4000 {
		fmt.Fprintln(&out, i+1)
	}
	fmt.Fprintln(&out, "token [REDACTED:env:API_TOKEN]")
	return out.Bytes()
}

// command prepares a tool's run, whose words are gathered.
func (b *faultBench) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	if !strings.Contains(name, "/") {
		name = filepath.Join(b.dir, "bin", name)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.WaitDelay = b.dir, 5*time.Second
	cmd.Env = []string{
		"SPOOL_DIR=" + filepath.Join(b.dir, "ns"), "HOME=" + b.dir, "PATH=" + os.Getenv("PATH"),
		"GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", // strace loses count of threads that are signalled while it delays one
		"API_TOKEN=" + faultSecret,
	}
	return cmd
}

// drive runs the script under spool-run.
func (b *faultBench) drive() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), faultBound)
	defer cancel()
	cmd := b.command(ctx, "spool-run", append(b.args, "--", "sh", "-c", faultScript)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	b.shown, b.said = out.Bytes(), errs.Bytes()
	_, missing := os.Stat(filepath.Join(b.dir, "done"))
	ran := missing == nil
	switch code := exitCode(b.t, err); {
	case ran && code == 7:
	case !ran && (code == 125 || code == 126) && bytes.Contains(b.said, []byte("spool-run: ")):
	default:
		if b.excuse(); b.aside == "" || b.f.victim != "spool-run" {
			b.errorf("%v, and the command ran: %v", err, ran)
		}
	}
}

// byHand plays the script's output through a line made by hand.
func (b *faultBench) byHand() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), faultBound)
	defer cancel()
	var errs bytes.Buffer
	begin := b.command(ctx, "spool-receipt", "begin", "--streams", "stdout")
	begin.Stderr = &errs
	out, err := begin.Output()
	if dir := strings.TrimSpace(string(out)); err == nil && dir != "" {
		line := b.command(ctx, "sh", "-c", `(`+strings.Replace(faultScript, "exit 7", "exit 0", 1)+`) 2>/dev/null |
			bin/spool-redact --capture "$0" --stream stdout |
			bin/spool-tee --capture "$0" --stream stdout |
			bin/spool-preview --capture "$0" --stream stdout
			bin/spool-receipt process --capture "$0" --exit 7
			bin/spool-receipt finish --capture "$0"
			bin/spool-gc --grace 0
			exit 0`, dir)
		line.Path = "/bin/sh"
		var shown bytes.Buffer
		line.Stdout, line.Stderr = &shown, &errs
		if err := line.Run(); err != nil {
			b.errorf("the line: %v", err)
		}
		b.shown = shown.Bytes()
		if _, err := os.Stat(filepath.Join(b.dir, "done")); err != nil {
			b.errorf("the command did not come to its end: %v", err)
		}
	} else if exitCode(b.t, err) != 1 && exitCode(b.t, err) != 2 {
		b.errorf("begin: %v, %q", err, out)
	}
	b.said = errs.Bytes()
}

// judge looks at what is published, sweeps twice with tools in which nothing
// fails, and looks again.
func (b *faultBench) judge() {
	b.t.Helper()
	if _, err := os.Stat(filepath.Join(b.dir, "ns")); err != nil {
		return // it was not made
	}
	before := b.receipts()
	for deadline := time.Now().Add(faultBound / 4); ; {
		live := struct{ Live int }{}
		if err := json.Unmarshal([]byte(b.tool("spool-gc", "--grace", "0", "--json")), &live); err != nil {
			b.errorf("%v", err)
			return
		}
		if live.Live == 0 {
			break
		}
		if time.Now().After(deadline) {
			b.errorf("somebody holds a capture and does not let go")
			return
		}
		time.Sleep(20 * time.Millisecond) // no pipe tells of the end of a lock
	}
	if again := b.tool("spool-gc", "--grace", "0"); again != "" {
		b.errorf("a second sweep finds %s", again)
	}
	b.tool("spool-receipt", "verify", "--all")
	after := b.receipts()
	for id, r := range before {
		if after[id].PublishedAt != r.PublishedAt {
			b.errorf("receipt of %s: was %+v, is %+v", id, r, after[id])
		}
	}
	c := &crashBench{t: b.t, ns: filepath.Join(b.dir, "ns")}
	c.checkAllowance(b.f.String())
	if found := secretIn(b.t, c.ns, faultSecret); found != "" {
		b.errorf("the secret is in %s", found)
	}
}

// published is what is looked at in a receipt.
type published struct {
	PublishedAt string `json:"published_at"`
	Capture     struct{ State string }
	Process     struct {
		ExitCode *int `json:"exit_code"`
	}
}

// receipts returns what is published. One that says complete is held against
// the bytes, and one that knows the command's end against that.
func (b *faultBench) receipts() map[string]published {
	b.t.Helper()
	all := map[string]published{}
	paths, _ := filepath.Glob(filepath.Join(b.dir, "ns", "*", "receipt.json")) // the pattern is well-formed
	for _, path := range paths {
		var r published
		data, err := os.ReadFile(path)
		if err = errors.Join(err, json.Unmarshal(data, &r)); err != nil {
			b.errorf("%v", err)
		}
		dir := filepath.Dir(path)
		all[filepath.Base(dir)] = r
		if r.Process.ExitCode != nil && *r.Process.ExitCode != 7 {
			b.errorf("the receipt says that the command ended with %d", *r.Process.ExitCode)
		}
		got, err := os.ReadFile(filepath.Join(dir, "stdout"))
		if r.Capture.State == "complete" && !bytes.Equal(got, b.expected()) {
			b.errorf("complete, but %d bytes are stored, not the %d expected; %v", len(got), len(b.expected()), err)
		}
		if !bytes.HasPrefix(b.expected(), got) {
			b.errorf("what is stored is not the beginning of what was written; they differ at %d", differ(got, b.expected()))
		}
	}
	return all
}

// tool runs a tool that is to succeed.
func (b *faultBench) tool(name string, args ...string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), faultBound)
	defer cancel()
	cmd := b.command(ctx, filepath.Join(b.dir, "real", name), args...)
	out, err := cmd.Output()
	if err != nil {
		var errs []byte
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			errs = exit.Stderr
		}
		b.errorf("%s %q: %v: %s%s", name, args, err, out, errs)
	}
	return string(out)
}
