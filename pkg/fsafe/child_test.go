//go:build unix

package fsafe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"spool/pkg/fsafe"
)

// childOp names the environment variable that turns the test binary into a
// process that does one thing: what cannot be done in the test's own process
// is done there, under another umask, user or tracer.
const childOp = "FSAFE_TEST_OP"

func TestMain(m *testing.M) {
	if op := os.Getenv(childOp); op != "" {
		os.Exit(childMain(op, os.Args[1:], os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// childMain prints the kind of the operation's error and the error.
func childMain(op string, args []string, stdin io.Reader, stdout io.Writer) int {
	signal.Ignore(syscall.SIGXFSZ) // the limit as an error
	do, ok := childOps()[op]
	if !ok {
		fmt.Fprintln(stdout, "no such operation:", op)
		return 2
	}
	err := do(args, stdin, stdout)
	fmt.Fprintf(stdout, "%v %v\n", fsafe.KindOf(err), err)
	return 0
}

// childOps are the operations; args[0] is a directory.
func childOps() map[string]func(args []string, stdin io.Reader, stdout io.Writer) error {
	in := func(do func(d *fsafe.Dir, args []string) error) func([]string, io.Reader, io.Writer) error {
		return func(args []string, _ io.Reader, _ io.Writer) error {
			d, _, err := fsafe.CreateRoot(args[0])
			if err != nil {
				return err
			}
			return errors.Join(do(d, args[1:]), d.Close())
		}
	}
	return map[string]func([]string, io.Reader, io.Writer) error{
		"root": in(func(*fsafe.Dir, []string) error { return nil }),
		"publish": in(func(d *fsafe.Dir, args []string) error {
			return d.Publish(args[0], []byte(args[1]), true)
		}),
		"replace": in(func(d *fsafe.Dir, args []string) error {
			return d.Replace(args[0], []byte(args[1]), true)
		}),
		"reserve": in(func(d *fsafe.Dir, args []string) error { return d.Reserve(args[0], 4096) }),
		"publish-reserved": in(func(d *fsafe.Dir, args []string) error {
			return d.PublishReserved(args[0], args[1], []byte(args[2]), true)
		}),
		"write": in(func(d *fsafe.Dir, args []string) error {
			f, err := d.Create(args[0])
			if err != nil {
				return err
			}
			n, err := fsafe.WriteFull(f, []byte(args[1]))
			if info, staterr := f.Stat(); staterr != nil || info.Size() != int64(n) {
				return fmt.Errorf("told %d bytes, file: %v, %w", n, info, staterr)
			}
			return errors.Join(err, f.Close())
		}),
		"open": func(args []string, _ io.Reader, _ io.Writer) error {
			d, err := fsafe.OpenRoot(args[0])
			if err != nil {
				return err
			}
			return d.Close()
		},
		"read":        in(func(d *fsafe.Dir, args []string) error { _, err := d.ReadFile(args[0], 100); return err }),
		"move":        in(func(d *fsafe.Dir, args []string) error { return d.Rename(args[0], args[1]) }),
		"remove-tree": in(func(d *fsafe.Dir, args []string) error { return d.RemoveTree(args[0]) }),
		"everything":  in(everything),
		"hold":        hold,
		"adopt":       adopt,
	}
}

// everything makes one of each.
func everything(d *fsafe.Dir, _ []string) error {
	sub, err := d.Mkdir("sub")
	if err != nil {
		return err
	}
	f, err := sub.Create("created")
	if err != nil {
		return err
	}
	l, err := sub.TryLock("lock", fsafe.LockExclusive, true)
	if err != nil {
		return err
	}
	again, err := d.OpenDir("sub")
	if err != nil {
		return err
	}
	return errors.Join(
		sub.Publish("published", []byte("x"), true),
		sub.Replace("replaced", []byte("x"), true),
		sub.Replace("replaced", []byte("y"), true),
		sub.Reserve("reserved", 100),
		sub.PublishReserved("reserved", "from-reserve", []byte("x"), true),
		sub.Rename("replaced", "renamed"),
		f.Close(), l.Unlock(), again.Close(), sub.Close())
}

// hold locks, says so, and waits for the end of stdin.
func hold(args []string, stdin io.Reader, stdout io.Writer) error {
	d, err := fsafe.OpenRoot(args[0])
	if err != nil {
		return err
	}
	defer d.Close()
	l, err := d.TryLock(args[1], fsafe.LockExclusive, true)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "held")
	_, _ = io.Copy(io.Discard, stdin)
	return l.Unlock()
}

// adopt takes over descriptor 3 as a shared lock and waits like hold.
func adopt(args []string, stdin io.Reader, stdout io.Writer) error {
	d, err := fsafe.OpenRoot(args[0])
	if err != nil {
		return err
	}
	defer d.Close()
	l, err := d.Adopt(os.NewFile(3, "inherited"), args[1], fsafe.LockShared)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "held")
	_, _ = io.Copy(io.Discard, stdin)
	return l.Unlock()
}

// child is the command for one operation in a process of its own, started by
// the words of wrap if there are any.
func child(t *testing.T, wrap []string, op string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	words := append(append(wrap, executable(t)), args...)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(os.Environ(), childOp+"="+op)
	return cmd
}

// run does op in a process of its own and returns the kind and the message.
func run(t *testing.T, wrap []string, op string, args ...string) (kind, message string) {
	t.Helper()
	out, err := child(t, wrap, op, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", op, err, out)
	}
	kind, message, _ = strings.Cut(strings.TrimSpace(string(lastLine(out))), " ")
	return kind, message
}

func lastLine(out []byte) []byte {
	out = bytes.TrimSpace(out)
	return out[bytes.LastIndexByte(out, '\n')+1:]
}

// executable is the test binary where every user can run it.
func executable(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(publicDir(t), "fsafe.test")
	if os.Link(exe, path) == nil {
		return path
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// publicDir is a fresh directory that every user can get to.
func publicDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		ok(t, os.Chmod(d, 0o755))
	}
	return dir
}

// tool returns the path of a program that the test cannot do without.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED: needs %s", name)
	}
	return path
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: needs root")
	}
}

// must runs a program that prepares the test.
func must(t *testing.T, words ...string) {
	t.Helper()
	tool(t, words[0])
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // in a cleanup too
	defer cancel()
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v: %s", words, err, out)
	}
}
