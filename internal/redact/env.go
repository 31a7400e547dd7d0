package redact

import (
	"fmt"
	"path"
	"strings"
)

// defaultEnvWords are what the name of a variable with a secret ends with, alone
// or after an underscore.
var defaultEnvWords = []string{
	"TOKEN", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "API_KEY", "ACCESS_KEY", "SECRET_KEY", "PRIVATE_KEY", "CREDENTIALS", "CONNECTION_STRING",
}

// EnvLiterals returns the values of the variables in environ, each "NAME=value",
// whose names match a glob (path.Match), or one of the default words. A value
// under MinLiteral bytes is not taken: a warning names its variable. An empty
// one is passed over.
func EnvLiterals(environ, globs []string, defaults bool) (literals []Literal, warnings []string, err error) {
	for _, g := range globs {
		if _, err := ParseGlob(g); err != nil {
			return nil, nil, err
		}
	}
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if value == "" || !envMatches(name, globs, defaults) {
			continue
		}
		if len(value) < MinLiteral {
			warnings = append(warnings, fmt.Sprintf("variable %s: its value is shorter than %d bytes and is not redacted", name, MinLiteral))
			continue
		}
		literals = append(literals, Literal{Name: "env:" + name, Value: []byte(value)})
	}
	return literals, warnings, nil
}

func envMatches(name string, globs []string, defaults bool) bool {
	for _, g := range globs {
		if ok, _ := path.Match(g, name); ok { // checked before
			return true
		}
	}
	if !defaults {
		return false
	}
	for _, w := range defaultEnvWords {
		if head, ok := strings.CutSuffix(name, w); ok && (head == "" || strings.HasSuffix(head, "_")) {
			return true
		}
	}
	return false
}
