package format

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Opt is a value that may be unknown or absent. The zero value is neither set
// nor known, and null in JSON.
type Opt[T any] struct {
	v  T
	ok bool
}

// Some returns a value that is there.
func Some[T any](v T) Opt[T] { return Opt[T]{v: v, ok: true} }

// None returns the value that is not there.
func None[T any]() Opt[T] { return Opt[T]{} }

// SomeText returns s, or None if s is empty.
func SomeText(s string) Opt[string] {
	if s == "" {
		return Opt[string]{}
	}
	return Some(s)
}

// Get returns the value, and whether it is there.
func (o Opt[T]) Get() (T, bool) { return o.v, o.ok }

// IsSet tells whether the value is there.
func (o Opt[T]) IsSet() bool { return o.ok }

// Or returns the value, or d if it is not there. It is for display; it must not
// be used to turn an unknown count or state into a known one.
func (o Opt[T]) Or(d T) T {
	if o.ok {
		return o.v
	}
	return d
}

// MarshalJSON writes the value, or null.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.ok {
		return []byte("null"), nil
	}
	return marshal(o.v)
}

// UnmarshalJSON reads the value, or null.
func (o *Opt[T]) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*o = Opt[T]{}
		return nil
	}
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("want %T or null; got %s", v, clip(b))
	}
	*o = Some(v)
	return nil
}
