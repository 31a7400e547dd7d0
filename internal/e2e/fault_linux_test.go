package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

// faultSeedVariable sets which sample of the faults a short run plays.
const faultSeedVariable = "SPOOL_E2E_SEED"

// faultBound is how long a line may take with a fault in it: above every bound
// that the tools have one after another, on a busy machine.
const faultBound = 60 * time.Second

// faultCalls are the calls that are made to fail, faultErrors the ways.
var (
	faultCalls = []string{
		"write", "pwrite64", "fsync", "fdatasync", "renameat2", "renameat", "openat", "mkdirat", "flock", "fcntl",
		"ftruncate", "fallocate", "unlinkat", "linkat",
	}
	faultErrors = []string{"ENOSPC", "EIO", "EDQUOT", "EINTR"}
)

// A fault is one call of one process that fails.
type fault struct {
	line, victim string // the victim is a tool of that line
	call, errno  string
	n            int // the call's number, counted by thread
}

func (f fault) String() string {
	return fmt.Sprintf("%s/%s/%s/%s/%d", f.line, f.victim, f.call, f.errno, f.n)
}

// faultLines are the lines that are played: by the driver, and by hand.
var faultLines = map[string]func(*faultBench){
	"driven":  (*faultBench).drive,
	"by-hand": (*faultBench).byHand,
}

// faultVictims are the tools of each line, in a fixed order. A hand-made line
// and a driven one start the stages with different arguments.
var faultVictims = []fault{
	{line: "driven", victim: "spool-run"},
	{line: "driven", victim: "spool-redact"},
	{line: "driven", victim: "spool-tee"},
	{line: "driven", victim: "spool-preview"},
	{line: "by-hand", victim: "spool-redact"},
	{line: "by-hand", victim: "spool-tee"},
	{line: "by-hand", victim: "spool-receipt"},
	{line: "by-hand", victim: "spool-gc"},
}

// TestAFailingSystemCallHarmsNothingButTheCapture makes the first, second, …
// nth call of a kind fail in each process of a line. The command's status is
// its own, what is shown is text within its bound, no receipt says what the
// bytes do not, and two sweeps leave the namespace in order. In short mode it
// plays a sample with every call of every process and every error in it, else
// every n.
func TestAFailingSystemCallHarmsNothingButTheCapture(t *testing.T) {
	needsStrace(t)
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv(faultSeedVariable), 10, 64); err == nil {
		seed = n
	}
	t.Logf("%s=%d", faultSeedVariable, seed)
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a sample, not a secret
	var kinds []fault
	for _, v := range faultVictims {
		for _, call := range faultCalls {
			errs := faultErrors
			if call == "openat" {
				errs = append(slices.Clone(errs), "EMFILE")
			}
			for _, e := range errs {
				v.call, v.errno, v.n = call, e, 1+random.IntN(3)
				kinds = append(kinds, v)
			}
		}
	}
	writeFaultWrapper(t)
	made := callsMade(t)
	kinds = slices.DeleteFunc(kinds, func(f fault) bool { return made[f.line+f.victim+f.call] == 0 })
	var runs, met atomic.Int64
	t.Run("fault", func(t *testing.T) {
		for _, f := range kinds {
			t.Run(f.String(), func(t *testing.T) {
				t.Parallel()
				r, m := f.play(t, !testing.Short())
				runs.Add(r)
				met.Add(m)
			})
		}
	})
	t.Logf("%d kinds of fault, %d runs, %d faults met", len(kinds), runs.Load(), met.Load())
	if met.Load() < int64(len(kinds))/2 {
		t.Errorf("of %d runs %d met their fault", runs.Load(), met.Load())
	}
}

func needsStrace(t *testing.T) {
	t.Helper()
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skipf("SKIPPED: needs strace that may trace: %v", err)
	}
}

// callsMade plays each line once for each tool and returns how often which call
// is made by which.
func callsMade(t *testing.T) map[string]int {
	t.Helper()
	made := map[string]int{}
	for _, v := range faultVictims {
		b := newFaultBench(t, v)
		b.trace = "-e trace=" + strings.Join(faultCalls, ",")
		b.play()
		for line := range strings.Lines(b.log()) {
			for _, call := range faultCalls {
				if strings.Contains(line, " "+call+"(") {
					made[v.line+v.victim+call]++
				}
			}
		}
	}
	return made
}

// play plays the fault, and with all every later one of its kind; it returns
// how often it did, and how often the call was reached.
func (f fault) play(t *testing.T, all bool) (runs, met int64) {
	t.Helper()
	if all {
		f.n = 1
	}
	for missed := 0; missed < 2 && !t.Failed(); f.n++ {
		b := newFaultBench(t, f)
		b.trace = fmt.Sprintf("-e trace=%s -e inject=%s:error=%s:when=%d", f.call, f.call, f.errno, f.n)
		b.play()
		runs++
		if strings.Contains(b.log(), "INJECTED") {
			met++
			missed = 0
		} else {
			missed++
		}
		if b.judge(); !all {
			break
		}
	}
	return runs, met
}

// faultSecret is in the input of every line.
var faultSecret = strings.Join([]string{"pl", "5588", "bcdefghi"}, "-")

// faultBench is a line of real tools in a place of its own.
type faultBench struct {
	t     *testing.T
	f     fault
	trace string   // strace's options, but for where to; $2 is a stage's capture, $4 its stream
	args  []string // further ones of spool-run
	dir   string   // with bin, ns and the traces in it
	shown []byte   // what came of the line
	said  []byte   // what its tools said
	aside string   // a runtime's last words that are no fault of ours; see excuse
}

func newFaultBench(t *testing.T, f fault) *faultBench {
	t.Helper()
	dir, err := os.MkdirTemp(os.Getenv(binVariable), "fault-")
	if err != nil {
		t.Error(err)
	}
	b := &faultBench{t: t, f: f, dir: dir}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return b
}

// install puts the tools in place, the victim behind strace. The tracer is no
// ancestor of the victim, which is a child of whoever starts it.
func (b *faultBench) install() {
	b.t.Helper()
	for _, dir := range []string{"bin", "real"} {
		if err := os.Mkdir(filepath.Join(b.dir, dir), 0o700); err != nil {
			b.t.Error(err)
		}
	}
	for _, tool := range tools(b.t) {
		for _, dir := range []string{"bin", "real"} {
			if dir == "bin" && tool == b.f.victim {
				continue
			}
			if err := os.Link(filepath.Join(os.Getenv(binVariable), tool), filepath.Join(b.dir, dir, tool)); err != nil {
				b.t.Error(err)
			}
		}
	}
	how := "-D --seccomp-bpf"
	if b.f.victim == "spool-run" { // its children are not to be traced
		how = "-b execve"
	}
	options := fmt.Sprintf("dir=%s tool=%s options=\"%s %s\"\n", b.dir, b.f.victim, how, b.trace)
	err := errors.Join(
		os.WriteFile(filepath.Join(b.dir, "options"), []byte(options), 0o600),
		os.Link(filepath.Join(os.Getenv(binVariable), faultWrapper), filepath.Join(b.dir, "bin", b.f.victim)))
	if err != nil {
		b.t.Error(err)
	}
}

// faultWrapper is a script that stands in for the victim: one file for all,
// because one that was just written may be open in a child of another test.
const faultWrapper = "traced"

func writeFaultWrapper(t *testing.T) {
	t.Helper()
	const script = "#!/bin/sh\n. \"${0%/*}/../options\"\n" +
		"exec strace $options -f -qq -e signal=none -o \"$dir/trace.$$\" \"$dir/real/$tool\" \"$@\"\n"
	if err := os.WriteFile(filepath.Join(os.Getenv(binVariable), faultWrapper), []byte(script), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
}

// log returns what the victims called.
func (b *faultBench) log() string {
	var all strings.Builder
	paths, _ := filepath.Glob(filepath.Join(b.dir, "trace.*")) // the pattern is well-formed
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			b.t.Error(err)
		}
		all.Write(data)
	}
	return all.String()
}

func (b *faultBench) play() {
	b.t.Helper()
	b.install()
	start := time.Now()
	faultLines[b.f.line](b)
	if took := time.Since(start); took > faultBound {
		b.errorf("took %v", took)
	} else if took > faultBound/6 {
		b.t.Logf("%v took %v", b.f, took)
	}
	if !utf8.Valid(b.shown) || len(b.shown) > 16<<10 {
		b.errorf("%d bytes are shown, valid: %v", len(b.shown), utf8.Valid(b.shown))
	}
	if bytes.Contains(b.shown, []byte(faultSecret)) || bytes.Contains(b.said, []byte(faultSecret)) {
		b.errorf("the secret is shown")
	}
	b.excuse()
	for _, word := range []string{"panic", "goroutine ", "fatal error", "runtime: "} {
		if bytes.Contains(b.said, []byte(word)) {
			b.errorf("last words of a runtime")
		}
	}
}

// excuse takes note of the end of a process by its runtime, which cannot live
// with an error of these calls. They cannot really fail like this: what counts
// is that all others do right.
func (b *faultBench) excuse() {
	for _, words := range []string{
		"runtime: unexpected error while checking standard file descriptor",
		"runtime: netpollBreak write failed",
		"netpoll: failed to set pipe non-blocking",
	} {
		if i := bytes.Index(b.said, []byte(words)); i >= 0 {
			b.aside, b.said = string(b.said[i:]), b.said[:i]
		}
	}
}

func (b *faultBench) errorf(text string, args ...any) {
	b.t.Helper()
	b.t.Errorf("%v: %s\n%s", b.f, fmt.Sprintf(text, args...), b.said)
}
