package cmdline

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// A Tool is one program, or one command of a program that has several.
type Tool struct {
	// Name is the program's name as messages show it ("spool-tee"), for a
	// command its one word ("begin").
	Name string
	// Synopsis holds what may follow the name, one way of calling a line:
	// "[options] FILE". None means "[options]".
	Synopsis []string
	// About says in one to three sentences what it does. For a command, the
	// first sentence also stands in the program's list.
	About string
	// Options is the table of options. --help and --version are not in it.
	Options []Option
	// Commands are chosen by the first operand; their own Commands are not
	// looked at. An operand that is none of them is Run's, if there is one.
	Commands []Tool
	// Exit lists exit statuses beyond 0, 1 and 2 for the help.
	Exit []ExitStatus
	// Foreign says that the operands are another program's arguments: an option
	// among them is that program's.
	Foreign bool
	// Run does the work once the options are filled. It is nil where only
	// the commands do something.
	Run func(ctx context.Context, call *Call) error
	// LookupEnv reads the environment; nil means [os.LookupEnv].
	LookupEnv func(name string) (string, bool)
}

// An ExitStatus is a row of the help's last section.
type ExitStatus struct {
	Code    string // "3", "126, 127"
	Meaning string
}

// A Call is one run of a tool, as its Run sees it.
type Call struct {
	// Tool is the program's name, for messages.
	Tool string
	// Args are the operands, untouched.
	Args []string

	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// bindings are the options of the tool and then of the command, in the
	// order of the tables.
	bindings []*binding
	command  string // "" for the tool itself
	foreign  bool   // see [Tool]
}

// Main runs the tool with args, whose first is the program's path, and returns
// the exit status. It panics where the tool's table is wrong in itself.
func (t Tool) Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if t.LookupEnv == nil {
		t.LookupEnv = os.LookupEnv
	}
	call := &Call{Tool: t.Name, Stdin: stdin, Stdout: stdout, Stderr: stderr, foreign: t.Foreign}
	err := t.dispatch(ctx, args[min(1, len(args)):], call)
	return report(call, err)
}

// dispatch parses the tool's arguments and, where there is one, its command's,
// and does what they ask for.
func (t Tool) dispatch(ctx context.Context, args []string, call *Call) error {
	checkOptions(t.Name, t.Options)
	p, err := parse(t.Options, args)
	if err != nil {
		return err
	}
	if p.want != requestRun {
		return t.answer(p.want, nil, call.Stdout)
	}
	argv := append([]string{t.Name}, p.options...)
	command, err := t.command(p.operands)
	if err != nil {
		return err
	}
	if command == nil {
		return t.execute(ctx, append(append(argv, "--"), p.operands...), nil, call)
	}
	call.command = command.Name
	checkOptions(call.topic(), command.Options)
	q, err := parse(command.Options, p.operands[1:])
	if err != nil {
		return err
	}
	if q.want != requestRun {
		return t.answer(q.want, command, call.Stdout)
	}
	argv = append(append(argv, command.Name), q.options...)
	return t.execute(ctx, append(append(argv, "--"), q.operands...), command, call)
}

// command returns the command that the operands choose, nil for the tool itself.
func (t Tool) command(operands []string) (*Tool, error) {
	if len(t.Commands) == 0 {
		return nil, nil
	}
	names := make([]string, len(t.Commands))
	for i, c := range t.Commands {
		names[i] = c.Name
	}
	if len(operands) > 0 {
		if i := slices.Index(names, operands[0]); i >= 0 {
			return &t.Commands[i], nil
		}
	}
	switch {
	case t.Run != nil:
		return nil, nil
	case len(operands) == 0:
		return nil, Usagef("a command is needed: %s", strings.Join(names, ", "))
	}
	e := &UsageError{Message: "unknown command " + quote(operands[0])}
	if meant := suggest(names, operands[0]); meant != "" {
		e.Advice = "did you mean " + meant + "?"
	} else {
		e.Advice = "commands are " + strings.Join(names, ", ")
	}
	return nil, e
}

// answer prints what --help or --version asks for.
func (t Tool) answer(want request, command *Tool, stdout io.Writer) error {
	text := t.Name + " " + Version() + "\n"
	if want == requestHelp {
		text = t.help(command)
	}
	if _, err := io.WriteString(stdout, text); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}

// topic returns what to call for help on.
func (c *Call) topic() string {
	if c.command == "" {
		return c.Tool
	}
	return c.Tool + " " + c.command
}

// Warn prints a message that is not an error.
func (c *Call) Warn(format string, args ...any) {
	Message(c.Stderr, c.Tool, fmt.Sprintf(format, args...))
}

// A Source says where the value of an option comes from.
type Source string

// The sources, in rising order.
const (
	SourceDefault     Source = "default"
	SourceEnvironment Source = "environment"
	SourceOption      Source = "option"
)

// A Setting is an option as it is in force.
type Setting struct {
	Name   string // without dashes
	Env    string // "" for a one-off
	Value  string // what Set takes; where nothing was given perhaps words; "" for none
	Source Source
}

// Settings returns every option in force, in the order of the table.
func (c *Call) Settings() []Setting {
	settings := make([]Setting, len(c.bindings))
	for i, b := range c.bindings {
		settings[i] = Setting{Name: b.option.Name, Env: b.option.Env(), Value: b.option.inForce(b.source), Source: b.source}
	}
	return settings
}

// Given returns where the named option's value comes from. It panics on a name
// that is not in the table.
func (c *Call) Given(name string) Source {
	for _, b := range c.bindings {
		if b.option.Name == name {
			return b.source
		}
	}
	panic("cmdline: " + c.Tool + ": no option " + name)
}
