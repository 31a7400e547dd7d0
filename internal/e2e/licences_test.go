//go:build unix

package e2e

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

func TestEveryModuleIsListedWithItsLicence(t *testing.T) {
	listed := names(t, "../../docs/licences.md", `(?m)^\| (\S+/\S+) \|`)
	required := names(t, "../../go.mod", `(?m)^\t(\S+) v`)
	if !slices.Equal(listed, required) {
		t.Errorf("docs/licences.md lists %q; go.mod requires %q", listed, required)
	}
}

// names returns, sorted, what pattern's group matches in a file.
func names(t *testing.T, file, pattern string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(data), -1) {
		found = append(found, m[1])
	}
	if len(found) == 0 {
		t.Fatalf("%s names nothing", file)
	}
	slices.Sort(found)
	return found
}
