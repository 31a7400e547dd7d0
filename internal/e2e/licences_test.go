//go:build unix

package e2e

import (
	"debug/buildinfo"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryModuleIsListedWithItsLicence(t *testing.T) {
	listed := names(t, "../../docs/licences.md", `(?m)^\| (\S+/\S+) \|`)
	required := names(t, "../../go.mod", `(?m)^\t(\S+) v`)
	if !slices.Equal(listed, required) {
		t.Errorf("docs/licences.md lists %q; go.mod requires %q", listed, required)
	}
}

// builtFrom returns, sorted, the modules that docs/licences.md says the tools are
// built from.
func builtFrom(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../docs/licences.md")
	if err != nil {
		t.Fatal(err)
	}
	first, _, ok := strings.Cut(string(data), "Only tests")
	if !ok {
		t.Fatal("docs/licences.md tells nothing of tests")
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\S+/\S+) \|`).FindAllStringSubmatch(first, -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	return listed
}

func TestModulesInTheToolsAreToldFromThoseOfTests(t *testing.T) {
	var linked []string
	for _, tool := range tools(t) {
		info, err := buildinfo.ReadFile(filepath.Join(os.Getenv(binVariable), tool))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range info.Deps {
			linked = append(linked, m.Path)
		}
	}
	slices.Sort(linked)
	linked = slices.Compact(linked)
	if listed := builtFrom(t); !slices.Equal(listed, linked) {
		t.Errorf("docs/licences.md: %q\nin the tools: %q", listed, linked)
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
