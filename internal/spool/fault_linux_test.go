package spool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"spool/internal/capture"
	"spool/pkg/format"
)

// tool returns the real binary, built once.
var tool = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "spool-tee-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "spool-tee")
	out, err := exec.Command("go", "build", "-o", path, "spool/cmd/spool-tee").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func binary(t *testing.T) string {
	t.Helper()
	path, err := tool()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMain removes the binary.
func TestMain(m *testing.M) {
	status := m.Run()
	if path, err := tool(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(status)
}

// play runs the tool on a stream of the capture, behind the words of wrap, and
// returns what it passed on and its exit status.
func play(t *testing.T, c *capture.Capture, input string, wrap []string, options ...string) (out []byte, status int) {
	t.Helper()
	args := append(wrap, binary(t), "--capture", c.Path(), "--stream", "stdout")
	args = append(args, options...)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = strings.NewReader(input)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		return out, exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, 0
}

// kept returns the stream's bytes and the report that they fit.
func kept(t *testing.T, c *capture.Capture) ([]byte, *format.TeeReport) {
	t.Helper()
	r, err := c.Tee("stdout")
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.OpenStream("stdout")
	if errors.Is(err, os.ErrNotExist) {
		return nil, r
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	checkFile(t, r, data)
	return data, r
}

func needTmpfs(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("spool", dir, "tmpfs", 0, "mode=700,"+options); err != nil {
		t.Skipf("SKIPPED: needs a tmpfs of its own: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDiskEndsRetentionAndIsReported(t *testing.T) {
	input := strings.Repeat("a line and an €\n", 20_000)
	for _, size := range []string{"size=64k", "size=256k", "size=300k,nr_inodes=16"} {
		for _, compress := range []string{"none", "zstd"} {
			t.Run(size+" "+compress, func(t *testing.T) {
				if compress == "zstd" {
					// What does not compress fills a disk, too.
					var b strings.Builder
					for i := range 400_000 {
						b.WriteByte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"[(i*i*i^i>>3)*2654435761>>16&63])
					}
					input = b.String()
				}
				c := newCapture(t, needTmpfs(t, size))
				out, status := play(t, c, input, nil, "--compress", compress)
				if string(out) != input || status != 1 {
					t.Errorf("status %d, %d bytes passed on", status, len(out))
				}
				r, err := c.Tee("stdout")
				if err != nil {
					t.Fatal(err)
				}
				if !r.EOF || len(r.Reasons) != 1 || r.Reasons[0].Code() != format.ReasonNoSpace {
					t.Errorf("%+v", r)
				}
				f, err := c.OpenStream("stdout")
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if n, err := f.Size(); err != nil || !r.Counts.Committed.Is(n) || n == 0 && compress == "none" {
					t.Errorf("the file holds %d, %v: %+v", n, err, r.Counts)
				}
			})
		}
	}
}

func TestNoInodeForTheStreamIsReported(t *testing.T) {
	dir := needTmpfs(t, "size=1m,nr_inodes=16")
	c := newCapture(t, dir)
	for i := 0; ; i++ {
		f, err := os.OpenFile(fmt.Sprintf("%s/fill-%d", dir, i), os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			break
		}
		f.Close()
	}
	out, status := play(t, c, "text", nil)
	data, r := kept(t, c)
	if string(out) != "text" || status != 1 || data != nil || r.Reasons[0].Code() != format.ReasonNoSpace || !r.Counts.Refused.Is(4) {
		t.Errorf("%q, status %d, %+v", out, status, r)
	}
}

func TestFileSizeLimitIsAnErrorOfTheWrite(t *testing.T) {
	c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
	input := strings.Repeat("é", 100_000)
	out, status := play(t, c, input, []string{"sh", "-c", `ulimit -f 32; exec "$@"`, "sh"})
	data, r := kept(t, c)
	if string(out) != input || status != 1 || len(data) == 0 || len(data) > 32<<10 || len(data)%2 != 0 {
		t.Errorf("status %d, %d bytes passed on, %d kept", status, len(out), len(data))
	}
	if r.Reasons[0].Code() != format.ReasonWriteError || !strings.Contains(string(r.Reasons[0]), "file too large") {
		t.Errorf("reasons %q", r.Reasons)
	}
}

// strace returns the words that make the calls of that kind on the live file go
// wrong.
func strace(t *testing.T, c *capture.Capture, inject string) []string {
	t.Helper()
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skip("SKIPPED: needs strace")
	}
	return []string{
		"strace", "-f", "-qq", "-o", filepath.Join(t.TempDir(), "trace"),
		"-P", filepath.Join(c.Path(), "stdout.live"), "-e", "inject=" + inject,
	}
}

func TestFaultsOfTheDiskEndRetentionAtAnExactBoundary(t *testing.T) {
	// Calls are counted by thread: enough of them to come to a second on one.
	input := strings.Repeat("a line and an €\n", 400_000)
	for _, fault := range []struct {
		inject string
		want   format.Reason // empty: it is overcome
		whole  bool          // all is kept all the same
	}{
		{"write:error=ENOSPC:when=1+", "no-space", false},
		{"write:error=ENOSPC:when=2+", "no-space", false},
		{"write:error=EDQUOT:when=2+", "no-space", false},
		{"write:error=EIO:when=2+", "write-error", false},
		{"write:error=EFBIG:when=2+", "write-error", false},
		{"write:error=EINTR:when=1..3", "", true},
		{"write:delay_enter=10000", "", true},
		{"fsync:error=EIO", "write-error", true},
		{"fsync:error=ENOSPC", "no-space", true},
		{"fsync:error=EINTR:when=1..2", "", true},
	} {
		t.Run(fault.inject, func(t *testing.T) {
			c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
			out, status := play(t, c, input, strace(t, c, fault.inject))
			data, r := kept(t, c)
			if string(out) != input || !strings.HasPrefix(input, string(data)) || !r.EOF {
				t.Errorf("%d bytes passed on, %d kept, %+v", len(out), len(data), r)
			}
			if (len(data) == len(input)) != fault.whole {
				t.Errorf("kept %d of %d bytes", len(data), len(input))
			}
			if fault.want == "" {
				if status != 0 || len(r.Reasons) != 0 {
					t.Errorf("status %d, reasons %q", status, r.Reasons)
				}
			} else if status != 1 || len(r.Reasons) != 1 || r.Reasons[0].Code() != fault.want {
				t.Errorf("status %d, reasons %q", status, r.Reasons)
			}
		})
	}
}

// TestStoppedOutputOfAStageIsGivenUp keeps the read end of the output open and
// never reads.
func TestStoppedOutputOfAStageIsGivenUp(t *testing.T) {
	c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
	input := strings.Repeat("x", 1<<20)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(binary(t), "--capture", c.Path(), "--stream", "stdout")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), w, t.Output()
	if err := cmd.Run(); err == nil {
		t.Error("no error")
	}
	w.Close()
	data, report := kept(t, c)
	if string(data) != input || !report.EOF || !strings.Contains(report.Error.Or(""), "took nothing") {
		t.Errorf("kept %d, %+v", len(data), report)
	}
}

func TestClosedOutputHarmsNothing(t *testing.T) {
	c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
	input := strings.Repeat("x", 1<<20)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := exec.Command(binary(t), "--capture", c.Path(), "--stream", "stdout")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), w, t.Output()
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	w.Close()
	if data, report := kept(t, c); string(data) != input || !report.Forwarded.Is(0) || !report.Error.IsSet() {
		t.Errorf("kept %d, %+v", len(data), report)
	}
}

func TestSignalsOfTheTerminalAreTheCommandsAndTermSettles(t *testing.T) {
	c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
	cmd := exec.Command(binary(t), "--capture", c.Path(), "--stream", "stdout")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	say := func(text string) {
		t.Helper()
		if _, err := io.WriteString(in, text); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(text))
		if _, err := io.ReadFull(out, got); err != nil || string(got) != text {
			t.Fatalf("%q, %v", got, err)
		}
	}
	say("one\n")
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE} {
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		say("still here\n")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("ended with %v", err)
	}
	data, r := kept(t, c)
	if string(data) != "one\n"+strings.Repeat("still here\n", 3) || r.EOF {
		t.Errorf("%q, %+v", data, r)
	}
}

func TestMemoryIsBoundedWhateverTheInput(t *testing.T) {
	c := newCapture(t, filepath.Join(t.TempDir(), "ns"))
	for i, compress := range []string{"none", "zstd"} {
		stream := []string{"stdout", "stderr"}[i]
		cmd := exec.Command(binary(t), "--capture", c.Path(), "--stream", stream, "--compress", compress, "--sync", "none",
			"--max-bytes", "unlimited", "--max-namespace", "unlimited")
		cmd.Stderr = t.Output()
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(in, endless{}, 256<<20); err != nil {
			t.Error(err)
		}
		// Of the process itself: what rusage tells includes ours, at the fork.
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		if err != nil {
			t.Error(err)
		}
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		var peak int
		if _, err := fmt.Sscanf(rest, "%d kB", &peak); err != nil || peak == 0 || peak > 32<<10 {
			t.Errorf("%s: %d KiB, %v", compress, peak, err)
		}
		t.Logf("%s: %d KiB", compress, peak)
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte('a' + i%23)
	}
	return len(p), nil
}
