package fsafe

import (
	"crypto/rand"
	"strings"
)

const (
	maxName    = 255 // bytes in one component, on every filesystem we know
	tempPrefix = ".tmp-"
	tempRandom = 16 // base32 characters, 80 bits
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

// TempName returns a fresh name for something that is not published yet.
func TempName() string {
	return tempPrefix + strings.ToLower(rand.Text()[:tempRandom])
}

// IsTemp reports whether name is of TempName's making: what a process that
// died between creating and publishing has left.
func IsTemp(name string) bool {
	random, ok := strings.CutPrefix(name, tempPrefix)
	if !ok || len(random) != tempRandom {
		return false
	}
	for _, c := range []byte(random) {
		if (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}
