package cmdline

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Widths of the help, in columns. It is the same on a terminal and in a pipe.
const (
	helpWidth  = 80
	helpIndent = 26 // where the text of an option begins
)

// help returns the text for --help of the tool, or of its command if that is
// not nil.
func (t Tool) help(command *Tool) string {
	name, topic := t.Name, t
	if command != nil {
		name, topic = t.Name+" "+command.Name, *command
	}
	var b strings.Builder
	lead := "usage: "
	for _, s := range append(topic.Synopsis, "[options]")[:max(1, len(topic.Synopsis))] {
		b.WriteString(lead)
		wrap(&b, name+" "+s, len(lead), len(lead)+4)
		lead = "       "
	}
	b.WriteString("\n")
	wrap(&b, topic.About, 0, 0)
	if len(topic.Commands) > 0 {
		b.WriteString("\nCommands:\n")
		for _, c := range topic.Commands {
			first, _, _ := strings.Cut(c.About, ". ")
			row(&b, "  "+c.Name, strings.TrimSuffix(first, "."))
		}
	}
	b.WriteString("\nOptions:\n")
	for _, o := range topic.Options {
		row(&b, o.usage(), o.description())
	}
	row(&b, "  --help", "print this help")
	row(&b, "  --version", "print the version")
	b.WriteString("\nExit status:\n")
	for _, e := range t.exits(command) {
		b.WriteString("  " + e.Code + "  " + e.Meaning + "\n")
	}
	return b.String()
}

// exits returns the statuses that all tools share, in the words of the tool or
// of its command where that has its own, and then the further ones.
func (t Tool) exits(command *Tool) []ExitStatus {
	own := t.Exit
	if command != nil {
		own = command.Exit
	}
	all := []ExitStatus{{"0", "done"}, {"1", "it failed, or what it produced is incomplete"}, {"2", "usage"}}
	for _, e := range own {
		if i := slices.IndexFunc(all, func(a ExitStatus) bool { return a.Code == e.Code }); i >= 0 {
			all[i] = e
		} else {
			all = append(all, e)
		}
	}
	return all
}

// usage returns the left column of the option: "  -o, --output FILE".
func (o Option) usage() string {
	s := "  --" + o.Name
	if o.Letter != 0 {
		s = "  -" + string(rune(o.Letter)) + ", --" + o.Name
	}
	if o.Arg != "" {
		s += " " + o.Arg
	}
	return s
}

// description returns the right column: what it does, whether it repeats, its
// default, its environment variable.
func (o Option) description() string {
	s := o.Help
	if o.Repeatable {
		s += " (repeatable)"
	}
	if def := o.defaultText(); def != "" {
		s += " (default " + def + ")"
	}
	if env := o.Env(); env != "" {
		s += " [" + env + "]"
	}
	return s
}

// defaultText returns the default that the help shows, "" for none.
func (o Option) defaultText() string {
	switch {
	case o.Default != "":
		return o.Default
	case o.isSwitch():
		return ""
	}
	return o.Value.String()
}

// row writes two columns, the right one wrapped.
func row(b *strings.Builder, left, right string) {
	b.WriteString(left)
	if n := utf8.RuneCountInString(left); n > helpIndent-2 {
		b.WriteString("\n" + strings.Repeat(" ", helpIndent))
	} else {
		b.WriteString(strings.Repeat(" ", helpIndent-n))
	}
	wrap(b, right, helpIndent, helpIndent)
}

// wrap writes text from column on, broken at spaces, further lines indented,
// and ends the line.
func wrap(b *strings.Builder, text string, column, indent int) {
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > helpWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
}
