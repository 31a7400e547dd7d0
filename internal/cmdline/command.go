package cmdline

import (
	"context"
	"io"
	"strings"

	"github.com/urfave/cli/v3"
)

// A binding joins an option to its flag of the library: it is the flag's value
// and its source in the environment.
type binding struct {
	option Option
	lookup func(string) (string, bool)
	source Source
	fault  *error // where a bad value is told better than the library does
}

// execute hands ordered arguments to the library, which fills the options and
// calls the Run of the tool, or that of command if it is not nil.
func (t Tool) execute(ctx context.Context, argv []string, command *Tool, call *Call) error {
	var fault, failure error
	action := func(run func(context.Context, *Call) error) cli.ActionFunc {
		return func(ctx context.Context, cmd *cli.Command) error {
			call.Args = cmd.Args().Slice()
			failure = run(ctx, call)
			return nil
		}
	}
	root := t.bare()
	root.Flags = t.bind(t.Options, &fault, call)
	if t.Run != nil {
		root.Action = action(t.Run)
	}
	if command != nil {
		sub := command.bare()
		sub.Flags = t.bind(command.Options, &fault, call)
		sub.Action = action(command.Run)
		root.Commands = []*cli.Command{sub}
	}
	if err := root.Run(ctx, argv); err != nil {
		if fault != nil {
			return fault
		}
		return &UsageError{Message: err.Error()}
	}
	return failure
}

// bare returns the library's command with everything off that would print,
// exit or take an operand for something else.
func (t Tool) bare() *cli.Command {
	return &cli.Command{
		Name:                      t.Name,
		HideHelp:                  true,
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		Writer:                    io.Discard,
		ErrWriter:                 io.Discard,
		Reader:                    strings.NewReader(""),
		ExitErrHandler:            func(context.Context, *cli.Command, error) {},
		OnUsageError:              func(_ context.Context, _ *cli.Command, err error, _ bool) error { return err },
	}
}

// bind makes a flag of each option and notes it in the call.
func (t Tool) bind(options []Option, fault *error, call *Call) []cli.Flag {
	flags := make([]cli.Flag, len(options))
	for i, o := range options {
		b := &binding{option: o, lookup: t.LookupEnv, source: SourceDefault, fault: fault}
		call.bindings = append(call.bindings, b)
		flag := &cli.GenericFlag{Name: o.Name, Local: true, Value: b}
		if !o.Oneoff {
			flag.Sources = cli.NewValueSourceChain(envSource{b})
		}
		flags[i] = flag
	}
	return flags
}

// Set implements [cli.Value]. The library calls it for arguments first, and
// for the environment only if there was none.
func (b *binding) Set(text string) error {
	where, texts := "option --"+b.option.Name, []string{text}
	if b.source == SourceEnvironment {
		where = "environment variable " + b.option.Env()
		if b.option.Repeatable {
			texts = strings.Split(strings.Trim(text, "\n"), "\n")
		}
	} else {
		b.source = SourceOption
	}
	for _, text := range texts {
		if err := b.option.Value.Set(text); err != nil {
			*b.fault = &UsageError{Message: where + ": " + err.Error()}
			return *b.fault
		}
	}
	return nil
}

// Get implements [cli.Value].
func (b *binding) Get() any { return b.option.Value }

// String implements [cli.Value].
func (b *binding) String() string { return b.option.Value.String() }

// IsBoolFlag tells the library that a switch takes no value.
func (b *binding) IsBoolFlag() bool { return b.option.isSwitch() }

// envSource is a binding as the library's source of last resort.
type envSource struct{ b *binding }

// Lookup implements [cli.ValueSource].
func (s envSource) Lookup() (string, bool) {
	text, ok := s.b.lookup(s.b.option.Env())
	if !ok || text == "" {
		return "", false
	}
	s.b.source = SourceEnvironment
	return text, true
}

func (s envSource) String() string   { return "environment variable " + s.b.option.Env() }
func (s envSource) GoString() string { return s.String() }
