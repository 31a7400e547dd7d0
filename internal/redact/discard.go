package redact

import (
	"errors"
	"io"
)

// Discard reads in to its end and throws it away.
func Discard(in io.Reader) error {
	buf := make([]byte, 32<<10)
	for {
		if _, err := in.Read(buf); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
