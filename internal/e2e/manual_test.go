//go:build unix

package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// manual is where the pages lie, one for each tool.
const manual = "../../docs/man"

var (
	manualOption = regexp.MustCompile(`^\.It Fl (?:([a-z]) , )?-([a-z0-9-]+)(?: Ar (\S+))?$`)
	manualEnv    = regexp.MustCompile(`^\.Pq Ev (SPOOL_[A-Z0-9_]+)$`)
	manualXr     = regexp.MustCompile(`(?m)^\.Xr (spool-\S+) 1`)
)

// readManual returns the options of a tool's page, and of each of its commands
// under "tool command": those of a subsection with that name.
func readManual(t *testing.T, tool string, commands []string) map[string][]option {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(manual, tool+".1"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]option{}
	topic, entry := tool, false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		command, section := strings.CutPrefix(line, ".Ss ")
		switch m := manualOption.FindStringSubmatch(line); {
		case section && slices.Contains(commands, command):
			topic = tool + " " + command
		case strings.HasPrefix(line, ".Sh "):
			topic = tool
		case m != nil:
			all[topic] = append(all[topic], option{letter: m[1], name: m[2], arg: m[3]})
			entry = true
		case strings.HasPrefix(line, ".It Fl -"):
			t.Errorf("%s: %q is no option with at most one argument", tool, line)
		case strings.HasPrefix(line, ".It ") || strings.HasPrefix(line, ".El"):
			entry = false
		}
		if m := manualEnv.FindStringSubmatch(line); m != nil && entry {
			last := all[topic]
			last[len(last)-1].env = m[1]
		}
	}
	return all
}

// helpAndVersion are options of every command, in the page only of the tool.
func helpAndVersion(o option) bool { return o.name == "help" || o.name == "version" }

func TestManualHasEveryOptionAndNoOther(t *testing.T) {
	for _, tool := range tools(t) {
		p, commands := readPage(t, tool)
		want := map[string][]option{tool: p.options}
		for _, command := range commands {
			p, _ := readPage(t, tool, command)
			if options := slices.DeleteFunc(p.options, helpAndVersion); len(options) > 0 {
				want[tool+" "+command] = options
			}
		}
		got := readManual(t, tool, commands)
		for topic := range want {
			byName := func(a, b option) int { return strings.Compare(a.name, b.name) }
			slices.SortFunc(want[topic], byName)
			slices.SortFunc(got[topic], byName)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(option{})); diff != "" {
			t.Errorf("%s: --help (-) and manual (+) differ:\n%s", tool, diff)
		}
	}
}

// helpDefault finds defaults in help that may be wrapped anywhere.
var helpDefault = regexp.MustCompile(`\(default ([^)]+)\)`)

func TestManualTellsTheDefaults(t *testing.T) {
	for _, p := range pages(t) {
		data, err := os.ReadFile(filepath.Join(manual, p.args[0]+".1"))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(string(data)), " ")
		for _, m := range helpDefault.FindAllStringSubmatch(strings.Join(strings.Fields(p.text), " "), -1) {
			// The way to the namespace is set in another type.
			if def := m[1]; !strings.HasPrefix(def, "$XDG") && !strings.Contains(text, " default is "+def) &&
				!strings.Contains(text, " default, "+def) {
				t.Errorf("%v: the manual does not tell the default %q", p.args, def)
			}
		}
	}
}

// manualParts are the sections that a page has at least.
var manualParts = []string{
	"NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO", "CAVEATS",
}

func TestManualHasEverySection(t *testing.T) {
	pages, err := filepath.Glob(manual + "/*.1")
	if err != nil || len(pages) != len(tools(t)) {
		t.Errorf("%d pages for %d tools: %v", len(pages), len(tools(t)), err)
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range manualParts {
			if !strings.Contains(string(data), "\n.Sh "+part+"\n") {
				t.Errorf("%s has no section %q", page, part)
			}
		}
		for _, m := range manualXr.FindAllStringSubmatch(string(data), -1) {
			if !slices.Contains(tools(t), m[1]) {
				t.Errorf("%s refers to %s, which is none of the tools", page, m[1])
			}
		}
	}
}

func TestManualHasEveryExitStatus(t *testing.T) {
	statusRow := regexp.MustCompile(`^  ([0-9]+(?:, [0-9]+)*)  `)
	for _, p := range pages(t) {
		data, err := os.ReadFile(filepath.Join(manual, p.args[0]+".1"))
		if err != nil {
			t.Fatal(err)
		}
		_, section, _ := strings.Cut(string(data), ".Sh EXIT STATUS\n")
		section, _, _ = strings.Cut(section, "\n.Sh ")
		var told []string
		for line := range strings.Lines(section) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), ".It "); ok {
				told = append(told, strings.Split(rest, " , ")...)
			}
		}
		_, rows, _ := strings.Cut(p.text, "\nExit status:\n")
		for row := range strings.Lines(rows) {
			m := statusRow.FindStringSubmatch(row)
			if m == nil {
				continue
			}
			for code := range strings.SplitSeq(m[1], ", ") {
				if !slices.Contains(told, code) {
					t.Errorf("%v: the manual does not tell status %s", p.args, code)
				}
			}
		}
	}
}

func TestManualIsCleanForMandoc(t *testing.T) {
	if _, err := exec.LookPath("mandoc"); err != nil {
		t.Skip("SKIPPED: needs mandoc")
	}
	for _, tool := range tools(t) {
		page := filepath.Join(manual, tool+".1")
		out, err := exec.Command("mandoc", "-T", "lint", page).CombinedOutput()
		if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			// That the pages are not installed yet, or others of this machine
			// are not in its index, says nothing about the page.
			if strings.Contains(line, page) && !strings.Contains(line, "referenced manual not found: Xr spool-") {
				t.Error(strings.TrimSpace(line))
			}
		}
		text, err := exec.Command("mandoc", "-T", "ascii", "-W", "warning", page).Output()
		if err != nil || !strings.Contains(string(text), tool) {
			t.Errorf("%s: %v, %d bytes", page, err, len(text))
		}
	}
}

func TestManualIsCleanForMan(t *testing.T) {
	if help, err := exec.Command("man", "--help").Output(); err != nil || !strings.Contains(string(help), "--warnings") {
		t.Skip("SKIPPED: needs a man that knows --warnings")
	}
	for _, tool := range tools(t) {
		cmd := exec.Command("man", "--warnings", "-l", filepath.Join(manual, tool+".1"))
		cmd.Env = append(os.Environ(), "MANWIDTH=80", "LC_ALL=C.UTF-8", "PAGER=cat", "MANPAGER=cat")
		var complaints strings.Builder
		cmd.Stderr = &complaints
		text, err := cmd.Output()
		if err != nil || complaints.String() != "" || !strings.Contains(string(text), "EXIT STATUS") {
			t.Errorf("%s: %v, %d bytes, complaints %q", tool, err, len(text), complaints.String())
		}
	}
}
