package format

import (
	"fmt"
	"io"
	"time"
)

// idAlphabet is Crockford's base32 in lower case, https://www.crockford.com/base32.html.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// IDLen is the length of an ID in characters.
const IDLen = 26

// MinPrefix is the least number of characters that a prefix of an ID must have
// to be looked up.
const MinPrefix = 6

// ID names one capture: 48 bits of milliseconds since 1970 and 80 random bits,
// written as 26 characters of lower-case Crockford base32, so that IDs sort by
// time. The empty ID is none.
type ID string

// NewID returns the ID for a capture begun at t. It reads ten bytes from random
// (crypto/rand.Reader outside tests).
func NewID(t time.Time, random io.Reader) (ID, error) {
	var b [16]byte
	ms := uint64(max(t.UnixMilli(), 0))
	for i := range 6 {
		b[i] = byte(ms >> (8 * (5 - i)))
	}
	if _, err := io.ReadFull(random, b[6:]); err != nil {
		return "", fmt.Errorf("read random bytes for an id: %w", err)
	}
	var out [IDLen]byte
	// 128 bits in 26 characters of 5 bits: two leading zero bits, then the bits
	// in order, the highest first.
	for i := range IDLen {
		var v byte
		for k := range 5 {
			if bit := i*5 + k - 2; bit >= 0 && b[bit/8]>>(7-bit%8)&1 == 1 {
				v |= 1 << (4 - k)
			}
		}
		out[i] = idAlphabet[v]
	}
	return ID(out[:]), nil
}

// ParseID returns s as an ID, or an error that says what is wrong with it.
func ParseID(s string) (ID, error) {
	if len(s) != IDLen {
		return "", fmt.Errorf("id %q: want %d characters, got %d", clipString(s), IDLen, len(s))
	}
	if err := checkIDChars(s); err != nil {
		return "", fmt.Errorf("id %q: %w", s, err)
	}
	return ID(s), nil
}

// checkIDChars checks every character of an ID or of a prefix of one.
func checkIDChars(s string) error {
	if s != "" && s[0] > '7' {
		return fmt.Errorf("the first character must be 0 to 7")
	}
	for i := range len(s) {
		if !isIDChar(s[i]) {
			return fmt.Errorf("character %q is not of lower-case base32 (0-9, a-z without i, l, o, u)", s[i])
		}
	}
	return nil
}

func isIDChar(c byte) bool {
	switch c {
	case 'i', 'l', 'o', 'u':
		return false
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}

// Time returns the moment in the ID, to the millisecond.
func (id ID) Time() time.Time {
	var ms uint64
	for i := range min(len(id), 10) {
		v := 0
		for v < len(idAlphabet) && idAlphabet[v] != id[i] {
			v++
		}
		ms = ms<<5 | uint64(v&31)
	}
	return time.UnixMilli(int64(ms)).UTC() // ten characters hold 2 zero and 48 time bits
}

func clipString(s string) string {
	const most = 64
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
