package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Unlimited is the size without a bound.
const Unlimited Size = math.MaxInt64

// Size is a bound in bytes, from 0 to 2⁶³−2, or [Unlimited].
type Size int64

// ParseSize reads a whole number of bytes with an optional binary suffix K, M
// or G (1024, 1024², 1024³ bytes), or "unlimited".
func ParseSize(s string) (Size, error) {
	if s == "unlimited" {
		return Unlimited, nil
	}
	digits, unit := s, int64(1)
	if s != "" {
		switch s[len(s)-1] {
		case 'K':
			unit = 1 << 10
		case 'M':
			unit = 1 << 20
		case 'G':
			unit = 1 << 30
		}
		if unit > 1 {
			digits = s[:len(s)-1]
		}
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, fmt.Errorf("size %q: want a whole number of bytes, with K, M or G if you like, or \"unlimited\"", clipString(s))
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > (math.MaxInt64-1)/unit {
		return 0, fmt.Errorf("size %q is too large: write \"unlimited\" for no bound", clipString(s))
	}
	return Size(n * unit), nil
}

// String returns the shortest form that [ParseSize] reads back.
func (z Size) String() string {
	n := int64(z)
	switch {
	case z == Unlimited:
		return "unlimited"
	case n != 0 && n%(1<<30) == 0:
		return strconv.FormatInt(n>>30, 10) + "G"
	case n != 0 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + "M"
	case n != 0 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + "K"
	}
	return strconv.FormatInt(n, 10)
}

// UnmarshalText reads what [ParseSize] reads.
func (z *Size) UnmarshalText(b []byte) error {
	n, err := ParseSize(string(b))
	if err != nil {
		return err
	}
	*z = n
	return nil
}

// MarshalText writes what [Size.String] returns.
func (z Size) MarshalText() ([]byte, error) { return []byte(z.String()), nil }

// MarshalJSON writes the number of bytes; no bound is null.
func (z Size) MarshalJSON() ([]byte, error) {
	if z == Unlimited {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(z), 10), nil
}

// UnmarshalJSON reads a number of bytes; null is no bound.
func (z *Size) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*z = Unlimited
		return nil
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil || n < 0 || Size(n) == Unlimited {
		return fmt.Errorf("want a whole number of bytes, or null for no bound; got %s", clip(b))
	}
	*z = Size(n)
	return nil
}
