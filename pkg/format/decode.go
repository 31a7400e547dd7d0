package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a JSON file.
const (
	MaxFile  = 1 << 20 // bytes
	maxDepth = 32
)

// FieldError is a broken rule of the contract, with the field that breaks it.
type FieldError struct {
	Field   string // a path of keys: streams.stdout.raw.observed
	Problem string
}

// Error returns field: problem.
func (e *FieldError) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return e.Field + ": " + e.Problem
}

func fieldErrorf(field, problem string, args ...any) error {
	return &FieldError{Field: field, Problem: fmt.Sprintf(problem, args...)}
}

// decode reads one JSON object into dst, a pointer to a struct whose fields all
// have json tags. Keys are matched exactly, unlike encoding/json; every key must
// be there, none twice, unknown ones are ignored, and only space may follow.
func decode(data []byte, dst any) error {
	if len(data) > MaxFile {
		return fieldErrorf("", "file is larger than %d bytes", MaxFile)
	}
	if !utf8.Valid(data) {
		return fieldErrorf("", "file is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := checkKeys(dec, "", 0); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fieldErrorf("", "something follows the JSON object")
	}
	return bind(data, reflect.ValueOf(dst).Elem(), "")
}

// checkKeys reads one value from dec and refuses duplicate keys and deep nests.
func checkKeys(dec *json.Decoder, path string, depth int) error {
	tok, err := dec.Token()
	if err != nil {
		return fieldErrorf(path, "not JSON: %v", err)
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return nil
	}
	if depth == maxDepth {
		return fieldErrorf(path, "nested deeper than %d", maxDepth)
	}
	seen := map[string]bool{}
	for i := 0; dec.More(); i++ {
		at := join(path, strconv.Itoa(i))
		if delim == '{' {
			key, err := dec.Token()
			if err != nil {
				return fieldErrorf(path, "not JSON: %v", err)
			}
			name, _ := key.(string) // the decoder lets nothing else be a key
			at = join(path, name)
			if seen[name] {
				return fieldErrorf(at, "the key stands twice")
			}
			seen[name] = true
		}
		if err := checkKeys(dec, at, depth+1); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return fieldErrorf(path, "not JSON: %v", err)
	}
	return nil
}

// bind sets v from data, with the path for messages.
func bind(data []byte, v reflect.Value, path string) error {
	if u, ok := reflect.TypeAssert[interface{ bind([]byte, string) error }](v.Addr()); ok {
		return u.bind(data, path)
	}
	if _, ok := reflect.TypeAssert[json.Unmarshaler](v.Addr()); ok || v.Kind() != reflect.Struct && v.Kind() != reflect.Map && v.Kind() != reflect.Slice {
		return bindLeaf(data, v, path)
	}
	if v.Kind() == reflect.Slice {
		return bindSlice(data, v, path)
	}
	var obj map[string]json.RawMessage
	if err := json.Unmarshal(data, &obj); err != nil || obj == nil {
		return fieldErrorf(path, "want an object; got %s", clip(data))
	}
	if v.Kind() == reflect.Map {
		return bindMap(obj, v, path)
	}
	for i := range v.NumField() {
		key := v.Type().Field(i).Tag.Get("json")
		raw, ok := obj[key]
		if !ok {
			return fieldErrorf(join(path, key), "the key is missing")
		}
		if err := bind(raw, v.Field(i), join(path, key)); err != nil {
			return err
		}
	}
	return nil
}

func bindLeaf(data []byte, v reflect.Value, path string) error {
	_, custom := reflect.TypeAssert[json.Unmarshaler](v.Addr())
	if !custom && string(bytes.TrimSpace(data)) == "null" {
		return fieldErrorf(path, "must not be null")
	}
	err := json.Unmarshal(data, v.Addr().Interface())
	if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fieldErrorf(path, "want a %s; got a %s", kindName(v), typeErr.Value)
	}
	if err != nil {
		return fieldErrorf(path, "%v", err)
	}
	return nil
}

func kindName(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int64:
		return "whole number"
	default:
		return "string"
	}
}

func bindSlice(data []byte, v reflect.Value, path string) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil || list == nil {
		return fieldErrorf(path, "want a list; got %s", clip(data))
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	for i, raw := range list {
		if err := bind(raw, v.Index(i), join(path, strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func bindMap(obj map[string]json.RawMessage, v reflect.Value, path string) error {
	v.Set(reflect.MakeMapWithSize(v.Type(), len(obj)))
	for key, raw := range obj {
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := bind(raw, elem, join(path, key)); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(key), elem)
	}
	return nil
}

// bind reads the value strictly, or null.
func (o *Opt[T]) bind(data []byte, path string) error {
	if string(bytes.TrimSpace(data)) == "null" {
		*o = Opt[T]{}
		return nil
	}
	o.ok = true
	return bind(data, reflect.ValueOf(&o.v).Elem(), path)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// marshal writes v without escaping <, > and &, and without a final newline.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// checked is a file of the contract: something with rules.
type checked interface{ Check() error }

// encode checks v and writes it canonically, with a final newline.
func encode(what string, v checked) ([]byte, error) {
	if err := v.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	b, err := marshal(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return append(b, '\n'), nil
}

func parse[T any, P interface {
	*T
	checked
}](what string, data []byte) (P, error) {
	v := P(new(T))
	if err := decode(data, v); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if err := v.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return v, nil
}

// EncodeReceipt writes r, or returns a [FieldError] for the rule that it breaks.
func EncodeReceipt(r *Receipt) ([]byte, error) { return encode("receipt", r) }

// ParseReceipt reads a receipt strictly; an error wraps a [FieldError].
func ParseReceipt(data []byte) (*Receipt, error) { return parse[Receipt]("receipt", data) }

// EncodeBegin writes begin.json.
func EncodeBegin(b *Begin) ([]byte, error) { return encode("begin.json", b) }

// ParseBegin reads begin.json strictly.
func ParseBegin(data []byte) (*Begin, error) { return parse[Begin]("begin.json", data) }

// EncodeProcess writes process.json.
func EncodeProcess(p *ProcessFacts) ([]byte, error) { return encode("process.json", p) }

// ParseProcess reads process.json strictly.
func ParseProcess(data []byte) (*ProcessFacts, error) {
	return parse[ProcessFacts]("process.json", data)
}

// EncodeRedact writes a redactor's report.
func EncodeRedact(r *RedactReport) ([]byte, error) { return encode("redact report", r) }

// ParseRedact reads a redactor's report strictly.
func ParseRedact(data []byte) (*RedactReport, error) {
	return parse[RedactReport]("redact report", data)
}

// EncodeTee writes a tee's report.
func EncodeTee(r *TeeReport) ([]byte, error) { return encode("tee report", r) }

// ParseTee reads a tee's report strictly.
func ParseTee(data []byte) (*TeeReport, error) { return parse[TeeReport]("tee report", data) }

// EncodePreview writes a preview's report.
func EncodePreview(r *PreviewReport) ([]byte, error) { return encode("preview report", r) }

// ParsePreview reads a preview's report strictly.
func ParsePreview(data []byte) (*PreviewReport, error) {
	return parse[PreviewReport]("preview report", data)
}

// schemaOf checks that a file says what it is.
func schemaOf(got, want string) error {
	if got != want {
		return fieldErrorf("schema", "want %q; got %q", want, clipString(strings.ToValidUTF8(got, "?")))
	}
	return nil
}
