package capture

import (
	"errors"
	"fmt"
	"strings"

	"spool/pkg/format"
)

// What a caller may decide by. Each stands in the chain of a longer error.
var (
	// ErrNotFound says that no capture answers to a reference.
	ErrNotFound = errors.New("no such capture")
	// ErrPublished says that the capture is final: its receipt is there, and
	// nothing may be added.
	ErrPublished = errors.New("the capture is final: its receipt is published")
	// ErrDelivered says that someone has claimed the capture's completion.
	ErrDelivered = errors.New("delivered before")
	// ErrQuotaCapture says that the capture's own allowance is used up.
	ErrQuotaCapture = errors.New("the capture's allowance is used up")
	// ErrQuotaNamespace says that the namespace's allowance is used up.
	ErrQuotaNamespace error = quotaError("the namespace's allowance is used up")
	// ErrLockStalled says that another process did not let go of a lock
	// within the bound.
	ErrLockStalled = errors.New("the lock is held by a process that does not let go")
	// ErrCorrupt says that a file of ours does not hold what we wrote.
	ErrCorrupt = errors.New("corrupted")
)

// MakeRoom is the way out of a namespace whose allowance is used up.
const MakeRoom = "spool-gc --prune makes room in the namespace"

// A quotaError is a used-up allowance that a user can do something about.
type quotaError string

func (e quotaError) Error() string { return string(e) }

// Hint returns the way out.
func (e quotaError) Hint() string { return MakeRoom }

// AmbiguousError says that a prefix names several captures.
type AmbiguousError struct {
	Prefix     string
	Candidates []format.ID // ascending, at least two
}

// Error names the prefix and the first few candidates.
func (e *AmbiguousError) Error() string {
	const most = 4
	names := make([]string, 0, most+1)
	for i, id := range e.Candidates {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, string(id))
	}
	return fmt.Sprintf("reference %q is ambiguous: %d captures begin so: %s", e.Prefix, len(e.Candidates), strings.Join(names, ", "))
}
