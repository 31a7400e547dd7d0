//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// binVariable tells test and commands where the tools were built.
const binVariable = "SPOOL_E2E_BIN"

// TestMain builds the tools, and is the commands that scripts find on PATH.
func TestMain(m *testing.M) {
	testscript.Main(built{m}, map[string]func(){
		"with-umask":  withUmask,
		"with-closed": withClosed,
		"swap-name":   swapper,
	})
}

// built is the run of the package's tests with the tools built before.
type built struct{ m *testing.M }

func (b built) Run() int {
	dir, err := os.MkdirTemp("", "spool-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	os.Setenv(binVariable, dir)
	return b.m.Run()
}

// build builds every tool as a user gets it.
func build(dir string) error {
	cmd := exec.Command(filepath.Join("..", "..", "scripts", "build"), dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the tools: %w\n%s", err, out)
	}
	return nil
}

// tools returns the names of the tools that the repository has.
func tools(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("../../cmd/spool-*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no tools: %v", err)
	}
	for i, dir := range dirs {
		dirs[i] = filepath.Base(dir)
	}
	return dirs
}
