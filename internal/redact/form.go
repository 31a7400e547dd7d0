package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// writtenForms returns the ways in which programs write the value: as it is,
// encoded, escaped, quoted; several lines also one by one and joined.
func writtenForms(value []byte) [][]byte {
	if len(value) < MinLiteral || len(bytes.TrimSpace(value)) == 0 {
		return nil // it would mask what has nothing to do with it
	}
	values := [][]byte{value}
	if trimmed := bytes.TrimRight(value, "\r\n"); len(trimmed) < len(value) {
		values = [][]byte{trimmed} // what ends a file is no part of the secret
	}
	values = append(values, lineForms(values[0])...)
	values = append(values, jsonValues(values[0])...)
	var forms [][]byte
	for _, v := range values {
		if len(v) < MinLiteral {
			continue
		}
		forms = append(forms, v)
		if alnum.run(v, 0) < len(v) {
			forms = append(forms, escapedForms(string(v))...)
		}
		forms = append(forms, base64Forms(v)...)
		h := hex.EncodeToString(v)
		forms = append(forms, []byte(h), []byte(strings.ToUpper(h)))
	}
	return forms
}

// lineForms returns the lines of a value that has several, and the ways to join
// them: with CRLF, LF, and one space.
func lineForms(value []byte) [][]byte {
	lines := strings.Split(strings.ReplaceAll(string(value), "\r\n", "\n"), "\n")
	if len(lines) < 2 {
		return nil
	}
	var forms [][]byte
	for _, sep := range []string{"\n", "\r\n", " "} {
		forms = append(forms, []byte(strings.Join(lines, sep)))
	}
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "-----") || line == "" || masked([]byte(line)) { // the armour of a key is public
			continue
		}
		forms = append(forms, []byte(line))
	}
	return forms
}

// jsonValues returns the values inside a value that is a JSON object or array.
func jsonValues(value []byte) [][]byte {
	if i := bytes.IndexAny(value, "{["); i < 0 || len(bytes.TrimSpace(value[:i])) > 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil
	}
	var found [][]byte
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			found = append(found, []byte(v))
			found = append(found, lineForms([]byte(v))...)
		case json.Number:
			found = append(found, []byte(v.String()))
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	slices.SortFunc(found, bytes.Compare)
	return found
}

// base64Forms returns what of the two alphabets of RFC 4648 the value alone
// decides, for each of the three places that it can have in a group.
func base64Forms(value []byte) [][]byte {
	var forms [][]byte
	for shift := range 3 {
		padded := append(make([]byte, shift), value...)
		first := (shift*8 + 5) / 6  // characters before hold bits of what precedes
		last := len(padded) * 8 / 6 // characters from there on, of what follows
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if text := enc.EncodeToString(padded); last-first >= MinLiteral {
				forms = append(forms, []byte(text[first:last]))
			}
		}
	}
	return forms
}

// escapedForms returns the value as URLs, JSON and shells write it.
func escapedForms(value string) [][]byte {
	var forms [][]byte
	add := func(s string) {
		if s != value {
			forms = append(forms, []byte(s))
		}
	}
	for _, bare := range []string{
		"-._~",                 // RFC 3986, 2.3
		"-._~/",                // a path
		"-_.!~*'()",            // encodeURIComponent of ECMA-262
		"-_.!~*'();/?:@&=+$,#", // encodeURI
		"!$&'()*+,;=-._~",      // userinfo of RFC 3986
		"*-._",                 // application/x-www-form-urlencoded
	} {
		s := percentEncode(value, bare)
		add(s)
		add(percentEncode(s, bare)) // a URL inside another
		add(strings.ReplaceAll(s, "%20", "+"))
	}
	add(url.PathEscape(value))
	add(url.QueryEscape(value))
	for _, s := range jsonForms(value) {
		add(s)
		for _, nested := range jsonForms(s) {
			add(nested)
		}
	}
	for _, s := range shellForms(value) {
		add(s)
	}
	return forms
}

// percentEncode escapes all bytes but letters, digits and the bare ones.
func percentEncode(s, bare string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; isAlnum(c) || strings.IndexByte(bare, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

// jsonForms returns the inside of the value as a JSON string: with as few
// escapes as can be, in ASCII alone, safe for HTML, and with "\/".
func jsonForms(s string) []string {
	var forms []string
	for _, style := range []struct {
		ascii bool
		more  string // escaped as \uXXXX
		slash bool
	}{
		{},
		{ascii: true},
		{more: "<>&"},
		{more: "<>&'"},
		{slash: true},
		{ascii: true, slash: true},
		{ascii: true, more: "<>&"},
		{ascii: true, more: "<>&'"},
		{ascii: true, more: "<>&'\"+`"},
	} {
		forms = append(forms, jsonEscape(s, style.ascii, style.slash, style.more))
	}
	return forms
}

func jsonEscape(s string, ascii, slash bool, more string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x80 && strings.ContainsRune(more, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == '"' || r == '\\' || r == '/' && slash:
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || ascii && r > 0x7e:
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shellForms returns the value as shells and their traces quote it: inside
// single quotes, inside double quotes, with backslashes, and as $'…'.
func shellForms(s string) []string {
	escape := func(set string, and func(r rune) string) string {
		var b strings.Builder
		for _, r := range s {
			switch {
			case and != nil && and(r) != "":
				b.WriteString(and(r))
			case strings.ContainsRune(set, r):
				b.WriteByte('\\')
				b.WriteRune(r)
			default:
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	control := func(r rune) string {
		switch q := strconv.Quote(string(r)); {
		case r < 0x20 || r == 0x7f:
			return q[1 : len(q)-1]
		}
		return ""
	}
	return []string{
		strings.ReplaceAll(s, "'", `'\''`),
		strings.ReplaceAll(s, "'", `'"'"'`),
		escape("\"\\$`", nil),
		escape("\"\\$`!", nil),
		escape(" \t!\"#$&'()*,;<>?[\\]^`{|}~", nil), // printf %q
		escape(" \t!\"#$&'()*,;<>?[\\]^`{|}~:=@%+", nil),
		escape(`'\`, control),
	}
}
