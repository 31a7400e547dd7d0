package cmdline

import "strings"

// An Option is one row of a tool's table.
type Option struct {
	// Name is the long name without dashes: lower-case letters, digits and
	// dashes, two characters at least.
	Name string
	// Letter is the short name, or 0 for none.
	Letter byte
	// Arg names the value in the help ("SIZE"). It is empty for a switch,
	// which takes none.
	Arg string
	// Help is half a sentence: lower case, no period.
	Help string
	// Default is the default shown in the help. When it is empty, what Value
	// holds before parsing is shown.
	Default string
	// Oneoff says that the option has no environment variable.
	Oneoff bool
	// Repeatable says that values are collected.
	Repeatable bool
	// Value takes what is given. It is not nil.
	Value Value
}

// A Value receives an option's text. It is also how the text in force is told.
type Value interface {
	// Set takes one value. Its error tells what is wrong with the text; the
	// option's name is put before it by the caller.
	Set(text string) error
	// String returns the value in the form that Set takes, or "" when there
	// is none.
	String() string
}

// OneOff returns the option without its environment variable.
func (o Option) OneOff() Option {
	o.Oneoff = true
	return o
}

// Short returns the option with a letter.
func (o Option) Short(letter byte) Option {
	o.Letter = letter
	return o
}

// DefaultText returns the option with a default for the help, for one that the
// value itself cannot tell.
func (o Option) DefaultText(text string) Option {
	o.Default = text
	return o
}

// Env returns the name of the option's environment variable, "" for a one-off.
func (o Option) Env() string {
	if o.Oneoff {
		return ""
	}
	return "SPOOL_" + strings.ToUpper(strings.ReplaceAll(o.Name, "-", "_"))
}

// inForce returns the text of the value in force: a switch always has one.
func (o Option) inForce(source Source) string {
	text := o.Value.String()
	switch {
	case text != "":
		return text
	case o.isSwitch():
		return "false"
	case source == SourceDefault:
		return o.Default
	}
	return ""
}

// isSwitch reports whether the option takes no value.
func (o Option) isSwitch() bool { return o.Arg == "" }

// find returns the option with that long name.
func find(options []Option, name string) (Option, bool) {
	for _, o := range options {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// findLetter returns the option with that letter.
func findLetter(options []Option, letter byte) (Option, bool) {
	for _, o := range options {
		if o.Letter == letter && letter != 0 {
			return o, true
		}
	}
	return Option{}, false
}

// checkOptions panics where a table breaks the rules of [Option].
func checkOptions(tool string, options []Option) {
	names, letters := map[string]bool{"help": true, "version": true}, map[byte]bool{'-': true}
	for _, o := range options {
		bad := len(o.Name) < 2 || strings.Trim(o.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || o.Name[0] == '-'
		switch {
		case bad:
			panic("cmdline: " + tool + ": bad option name " + o.Name)
		case names[o.Name] || letters[o.Letter]:
			panic("cmdline: " + tool + ": option declared twice: " + o.Name)
		case o.Value == nil || o.Help == "":
			panic("cmdline: " + tool + ": option without value or help: " + o.Name)
		}
		names[o.Name] = true
		if o.Letter != 0 {
			letters[o.Letter] = true
		}
	}
}
