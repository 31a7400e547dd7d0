//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", os.Getenv(binVariable)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("SPOOL_DIR", filepath.Join(env.WorkDir, "ns"))
			return nil
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  cmdStatus,
			"let":     cmdLet,
			"mode":    cmdMode,
			"private": cmdPrivate,
			"json":    cmdJSON,
			"jsonlet": cmdJSONLet,
			"within":  cmdWithin,
		},
	})
}

// condition answers what the language does not know by itself.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "strace":
		return exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() == nil, nil
	case "tmpfs":
		return exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", os.TempDir()).Run() == nil, nil
	case "tmux":
		_, err := exec.LookPath("tmux")
		return err == nil, nil
	}
	return false, errors.New("unknown condition")
}

func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("status %d, want %d", got, want)
	}
}

func cmdLet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: let NAME FILE")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}

func cmdMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mode FILE... OCTAL")
	}
	want, err := strconv.ParseUint(args[len(args)-1], 8, 12)
	ts.Check(err)
	for _, file := range args[:len(args)-1] {
		info, err := os.Lstat(ts.MkAbs(file))
		ts.Check(err)
		if got := info.Mode().Perm(); got != fs.FileMode(want) {
			ts.Fatalf("%s: mode %04o, want %04o", file, got, want)
		}
	}
}

func cmdPrivate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: private DIR")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if mode := info.Mode(); mode != fs.ModeDir|0o700 && mode != 0o600 {
			return &fs.PathError{Op: "private", Path: path, Err: errors.New("is " + mode.String())}
		}
		return nil
	}))
}

func cmdWithin(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || args[1] == "" {
		ts.Fatalf("usage: [!] within FILE TEXT")
	}
	where := ""
	if args[0] == "stdout" || args[0] == "stderr" {
		if strings.Contains(ts.ReadFile(args[0]), args[1]) {
			where = args[0]
		}
	} else {
		where = grep(ts, ts.MkAbs(args[0]), []byte(args[1]))
	}
	switch {
	case neg && where != "":
		ts.Fatalf("%s holds %q", where, args[1])
	case !neg && where == "":
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
}

// grep returns the first file at or under root that holds text, or "".
func grep(ts *testscript.TestScript, root string, text []byte) (where string) {
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && bytes.Contains(data, text) {
			where = path
			return filepath.SkipAll
		}
		return err
	}))
	return where
}
