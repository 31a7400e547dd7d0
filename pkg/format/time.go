package format

import (
	"fmt"
	"time"
)

// timeLayout is RFC 3339 in UTC with milliseconds.
const timeLayout = "2006-01-02T15:04:05.000Z"

// Time is a moment in UTC, to the millisecond. The zero value is unknown, and
// null in JSON.
type Time struct{ t time.Time }

// At returns t, cut to the millisecond.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// IsKnown tells whether there is a moment.
func (t Time) IsKnown() bool { return !t.t.IsZero() }

// Time returns the moment, or the zero time.
func (t Time) Time() time.Time { return t.t }

// String returns RFC 3339 with milliseconds, or "unknown".
func (t Time) String() string {
	if t.t.IsZero() {
		return "unknown"
	}
	return t.t.Format(timeLayout)
}

// MarshalJSON writes RFC 3339 in UTC with milliseconds, or null.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.t.IsZero() {
		return []byte("null"), nil
	}
	return []byte(t.t.Format(`"` + timeLayout + `"`)), nil
}

// UnmarshalJSON reads RFC 3339 in UTC with milliseconds, or null.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = Time{}
		return nil
	}
	u, err := time.Parse(`"`+timeLayout+`"`, string(b))
	if err != nil || u.IsZero() {
		return fmt.Errorf("want a time like %q, or null; got %s", timeLayout, clip(b))
	}
	*t = Time{u}
	return nil
}
