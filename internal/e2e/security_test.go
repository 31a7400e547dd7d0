//go:build unix

package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testFunc = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(`)
	evidence = regexp.MustCompile("`(Test[A-Za-z0-9_]+|[a-z-]+\\.txtar)`")
)

// TestEveryClaimOfSecurityNamesATestThatExists reads the tables of
// docs/security.md: a claim without a test, or with one that is gone, fails.
func TestEveryClaimOfSecurityNamesATestThatExists(t *testing.T) {
	known := shownBy(t)
	data, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	claims := 0
	for i, line := range strings.Split(string(data), "\n") {
		found := evidence.FindAllStringSubmatch(line, -1)
		for _, m := range found {
			if !known[m[1]] {
				t.Errorf("docs/security.md:%d: there is no %s", i+1, m[1])
			}
		}
		cells := strings.Split(line, "|")
		isRow := len(cells) > 4 && !strings.HasPrefix(line, "| --- ") && !strings.HasSuffix(line, "| shown by |")
		if !isRow {
			continue
		}
		claims++
		if !evidence.MatchString(cells[len(cells)-2]) {
			t.Errorf("docs/security.md:%d: a claim that nothing shows", i+1)
		}
	}
	if claims < 30 {
		t.Errorf("only %d claims were found", claims)
	}
}

// shownBy returns the names of all tests and scripts.
func shownBy(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, dir := range []string{"cmd", "internal", "pkg", "testdata/script"} {
		err := filepath.WalkDir(filepath.Join("../..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if strings.HasSuffix(path, ".txtar") {
				known[filepath.Base(path)] = true
			}
			if !strings.HasSuffix(path, "_test.go") {
				return nil
			}
			data, err := os.ReadFile(path)
			for _, m := range testFunc.FindAllStringSubmatch(string(data), -1) {
				known[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return known
}
