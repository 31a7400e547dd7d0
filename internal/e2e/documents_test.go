//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A block is a fenced block of a document. What it may be:
//
//	console   a session: "$ " begins a command, "> " goes on with it, the rest
//	          is what it prints. All sessions of a document are run as one.
//	text      with the line "<!-- picture -->" before it: a drawing of the line
//	          of tools, which has to name all of them
//	any other with the line "<!-- file: PATH -->" before it: that file, as it is
type block struct {
	file string
	line int // of the fence, from 1
	kind string
	note string // of the comment before it, without its marks
	text string // with a newline at its end
}

// documents are the pages of which every block is held to something that runs.
func documents(t *testing.T, root string) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	return append(pages, filepath.Join(root, "README.md"))
}

var comment = regexp.MustCompile(`^<!-- (.*) -->$`)

// blocks returns the blocks of a document. A block that is written in another
// way, and would not be seen, fails the test.
func blocks(t *testing.T, file string) (all []block) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	within, note, before := false, "", ""
	for i, line := range strings.Split(string(data), "\n") {
		kind, fence := strings.CutPrefix(line, "```")
		switch {
		case within && fence:
			within, note = false, ""
		case within:
			all[len(all)-1].text += line + "\n"
		case fence:
			all = append(all, block{file: file, line: i + 1, kind: kind, note: note})
			within = true
		case strings.HasPrefix(strings.TrimSpace(line), "```"), strings.HasPrefix(strings.TrimSpace(line), "~~~"),
			before == "" && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")):
			t.Errorf("%s:%d: a block that no test would see: %q", file, i+1, line)
		case line != "":
			note = ""
			if m := comment.FindStringSubmatch(line); m != nil {
				note = m[1]
			}
		}
		before = line
	}
	if within {
		t.Errorf("%s: the last block has no end", file)
	}
	return all
}

func TestEveryBlockOfADocumentIsHeldToSomething(t *testing.T) {
	const root = "../.."
	for _, file := range documents(t, root) {
		for _, b := range blocks(t, file) {
			path, isFile := strings.CutPrefix(b.note, "file: ")
			switch {
			case b.kind == "console":
				if len(b.commands(t)) == 0 {
					t.Errorf("%s:%d: a session without a command", file, b.line)
				}
			case b.kind == "text" && b.note == "picture":
				for _, tool := range tools(t) {
					if !strings.Contains(b.text, tool) {
						t.Errorf("%s:%d: the picture lacks %s", file, b.line, tool)
					}
				}
			case isFile:
				want, err := os.ReadFile(filepath.Join(root, path))
				if err != nil || string(want) != b.text {
					t.Errorf("%s:%d: differs from %s (%v)", file, b.line, path, err)
				}
			default:
				t.Errorf("%s:%d: a block of kind %q that nothing is compared with", file, b.line, b.kind)
			}
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)

func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	pages := append(documents(t, "../.."), "../../CONTRIBUTING.md", "../../CHANGELOG.md")
	for _, file := range pages {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			if strings.Contains(m[1], "://") || slices.Contains(writtenByBench, filepath.Base(m[1])) {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: a link to nothing: %s", file, m[1])
			}
		}
	}
}

// writtenByBench are pages that scripts/bench --write and scripts/measure
// --write make; they may not have been run here yet.
var writtenByBench = []string{"benchmarks.md", "benchmarks.json", "benchmarks.svg", "measurements.md", "measurements.json"}

func TestPictureIsOfTheSessionAsItRuns(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: needs python3")
	}
	cmd := exec.CommandContext(t.Context(), "../../scripts/picture", "--bin", os.Getenv(binVariable))
	cmd.Stderr = os.Stderr
	now, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../../docs/session.svg")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(committed), string(now)); diff != "" {
		t.Errorf("docs/session.svg (-) and what scripts/picture draws (+) differ; see scripts/picture --write:\n%s", diff)
	}
}
