package completion

import "strings"

// fishValue returns what tells fish of the option's value: " -x -a 'a b'".
// prefix is that of the tool's functions.
func fishValue(prefix string, o Option) string {
	words := ""
	if len(o.Words) > 0 {
		words = " -a " + fishQuote(strings.Join(o.Words, " "))
	}
	switch {
	case !o.Valued():
		return ""
	case o.Kind == File:
		return " -r -F" + words
	case o.Kind == Dir:
		return " -x -a '(__fish_complete_directories)'"
	case o.Kind == Reference:
		return " -x -k -a '(" + prefix + "_references)'"
	case o.Kind == Rule:
		return " -x -a '(" + prefix + "_rules)'"
	}
	return " -x" + words
}

// fishQuote returns s as one word of fish, where a backslash between single
// quotes is one only before another or a quote.
func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
