package pipeline_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// onTerminal runs a tool with stdout and stderr on a terminal of its own, and
// returns every byte that the terminal got.
func onTerminal(t *testing.T, ns string, args ...string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("SKIPPED: needs a pseudo terminal: %v", err)
	}
	defer master.Close() //nolint:errcheck // nothing was written
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, args[0]), args[1:]...)
	cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns, "TERM=xterm")
	cmd.Stdout, cmd.Stderr = slave, slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := slave.Close(); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	_, _ = got.ReadFrom(master) // it ends with EIO when nobody holds the other side
	if err := cmd.Wait(); err != nil {
		t.Errorf("%q: %v", args, err)
	}
	return strings.ReplaceAll(got.String(), "\r\n", "\n") // the terminal's own
}

// TestNothingOfTheDataSteersATerminal: whatever the command writes, and however
// it is shown.
func TestNothingOfTheDataSteersATerminal(t *testing.T) {
	const hostile = `printf 'one\033[2J\033]0;title\a\r10%%\r20%%\342\200\256x\302\233y\0\177\n'; printf '\033[31mtwo\n' >&2; `
	for _, args := range [][]string{
		{"spool-run"},
		{"spool-run", "--live"},
		{"spool-run", "--live", "--merge"},
		{"spool-run", "--live", "--keep", "never"},
		{"spool-run", "--live", "--raw"},
		{"spool-run", "--json"},
		{"spool-run", "--promote-after", "15s"},
		{"spool-run", "--progress", "never"},
	} {
		ns := namespace(t)
		got := onTerminal(t, ns, append(append(args, "--ansi", "keep"), "--", "sh", "-c", hostile+"seq 1 5000")...)
		if !strings.Contains(got, "5000") || !strings.Contains(got, "two") {
			t.Errorf("%v: the output is missing: %.300q", args, got)
		}
		for i, r := range got {
			ours := strings.HasPrefix(got[max(0, i-1):], "\r\x1b[K") || r == '\r' && strings.HasPrefix(got[i:], "\r\x1b[K") // the status line
			if (r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e) && !ours {
				t.Errorf("%v: the terminal gets %U in %.120q", args, r, got[max(0, i-40):])
				break
			}
		}
		if !utf8.ValidString(got) {
			t.Errorf("%v: not valid UTF-8: %.300q", args, got)
		}
	}
}
