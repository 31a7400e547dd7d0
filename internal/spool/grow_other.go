//go:build !linux

package spool

import "io"

// grower returns nil: here pipes have the size they have.
func grower(io.Reader) func() { return nil }
