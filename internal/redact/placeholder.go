package redact

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// isPlaceholder tells whether b stands for a value without being one.
func isPlaceholder(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	var lower [sureLength]byte
	if isAlpha(b[0]) && b[0]|0x20 != 'x' { // neither a mask nor a version
		return standsForValue(appendLower(lower[:0], b))
	}
	if masked(b) || versions(b) {
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
		return next == '{' || next == '%' || isAlpha(next) && bytes.IndexByte(b, '}') == wordDot.run(b, 1) || b[len(b)-1] == '}' && len(b) <= maxName
	case '<':
		return isAlpha(next) || next == '%' || next == '<' || b[len(b)-1] == '>'
	case '%':
		if b[len(b)-1] == '%' && word.run(b, 1) == len(b)-1 {
			return true
		}
		return len(b) <= 5 && isAlpha(b[len(b)-1]) || next == '(' || next == '{'
	case '#':
		return next == '{' || anyHex.run(b, 1) == len(b) && (len(b) == 4 || len(b) == 7 || len(b) == 9) // a colour
	case '@':
		return next == '{'
	case '[':
		return isUpper(next) && b[len(b)-1] == ']' || bytes.HasPrefix(b, []byte("[REDACTED:"))
	case '*':
		return next == '*' && len(b) > 2 && b[2] == '*'
	}
	return standsForValue(appendLower(lower[:0], b))
}

// appendLower appends b in lower case.
func appendLower(dst, b []byte) []byte {
	for _, c := range b {
		if isUpper(c) {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// masked tells whether b shows that something is hidden: one mark again and
// again, in groups or not.
func masked(b []byte) bool {
	first, size := utf8.DecodeRune(b)
	if strings.ContainsRune("•●∗＊█▪·…○◦⬤×✱∙⋆■□*", first) {
		return len(b)%size == 0 && bytes.Count(b, b[:size]) == len(b)/size
	}
	same := byte(0)
	for _, c := range b {
		switch {
		case c == '-' || c == '_' || c == '.' || c == '?' || c == '#' || c == '=' || c == '~':
		case c != '*' && c != 'x' && c != 'X' || same != 0 && same != c:
			return false
		default:
			same = c
		}
	}
	return same != 0 || bytes.Count(b, b[:1]) == len(b)
}

// version tells whether b is a version of three numbers, with or without what a
// lock file puts behind one.
func version(b []byte) bool {
	i := 0
	for part := range 3 {
		end := digits.run(b, i)
		if end == i || end > i+4 || part < 2 && (end == len(b) || b[end] != '.') {
			return false
		}
		i = end + 1
	}
	return i > len(b) || b[i-1] == '(' || b[i-1] == '-' && isAlpha(b[min(i, len(b)-1)]) && plainWord(b[i:word.run(b, i)])
}

// versions tells whether b is a range of versions, as the manifest of a package
// has it behind the package's name.
func versions(b []byte) bool {
	if version(b) {
		return true
	}
	i := 0
	for i < len(b) && strings.IndexByte("^~<>=v ", b[i]) >= 0 {
		i++
	}
	if i == 0 || i == len(b) || !isDigit(b[i]) || b[0] == 'v' || b[0] == ' ' {
		return false
	}
	for parts := bytes.Fields(b[i:]); len(parts) > 0; parts = parts[1:] {
		p := bytes.TrimLeft(parts[0], "^~<>=|")
		if len(p) > 0 && (len(p) > 24 || !isDigit(p[0]) && !masked(p) || !bytes.Contains(p, []byte(".")) && !allDigits(p)) {
			return false
		}
	}
	return true
}

// standsForValue tells whether the lower-case s is a word that stands where a
// value should: the name of nothing, of a type, of what is hidden.
func standsForValue(s []byte) bool {
	if wordForValue(s) || refers(s) {
		return true
	}
	if s[0] == 'm' && hasAnyPrefix(s, "my_", "my-") {
		for _, tail := range []string{"token", "key", "secret", "password"} {
			if bytes.HasSuffix(s, []byte(tail)) {
				return true
			}
		}
	}
	return s[len(s)-1] == '.' && len(s) < 12 && bytes.HasSuffix(s, []byte("..."))
}

// wordForValue tells whether s is one of the words themselves. They are short and
// end in a letter or a comma.
func wordForValue(s []byte) bool {
	const longest = len("credentials")
	if last := s[len(s)-1]; len(s) > longest || !isLower(last) && last != ',' {
		return false
	}
	switch string(s) {
	case "null", "nil", "none", "true", "false", "undefined", "empty", "nan", "yes", "no", "on", "off", "n/a", "unset", "unknown", "default",
		"string", "str", "int", "integer", "number", "bool", "boolean", "object", "text", "char", "varchar", "bytes", "byte", "[]byte", "any", "float", "array", "list", "uuid", "date", "file", "env", "stdin",
		"required", "optional", "enabled", "disabled", "missing", "invalid", "valid", "present", "absent", "set", "expired", "ok", "failed", "success",
		"redacted", "masked", "hidden", "filtered", "removed", "censored", "placeholder", "sensitive", "todo", "tbd", "null,", "!!null",
		"include", "same-origin", "same-site", "omit", // of fetch
		"public", "static", "private", "const", "var", "let", "async", "await", "return", "self", "this", "new", "not",
		"password", "passwd", "secret", "token", "apikey", "api_key", "api-key", "credentials", "bearer", "basic":
		return true
	}
	return false
}

// refers tells whether the lower-case s begins as a reference to a value
// elsewhere does, or a request to put one in.
func refers(s []byte) bool {
	switch s[0] {
	case 'y':
		return hasAnyPrefix(s, "your-", "your_", "your ", "yours")
	case 'e':
		return hasAnyPrefix(s, "example", "env.")
	case 'i':
		return hasAnyPrefix(s, "insert-", "insert_")
	case 'r':
		return hasAnyPrefix(s, "replace-", "replace_")
	case 'p':
		return hasAnyPrefix(s, "process.env", "projects/")
	case 'o':
		return hasAnyPrefix(s, "os.environ", "os.getenv", "op://")
	case 's':
		return hasAnyPrefix(s, "secrets.")
	case 'v':
		return hasAnyPrefix(s, "vars.", "var.", "vault:")
	case 'l':
		return hasAnyPrefix(s, "local.")
	case 'f':
		return hasAnyPrefix(s, "file:")
	case 'w':
		return hasAnyPrefix(s, "workspace:")
	case 'n':
		return hasAnyPrefix(s, "npm:")
	case 'c':
		return hasAnyPrefix(s, "catalog:")
	case 'h':
		return hasAnyPrefix(s, "helper=")
	case 'a':
		return hasAnyPrefix(s, "arn:aws:")
	case '/':
		return hasAnyPrefix(s, "/run/secrets/", "/etc/", "/var/", "/tmp/", "/home/")
	case '.':
		return hasAnyPrefix(s, "./", "../")
	case '~':
		return hasAnyPrefix(s, "~/")
	}
	return false
}

func hasAnyPrefix(s []byte, heads ...string) bool {
	for _, head := range heads {
		if len(s) >= len(head) && s[1] == head[1] && string(s[:len(head)]) == head { // most differ in the second byte
			return true
		}
	}
	return false
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
