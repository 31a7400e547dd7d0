//go:build unix && !linux

package e2e

import "errors"

// swapper is the command swap-name, which only the tests for Linux call.
func swapper() { helperFail(errors.New("needs Linux")) }
