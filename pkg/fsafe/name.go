package fsafe

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	maxName    = 255 // bytes in one component, on every filesystem we know
	tempPrefix = ".tmp-"
	tempRandom = 16 // hexadecimal digits
)

// checkName refuses all but the name of one component. Newlines and escapes
// are the business of whoever prints them.
func checkName(name string) error {
	switch {
	case name == "":
		return refuse(KindBadName, "an empty name")
	case name == "." || name == "..":
		return refuse(KindBadName, "not the name of something in a directory")
	case strings.ContainsAny(name, notInNames):
		return refuse(KindBadName, "not a single name")
	case len(name) > maxName:
		return refuse(KindNameTooLong, "name of %d bytes, over %d", len(name), maxName)
	}
	return nil
}

// TempName returns a fresh name for something that is not published yet. It
// need not be hard to guess: it is created exclusively, in a private directory.
func TempName() string {
	return fmt.Sprintf("%s%0*x", tempPrefix, tempRandom, rand.Uint64()) //nolint:gosec // as said
}

// IsTemp reports whether name is of TempName's making: what a process that
// died between creating and publishing has left.
func IsTemp(name string) bool {
	random, ok := strings.CutPrefix(name, tempPrefix)
	if !ok || len(random) != tempRandom {
		return false
	}
	for _, c := range []byte(random) {
		if (c < 'a' || c > 'f') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
