package pipeline_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// screen is a terminal with a shell in it.
type screen struct {
	t      *testing.T
	socket string
}

// newScreen starts a shell in a terminal of 80 by 24, with the tools on PATH.
func newScreen(t *testing.T) *screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("SKIPPED: needs tmux")
	}
	s := &screen{t: t, socket: filepath.Join(t.TempDir(), "tmux")}
	shell := fmt.Sprintf("env PATH=%s:$PATH SPOOL_DIR=%s PS1='ready> ' TERM=xterm bash --norc --noprofile", bin, namespace(t))
	s.tmux("new-session", "-d", "-x", "80", "-y", "24", shell)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() }) // it may have gone
	s.await("ready>")
	return s
}

func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// shows returns what is on the terminal, without empty lines.
func (s *screen) shows() string {
	s.t.Helper()
	var lines []string
	for line := range strings.Lines(s.tmux("capture-pane", "-p")) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// await waits until a text is on the terminal.
func (s *screen) await(text string) {
	s.t.Helper()
	defer func() {
		if s.t.Failed() {
			s.t.Logf("the terminal shows:\n%s", s.shows())
		}
	}()
	eventually(s.t, fmt.Sprintf("the terminal shows %q", text), func() bool { return strings.Contains(s.shows()+"\n", text) })
}

// line types a line on a cleared terminal.
func (s *screen) line(text string) {
	s.t.Helper()
	s.tmux("send-keys", "clear; "+text, "Enter")
}

func (s *screen) key(name string) {
	s.t.Helper()
	s.tmux("send-keys", name)
}

func TestInterruptFromTheTerminalReachesTheCommandAlone(t *testing.T) {
	s := newScreen(t)
	left := filepath.Join(t.TempDir(), "left")
	s.line(`spool-run --progress never -- sh -c 'trap "echo caught; exit 3" INT; sleep 66 & echo $! >` + left + `; echo on >/dev/tty; wait'; echo "status=$?"`)
	s.await("on\n")
	s.key("C-c")
	s.await("status=3")
	if shown := s.shows(); !strings.Contains(shown, "caught") {
		t.Errorf("the command's last words are missing:\n%s", shown)
	}
	data, err := os.ReadFile(left) // it ignores the interrupt
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

func TestJobControl(t *testing.T) {
	s := newScreen(t)
	gate := filepath.Join(t.TempDir(), "gate")
	s.line(`spool-run --progress never -- sh -c 'echo on >/dev/tty; until [ -e ` + gate + ` ]; do sleep 0.05; done; echo end'; echo "status=$?"`)
	s.await("on\n")
	s.key("C-z")
	s.await("Stopped")
	s.await("status=1") // 128 + SIGSTOP or SIGTSTP, as the shell has it
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.line(`fg; echo "back=$?"`)
	s.await("back=0")
	if shown := s.shows(); !strings.Contains(shown, "\nend\n") {
		t.Errorf("the output is missing:\n%s", shown)
	}
}

func TestCommandReadsFromTheTerminal(t *testing.T) {
	for name, line := range map[string]string{
		"stdin":           `spool-run -- sh -c 'echo ask >/dev/tty; read x; echo "got $x"'; echo "status=$?"`,
		"in a pipeline":   `spool-run -- sh -c 'echo ask >/dev/tty; read x; echo "got $x"' | cat; echo "status=$?"`,
		"the device":      `spool-run -- sh -c 'echo ask >/dev/tty; read x </dev/tty; echo "got $x"'; echo "status=$?"`,
		"the window size": `spool-run -- sh -c 'echo ask >/dev/tty; read x; echo "got $x"; stty size'; echo "status=$?"`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t) // nothing is on it that could be taken for an answer
			s.line(line)
			s.await("ask\n")
			s.tmux("send-keys", "typed", "Enter")
			s.await("status=0")
			shown := s.shows()
			if !strings.Contains(shown, "got typed") || strings.Contains(line, "stty") && !strings.Contains(shown, "24 80") {
				t.Errorf("the terminal shows:\n%s", shown)
			}
		})
	}
}

func TestStatusLineGoesWithoutTrace(t *testing.T) {
	s := newScreen(t)
	gate := filepath.Join(t.TempDir(), "gate")
	s.line(`spool-run -- sh -c 'echo working; until [ -e ` + gate + ` ]; do sleep 0.05; done'; echo "status=$?"`)
	s.await("stdout 8, stderr 0] working")
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.await("status=0")
	if shown := s.shows(); shown != "working\nstatus=0\nready>" {
		t.Errorf("the terminal shows:\n%s", shown)
	}
	// A pipe or a dumb terminal gets none.
	s.line(`TERM=dumb spool-run -- sleep 1.6; echo "status=$?"`)
	s.await("status=0")
	if shown := s.shows(); strings.Contains(shown, "stdout 0") {
		t.Errorf("the terminal shows:\n%s", shown)
	}
}
