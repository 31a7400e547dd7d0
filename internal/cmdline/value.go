package cmdline

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Switch is an option without a value: given, *p is true.
func Switch(p *bool, name, help string) Option {
	return Option{Name: name, Help: help, Value: &scalar[bool]{p: p, parse: parseBool}}
}

// String is an option whose value is taken as it is.
func String(p *string, name, arg, help string) Option {
	return Parsed(p, func(s string) (string, error) { return s, nil }, name, arg, help)
}

// Strings collects values as they are, behind those that *p holds.
func Strings(p *[]string, name, arg, help string) Option {
	return ParsedList(p, func(s string) (string, error) { return s, nil }, name, arg, help)
}

// Int is a whole number in base 10 with low ≤ value ≤ high.
func Int(p *int, low, high int, name, arg, help string) Option {
	return Parsed(p, func(s string) (int, error) { return parseInt(s, low, high) }, name, arg, help)
}

// Duration is a non-negative duration in Go's form: 300ms, 1m30s.
func Duration(p *time.Duration, name, arg, help string) Option {
	return Parsed(p, ParseDuration, name, arg, help)
}

// Choice is one of a closed list of words, which the help shows as its value.
func Choice[T ~string](p *T, words []T, name, help string) Option {
	arg := make([]string, len(words))
	for i, w := range words {
		arg[i] = string(w)
	}
	parse := func(s string) (T, error) {
		if !slices.Contains(words, T(s)) {
			return "", fmt.Errorf("%s is not one of %s", quote(s), strings.Join(arg, ", "))
		}
		return T(s), nil
	}
	return Parsed(p, parse, name, strings.Join(arg, "|"), help)
}

// Parsed is an option of any type that a function reads from text. Where T has
// a String method, it has to return what parse takes. The zero T is shown as
// no default.
func Parsed[T comparable](p *T, parse func(string) (T, error), name, arg, help string) Option {
	return Option{Name: name, Arg: arg, Help: help, Value: &scalar[T]{p: p, parse: parse}}
}

// ParsedList collects values of any type that a function reads from text,
// behind those that *p holds.
func ParsedList[T any](p *[]T, parse func(string) (T, error), name, arg, help string) Option {
	return Option{Name: name, Arg: arg, Help: help, Repeatable: true, Value: &list[T]{p: p, parse: parse}}
}

// scalar is a Value of which the last text counts.
type scalar[T comparable] struct {
	p     *T
	parse func(string) (T, error)
}

func (v *scalar[T]) Set(text string) error {
	t, err := v.parse(text)
	if err == nil {
		*v.p = t
	}
	return err
}

func (v *scalar[T]) String() string {
	var zero T
	if *v.p == zero {
		return ""
	}
	return fmt.Sprint(*v.p)
}

// list is a Value that collects.
type list[T any] struct {
	p     *[]T
	parse func(string) (T, error)
}

func (v *list[T]) Set(text string) error {
	t, err := v.parse(text)
	if err == nil {
		*v.p = append(*v.p, t)
	}
	return err
}

func (v *list[T]) String() string {
	texts := make([]string, len(*v.p))
	for i, t := range *v.p {
		texts[i] = fmt.Sprint(t)
	}
	return strings.Join(texts, " ")
}

// A Range is two bounds "A:B". What they count and whether High belongs to it
// is the option's affair.
type Range struct {
	Low  int64 // ≥ 0; 0 when it was left out
	High int64 // ≥ Low; math.MaxInt64 when it was left out
}

// ParseRange reads "A:B", "A:" or ":B" in base 10.
func ParseRange(text string) (Range, error) {
	low, high, ok := strings.Cut(text, ":")
	if !ok || text == ":" {
		return Range{}, fmt.Errorf("%s is no range; write A:B, A: or :B", quote(text))
	}
	r := Range{High: math.MaxInt64}
	var err error
	if low != "" {
		if r.Low, err = parseCount(low); err != nil {
			return Range{}, err
		}
	}
	if high != "" {
		if r.High, err = parseCount(high); err != nil {
			return Range{}, err
		}
	}
	if r.High < r.Low {
		return Range{}, fmt.Errorf("range %s ends before it begins", quote(text))
	}
	return r, nil
}

// String returns the range in the form that [ParseRange] reads.
func (r Range) String() string {
	if r.High == math.MaxInt64 {
		return strconv.FormatInt(r.Low, 10) + ":"
	}
	return strconv.FormatInt(r.Low, 10) + ":" + strconv.FormatInt(r.High, 10)
}

// ParseDuration reads a non-negative duration in Go's form; a bare 0 is one.
func ParseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s is no duration; write it like 500ms, 2s or 1h30m", quote(text))
	case d < 0:
		return 0, fmt.Errorf("duration %s is negative", quote(text))
	}
	return d, nil
}

func parseInt(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, fmt.Errorf("%s is no whole number", quote(text))
	case err != nil || n < low || n > high:
		return 0, fmt.Errorf("%s is not between %d and %d", quote(text), low, high)
	}
	return n, nil
}

// parseCount reads digits alone: a sign is no count.
func parseCount(text string) (int64, error) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%s is no count", quote(text))
	}
	return int64(n), nil
}

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "1", "true", "yes", "on":
		return true, nil
	case "0", "false", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%s is neither true nor false", quote(text))
}
