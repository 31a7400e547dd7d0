package format

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// Count is a non-negative number of bytes, lines or spans that may be unknown.
// The zero value is unknown. Unknown is null in JSON, never 0.
type Count struct {
	n     int64 // n ≥ 0; meaningful only if known
	known bool
}

// Known returns the count n. It panics if n is negative: a negative count is a
// fault of the program, never of its input.
func Known(n int64) Count {
	if n < 0 {
		panic("format: negative count " + strconv.FormatInt(n, 10))
	}
	return Count{n: n, known: true}
}

// Unknown returns the count that says nothing.
func Unknown() Count { return Count{} }

// Value returns the number, and whether it is known. The number of an unknown
// count must not be used.
func (c Count) Value() (n int64, known bool) { return c.n, c.known }

// IsKnown tells whether the count has a number.
func (c Count) IsKnown() bool { return c.known }

// Is tells whether the count is known and equals n.
func (c Count) Is(n int64) bool { return c.known && c.n == n }

// Add returns the sum, which is unknown if one of the two is, or if it is more
// than a count can be.
func (c Count) Add(d Count) Count {
	if !c.known || !d.known || c.n > math.MaxInt64-d.n {
		return Count{}
	}
	return Known(c.n + d.n)
}

// Sub returns the difference, which is unknown if one of the two is, or if d is
// larger than c.
func (c Count) Sub(d Count) Count {
	if !c.known || !d.known || d.n > c.n {
		return Count{}
	}
	return Known(c.n - d.n)
}

// String returns the number, or "unknown".
func (c Count) String() string {
	if !c.known {
		return "unknown"
	}
	return strconv.FormatInt(c.n, 10)
}

// MarshalJSON writes the number, or null.
func (c Count) MarshalJSON() ([]byte, error) {
	if !c.known {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, c.n, 10), nil
}

// UnmarshalJSON reads a whole number from 0 to 2⁶³−1, or null.
func (c *Count) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*c = Count{}
		return nil
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("want a whole number of at least 0, or null; got %s", clip(b))
	}
	*c = Known(n)
	return nil
}

// clip shortens what an error message quotes.
func clip(b []byte) string {
	const most = 40
	if len(b) > most {
		return strconv.QuoteToASCII(string(b[:most])) + "…"
	}
	return strconv.QuoteToASCII(string(b))
}
