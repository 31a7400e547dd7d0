package completion

import (
	"fmt"
	"regexp"
	"strings"
)

// A Topic is what is to be completed after a tool, or after one of its commands.
type Topic struct {
	// Name is what was typed so far: "spool-receipt show".
	Name string
	// Options are the rows of its table, --help and --version among them.
	Options []Option
	// Commands are chosen by the first operand. Where there are some, Operand
	// is nothing.
	Commands []Command
	// Operand is what its operands are.
	Operand Kind
}

// A Command is a tool's command as the tool's own help lists it.
type Command struct{ Name, About string }

// An Option is a row of the table.
type Option struct {
	Name   string // without dashes
	Letter string // "" for none
	Arg    string // as the help has it: "auto|off|REGEX"; "" for a switch
	About  string // half a sentence; may be empty
	Repeat bool   // values are collected
	Words  []string
	Kind   Kind // what else than one of Words the value is
}

// Valued reports whether the option takes a value.
func (o Option) Valued() bool { return o.Arg != "" }

// Kind is what completes a value or an operand.
type Kind string

// The kinds. Nothing completes what is a number or free text.
const (
	Nothing   Kind = ""
	File      Kind = "file"
	Dir       Kind = "dir"
	Reference Kind = "ref"
	Rule      Kind = "rule"
	Run       Kind = "command" // a command and its arguments
)

var (
	optionRow  = regexp.MustCompile(`^  (?:-(.), )?--([a-z0-9-]+)(?: (\S+))?(?:  +(.*))?$`)
	commandRow = regexp.MustCompile(`^  ([a-z]+)  +(.*)$`)
	asides     = regexp.MustCompile(` ?(\(default [^)]*\)|\(repeatable\)|\[SPOOL_[A-Z0-9_]+\])`)
	declared   = regexp.MustCompile(`\[.*\]`)
)

// Read reads the help of a tool, or of a command of one.
func Read(help string) (Topic, error) {
	head, rest, ok := strings.Cut(help, "\n\n")
	if !ok || !strings.HasPrefix(head, "usage: ") {
		return Topic{}, fmt.Errorf("help begins with %q", strings.SplitN(help, "\n", 2)[0])
	}
	var t Topic
	t.readUsage(head)
	section := ""
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " ") {
			section = line
			continue
		}
		switch section {
		case "Commands:":
			t.readCommand(line)
		case "Options:":
			t.readOption(line)
		}
	}
	for i := range t.Options {
		t.Options[i].finish()
	}
	if len(t.Commands) > 0 {
		t.Operand = Nothing
	}
	return t, nil
}

// readUsage takes the name and the kind of operand from the synopsis.
func (t *Topic) readUsage(usage string) {
	words := strings.Fields(strings.TrimPrefix(usage, "usage: "))
	t.Name = words[0]
	if len(words) > 1 && strings.Trim(words[1], "abcdefghijklmnopqrstuvwxyz") == "" {
		t.Name += " " + words[1]
	}
	for line := range strings.Lines(usage) {
		words := strings.Fields(line)
		option := len(words) > 1 && strings.HasPrefix(words[len(words)-2], "-")
		switch last := strings.Trim(words[len(words)-1], "[].…"); {
		case strings.HasPrefix(last, "ARG"):
			t.Operand = Run
		case last == "FILE" && !option:
			t.Operand = File
		case last == "REF" || last == "REF/STREAM":
			t.Operand = Reference
		}
	}
}

// readCommand takes a row of the list of commands, or what follows of one.
func (t *Topic) readCommand(line string) {
	if m := commandRow.FindStringSubmatch(line); m != nil {
		t.Commands = append(t.Commands, Command{Name: m[1], About: m[2]})
	} else if n := len(t.Commands); n > 0 && line != "" {
		t.Commands[n-1].About += " " + strings.TrimSpace(line)
	}
}

// readOption takes a row of the table of options, or what follows of one.
func (t *Topic) readOption(line string) {
	if m := optionRow.FindStringSubmatch(line); m != nil {
		t.Options = append(t.Options, Option{Letter: m[1], Name: m[2], Arg: m[3], About: m[4]})
	} else if n := len(t.Options); n > 0 && line != "" {
		t.Options[n-1].About = strings.TrimSpace(t.Options[n-1].About + " " + strings.TrimSpace(line))
	}
}

// finish tells the parts of a row apart once all of it was read.
func (o *Option) finish() {
	o.Repeat = strings.Contains(o.About, "(repeatable)")
	o.About = strings.TrimSpace(asides.ReplaceAllString(o.About, ""))
	if known, ok := values[o.Name+" "+o.Arg]; ok {
		o.Words, o.Kind = known.words, known.kind
		return
	}
	for part := range strings.SplitSeq(declared.ReplaceAllString(o.Arg, ""), "|") {
		switch {
		case part == "FILE":
			o.Kind = File
		case part == "DIR" || part == "NAMESPACE":
			o.Kind = Dir
		case part == "REF":
			o.Kind = Reference
		case part != "" && part == strings.ToLower(part):
			o.Words = append(o.Words, part)
		}
	}
}
