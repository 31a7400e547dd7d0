package format

import (
	"errors"
	"fmt"
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

// within puts key before the field that err names.
func within(key string, err error) error {
	if fe, ok := errors.AsType[*FieldError](err); ok {
		return &FieldError{Field: join(key, fe.Field), Problem: fe.Problem}
	}
	return err
}

// join returns a path of keys.
func join(path, key string) string {
	switch {
	case path == "":
		return key
	case key == "":
		return path
	}
	return path + "." + key
}
