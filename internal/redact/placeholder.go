package redact

import (
	"bytes"
	"strings"
)

// isPlaceholder tells whether b stands for a value without being one.
func isPlaceholder(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	if oneByte(b) {
		return true
	}
	next := byte(0)
	if len(b) > 1 {
		next = b[1]
	}
	switch b[0] {
	case '$':
		return isAlpha(next) && word.run(b, 1) == len(b) || next == '_' || next == '{' || next == '(' || next == '$' && len(b) > 2 && isAlpha(b[2])
	case '{':
		return next == '{' || next == '%' || b[len(b)-1] == '}' && len(b) <= maxName
	case '<':
		return isAlpha(next) || next == '%' || b[len(b)-1] == '>'
	case '%':
		if b[len(b)-1] == '%' && word.run(b, 1) == len(b)-1 {
			return true
		}
		return len(b) <= 5 && isAlpha(b[len(b)-1]) || next == '(' || next == '{'
	case '#', '@':
		return next == '{'
	case '[':
		return isUpper(next) && b[len(b)-1] == ']' || bytes.HasPrefix(b, []byte("[REDACTED:"))
	case '*':
		return next == '*' && len(b) > 2 && b[2] == '*'
	}
	return standsForValue(strings.ToLower(string(b)))
}

// oneByte tells whether b is one mark again and again: ***, xxxx, ....
func oneByte(b []byte) bool {
	for _, c := range b {
		if c != b[0] {
			return false
		}
	}
	return strings.IndexByte("*xX.-_?#=~", b[0]) >= 0
}

// standsForValue tells whether the lower-case s is a word that stands where a
// value should: the name of nothing, of a type, of what is hidden.
func standsForValue(s string) bool {
	switch s {
	case "null", "nil", "none", "true", "false", "undefined", "empty", "nan", "yes", "no", "on", "off", "n/a", "unset", "unknown", "default",
		"string", "str", "int", "integer", "number", "bool", "boolean", "object", "text", "char", "varchar", "bytes", "byte", "[]byte", "any", "float", "array", "list", "uuid", "date", "file", "env", "stdin",
		"required", "optional", "enabled", "disabled", "missing", "invalid", "valid", "present", "absent", "set", "expired", "ok", "failed", "success",
		"redacted", "masked", "hidden", "filtered", "removed", "censored", "placeholder", "sensitive", "todo", "tbd", "null,", "!!null",
		"public", "static", "private", "const", "var", "let", "async", "await", "return", "self", "this", "new", "not",
		"password", "passwd", "secret", "token", "apikey", "api_key", "api-key", "credentials", "bearer", "basic":
		return true
	}
	for _, head := range []string{"your-", "your_", "your ", "yours", "my_", "my-", "example", "insert-", "insert_", "replace-", "replace_", "process.env", "os.environ", "os.getenv", "env.", "secrets.", "vars.", "var.", "local.", "op://", "vault:", "file:", "arn:aws:", "projects/", "/run/secrets/", "/etc/", "/var/", "/tmp/", "/home/", "./", "../", "~/"} {
		if strings.HasPrefix(s, head) {
			return head != "my_" && head != "my-" || strings.HasSuffix(s, "token") || strings.HasSuffix(s, "key") || strings.HasSuffix(s, "secret") || strings.HasSuffix(s, "password")
		}
	}
	return len(s) < 12 && strings.HasSuffix(s, "...")
}

// plainWord tells whether b has only letters, with dashes or underscores.
func plainWord(b []byte) bool {
	for i, c := range b {
		if !isAlpha(c) && (c != '-' && c != '_' || i == 0) {
			return false
		}
	}
	return true
}

// allDigits tells whether b is a whole number.
func allDigits(b []byte) bool { return len(b) > 0 && digits.run(b, 0) == len(b) }
