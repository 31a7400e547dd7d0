package redact

import "errors"

// BecomeDrainer is refused: there is no signal that asks for it.
func BecomeDrainer(string, string) error { return errors.ErrUnsupported }
