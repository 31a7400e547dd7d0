//go:build unix

package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An option is a row of a tool's help: what a user can see of it.
type option struct {
	name   string // without dashes
	letter string // "" for none
	arg    string // "" for a switch
	env    string // "" for none
}

// A page is the help of a tool or of one of its commands.
type page struct {
	args    []string // tool, and command if there is one
	text    string
	options []option
}

var (
	optionRow  = regexp.MustCompile(`^  (?:-(.), )?--([a-z0-9-]+)(?: (\S+))?(?:  .*)?$`)
	commandRow = regexp.MustCompile(`^  ([a-z]+)  `)
	envNote    = regexp.MustCompile(`\[(SPOOL_[A-Z0-9_]+)\]$`)
)

// pages returns the help of every tool and command.
func pages(t *testing.T) []page {
	t.Helper()
	var all []page
	for _, tool := range tools(t) {
		p, commands := readPage(t, tool)
		all = append(all, p)
		for _, command := range commands {
			p, _ := readPage(t, tool, command)
			all = append(all, p)
		}
	}
	return all
}

// readPage reads a page as printed, and the names of the commands in it.
func readPage(t *testing.T, args ...string) (p page, commands []string) {
	t.Helper()
	code, text, _ := call(t, args[0], append(args[1:], "--help")...)
	if code != 0 {
		t.Fatalf("%v: status %d", args, code)
	}
	p = page{args: args, text: text}
	section, description := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " "):
			section = line
		case section == "Commands:":
			if m := commandRow.FindStringSubmatch(line); m != nil {
				commands = append(commands, m[1])
			}
		case section == "Options:":
			if m := optionRow.FindStringSubmatch(line); m != nil {
				p.options = append(p.options, option{letter: m[1], name: m[2], arg: m[3]})
				description = line
			} else {
				description += " " + strings.TrimSpace(line)
			}
			if m := envNote.FindStringSubmatch(description); m != nil {
				p.options[len(p.options)-1].env = m[1]
			}
		}
	}
	return p, commands
}

// oneOffs are the options without an environment variable: what they name is
// this call's alone, or they make the call another one.
var oneOffs = strings.Fields("help version capture stream report")

func TestEveryOptionHasItsVariable(t *testing.T) {
	for _, p := range pages(t) {
		for _, o := range p.options {
			want := "SPOOL_" + strings.ToUpper(strings.ReplaceAll(o.name, "-", "_"))
			if o.env != "" && o.env != want {
				t.Errorf("%v: --%s has %s", p.args, o.name, o.env)
			}
		}
		for _, name := range oneOffs {
			for _, o := range p.options {
				if o.name == name && o.env != "" {
					t.Errorf("%v: --%s has a variable: %s", p.args, name, o.env)
				}
			}
		}
	}
}

func TestHelpFitsEightyColumns(t *testing.T) {
	for _, p := range pages(t) {
		if !strings.HasPrefix(p.text, "usage: "+strings.Join(p.args, " ")) {
			t.Errorf("%v: begins with %q", p.args, strings.SplitN(p.text, "\n", 2)[0])
		}
		for line := range strings.Lines(p.text) {
			if n := len([]rune(line)) - 1; n > 80 {
				t.Errorf("%v: %d columns: %s", p.args, n, line)
			}
		}
	}
}

// stageOnly are options that mean nothing to a whole run: one stage's plumbing,
// or retrieval from what is kept already.
var stageOnly = strings.Fields("capture stream streams report discard forward parent " +
	"head tail bytes-range lines match max-matches limit exact from consumer follow")

func TestRunTakesTheStagesOptions(t *testing.T) {
	run, _ := readPage(t, "spool-run")
	takes := map[string]string{}
	for _, o := range run.options {
		takes[o.name] = o.arg
	}
	for _, args := range [][]string{{"spool-redact"}, {"spool-tee"}, {"spool-preview"}, {"spool-receipt", "begin"}} {
		stage, _ := readPage(t, args...)
		for _, o := range stage.options {
			arg, ok := takes[o.name]
			switch {
			case !ok && !slices.Contains(stageOnly, o.name):
				t.Errorf("spool-run lacks --%s of %v", o.name, args)
			case ok && arg != o.arg:
				t.Errorf("--%s takes %q, of %v %q", o.name, arg, args, o.arg)
			}
		}
	}
}
