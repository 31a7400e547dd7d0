package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// decode reads one JSON object into dst, a pointer to a struct.
func decode(data []byte, dst any) error {
	n, err := readTree(data)
	if err != nil {
		return err
	}
	return bind(n, reflect.ValueOf(dst).Elem())
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
