package completion

import "strings"

// zshSpec returns the option as one of zsh's _arguments.
func zshSpec(o Option) string {
	special := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `:`, `\:`)
	names, plus, tail := "--"+o.Name, "", "["+special.Replace(o.About)+"]"
	if o.Valued() {
		names, plus = names+"=", "+"
		tail += ":" + special.Replace(o.Arg) + ":" + zshAction(o)
	}
	switch {
	case o.Letter != "": // the two exclude each other, and the braces are the shell's
		return "'(-" + o.Letter + " --" + o.Name + ")'{-" + o.Letter + plus + "," + names + "}" + quote(tail)
	case o.Repeat:
		names = "*" + names
	}
	return quote(names + tail)
}

// zshAction returns what completes the option's value.
func zshAction(o Option) string {
	words := strings.Join(o.Words, " ")
	switch {
	case len(o.Words) > 0 && o.Kind == File:
		return "_spool_words_or_files " + words
	case len(o.Words) > 0:
		return "(" + words + ")"
	case o.Kind == File:
		return "_files"
	case o.Kind == Dir:
		return "_files -/"
	case o.Kind == Reference:
		return "_spool_references"
	case o.Kind == Rule:
		return "_spool_rules"
	}
	return " " // a value follows, of which nothing is known
}

// zshDescribe returns the command as a row for _describe.
func zshDescribe(c Command) string {
	return quote(c.Name + ":" + strings.NewReplacer(`\`, `\\`, `:`, `\:`).Replace(c.About))
}
