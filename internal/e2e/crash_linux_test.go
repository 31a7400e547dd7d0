package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// crashRow is a row of the table in docs/crash-order.md.
type crashRow struct {
	killed  string
	onDisk  []string // sorted
	becomes string
	met     int
}

// crashTable reads the table. It is the only place that knows the states.
func crashTable(t *testing.T) []*crashRow {
	t.Helper()
	doc, err := os.ReadFile("../../docs/crash-order.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "| killed before | on disk | becomes |\n| --- | --- | --- |\n")
	var rows []*crashRow
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != 3 {
			break
		}
		disk := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(cells[1], "`", ""), "nothing", ""))
		slices.Sort(disk)
		rows = append(rows, &crashRow{killed: cells[0], onDisk: disk, becomes: cells[2]})
	}
	if len(rows) < 10 {
		t.Fatalf("%d rows in the table", len(rows))
	}
	return rows
}

// crashBench kills processes in a namespace of its own.
type crashBench struct {
	t    *testing.T
	ns   string
	rows []*crashRow
}

// killable are the calls that change something on disk: before every other one
// the disk is as it is before the next of these.
var killable = []string{"mkdirat", "openat", "flock", "write", "pwrite64", "fallocate", "ftruncate", "fsync", "renameat2", "unlinkat"}

// A crashStep is a process that is killed.
type crashStep struct {
	name  string
	calls []string
	reach func(*crashBench) string  // brings the namespace to where the step begins; returns the capture's directory
	step  func(dir string) []string // the process
}

var crashSteps = []crashStep{
	{"begin", killable, func(*crashBench) string { return "" }, func(string) []string {
		return []string{"spool-receipt", "begin", "--streams", "stdout"}
	}},
	{"redact", []string{"pwrite64", "renameat2"}, (*crashBench).begin, func(dir string) []string {
		return []string{"spool-redact", "--capture", dir, "--stream", "stdout"}
	}},
	{"tee", killable, (*crashBench).begin, teeArgs},
	{"tee behind redact", []string{"write", "fsync", "renameat2"}, (*crashBench).redacted, teeArgs},
	{"process", []string{"pwrite64", "renameat2"}, (*crashBench).kept, func(dir string) []string {
		return []string{"spool-receipt", "process", "--capture", dir, "--exit", "0"}
	}},
	{"finish", killable[3:], (*crashBench).kept, func(dir string) []string {
		return []string{"spool-receipt", "finish", "--capture", dir}
	}},
	{"sweep", killable[3:], (*crashBench).orphaned, func(string) []string {
		return []string{"spool-gc", "--grace", "0"}
	}},
	{"sweep of what has no stream", []string{"renameat2", "unlinkat"}, (*crashBench).begin, func(string) []string {
		return []string{"spool-gc", "--grace", "0"}
	}},
	{"delete", killable[3:], (*crashBench).final, func(dir string) []string {
		return []string{"spool-gc", "--delete", filepath.Base(dir)}
	}},
}

// TestKilledBeforeEverySystemCall kills the real binaries before each call that
// changes something, sweeps twice, and holds what was left and what became of it
// against the table in docs/crash-order.md. Every row has to be met.
func TestKilledBeforeEverySystemCall(t *testing.T) {
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skipf("SKIPPED: needs strace that may trace: %v", err)
	}
	rows := crashTable(t)
	runs := 0
	// On which thread a call is made is not ours to say, and calls are counted
	// by thread: a round may miss a state that lasts for one call.
	for range 3 {
		for _, step := range crashSteps {
			runs += step.play(t, rows)
		}
		if t.Failed() || !slices.ContainsFunc(rows, func(r *crashRow) bool { return r.met == 0 }) {
			break
		}
	}
	t.Logf("%d runs", runs)
	for _, row := range rows {
		t.Logf("met %3d times: %q", row.met, row.killed)
		if row.met == 0 {
			t.Errorf("no kill led to %q: %q", row.killed, row.onDisk)
		}
	}
}

// play kills one step before each of its calls, each time in a new namespace,
// and returns how often.
func (step crashStep) play(t *testing.T, rows []*crashRow) (runs int) {
	t.Helper()
	for _, call := range step.calls {
		for n, killed := 1, true; killed && !t.Failed(); n++ {
			b := &crashBench{t: t, ns: filepath.Join(t.TempDir(), "ns"), rows: rows}
			dir := step.reach(b)
			killed = b.kill(call, n, step.step(dir))
			runs++
			b.judge(fmt.Sprintf("%s, before %s no. %d", step.name, call, n))
		}
	}
	return runs
}

// run runs a tool to its end.
func (b *crashBench) run(stdin string, args ...string) string {
	b.t.Helper()
	cmd := b.command(stdin, args...)
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatalf("%q: %v\n%s", args, err, err.(*exec.ExitError).Stderr) //nolint:errorlint // of Output
	}
	return string(out)
}

func (b *crashBench) command(stdin string, args ...string) *exec.Cmd {
	bin := os.Getenv(binVariable)
	if args[0] != "strace" {
		args[0] = filepath.Join(bin, args[0])
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = []string{"SPOOL_DIR=" + b.ns, "PATH=" + os.Getenv("PATH"), "GOMAXPROCS=1"}
	cmd.Stdin = strings.NewReader(stdin)
	return cmd
}

// kill runs a tool that dies before its nth call of that kind on one of its
// threads, and tells whether it did.
func (b *crashBench) kill(call string, n int, args []string) bool {
	b.t.Helper()
	args[0] = filepath.Join(os.Getenv(binVariable), args[0])
	trace := []string{"strace", "-f", "-qq", "-o", os.DevNull, "-e", "trace=" + call, "-e", "inject=" + call + ":signal=KILL:when=" + strconv.Itoa(n)}
	err := b.command("one\ntwo\n", append(trace, args...)...).Run()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if err != nil && !ok {
		b.t.Fatal(err)
	}
	return ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

func (b *crashBench) begin() string {
	return strings.TrimSpace(b.run("", "spool-receipt", "begin", "--streams", "stdout"))
}

func (b *crashBench) redacted() string {
	dir := b.begin()
	b.run("one\ntwo\n", "spool-redact", "--capture", dir, "--stream", "stdout")
	return dir
}

func teeArgs(dir string) []string {
	return []string{"spool-tee", "--capture", dir, "--stream", "stdout"}
}

func (b *crashBench) kept() string {
	dir := b.redacted()
	b.run("one\ntwo\n", teeArgs(dir)...)
	return dir
}

// orphaned is a capture whose tee died in the middle.
func (b *crashBench) orphaned() string {
	dir := b.begin()
	if !b.kill("fsync", 1, teeArgs(dir)) {
		b.t.Fatal("tee was not killed")
	}
	return dir
}

func (b *crashBench) final() string {
	dir := b.kept()
	b.run("", "spool-receipt", "finish", "--capture", dir)
	return dir
}

// judge looks at what was left, sweeps twice, and looks again.
func (b *crashBench) judge(when string) {
	b.t.Helper()
	left := b.state()
	i := slices.IndexFunc(b.rows, func(r *crashRow) bool { return slices.Equal(r.onDisk, left) })
	if i < 0 {
		b.t.Errorf("%s: no row of the table has %q", when, left)
		return
	}
	row := b.rows[i]
	row.met++
	before := b.receipt()
	b.run("", "spool-gc", "--grace", "0")
	if again := b.run("", "spool-gc", "--grace", "0"); again != "" {
		b.t.Errorf("%s: a second sweep finds %s", when, again)
	}
	after := b.receipt()
	var got string
	switch {
	case after == nil && len(b.state()) == 0:
		got = "none"
	case after != nil && before != nil && after.PublishedAt == before.PublishedAt && after.Capture.State == before.Capture.State:
		got = "as published"
	case after != nil && slices.Equal(after.Capture.Reasons, []format.Reason{format.ReasonCrash}):
		got = string(after.Capture.State)
	}
	if got != row.becomes {
		b.t.Errorf("%s: %q became %q, want %q; now %q, receipt %+v", when, left, got, row.becomes, b.state(), after)
	}
	if _, err := os.Stat(b.ns); err == nil {
		b.run("", "spool-receipt", "verify", "--all")
		b.checkAllowance(when)
	}
}

// state returns what tells the states apart.
func (b *crashBench) state() []string {
	b.t.Helper()
	found := []string{}
	entries, err := os.ReadDir(b.ns)
	if err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	for _, e := range entries {
		kind, id := capture.KindInNamespace(e.Name())
		switch kind {
		case capture.NamePending, capture.NameCapture:
			found = append(found, strings.Replace(e.Name(), string(id), "ID", 1))
		case capture.NameDeleted:
			return []string{".del-ID"} // of its content some may be gone
		default:
			if kind == capture.NameUnknown && !fsafe.IsTemp(e.Name()) {
				b.t.Errorf("a stray: %q", e.Name())
			}
			continue
		}
		inside, err := os.ReadDir(filepath.Join(b.ns, e.Name()))
		if err != nil {
			b.t.Fatal(err)
		}
		for _, f := range inside {
			found = append(found, crashMarker(b.t, f.Name())...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func crashMarker(t *testing.T, name string) []string {
	t.Helper()
	switch kind, _ := capture.KindInCapture(name); kind {
	case capture.NameBegin, capture.NameReceipt, capture.NameStream, capture.NameLive:
		return []string{name}
	case capture.NameReport, capture.NameProcess:
		return []string{"reports"}
	case capture.NameLock, capture.NameReserved:
		return nil
	default:
		if !fsafe.IsTemp(name) {
			t.Errorf("a stray: %q", name)
		}
		return nil
	}
}

// receipt returns the receipt of the one capture, or nil.
func (b *crashBench) receipt() *format.Receipt {
	b.t.Helper()
	paths, err := filepath.Glob(filepath.Join(b.ns, "[0-7]*", "receipt.json"))
	if err != nil || len(paths) == 0 {
		return nil
	}
	data, err := os.ReadFile(paths[0])
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := format.ParseReceipt(data)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// checkAllowance holds what final captures hold by the allowance against their
// files, and wants no record of what nobody is at work on.
func (b *crashBench) checkAllowance(when string) {
	b.t.Helper()
	held := int64(0)
	paths, err := filepath.Glob(filepath.Join(b.ns, "[0-7]*", "std???"))
	for _, p := range paths {
		info, statErr := os.Stat(p)
		if err = errors.Join(err, statErr); err == nil {
			held += info.Size()
		}
	}
	data, readErr := os.ReadFile(filepath.Join(b.ns, "allowance"))
	if err = errors.Join(err, readErr); err != nil {
		b.t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 2 || !strings.HasSuffix(lines[1], " "+strconv.FormatInt(held, 10)) {
		b.t.Errorf("%s: %d bytes are held; the allowance says %q", when, held, lines)
	}
}
