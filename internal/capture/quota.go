package capture

import (
	"context"
	"fmt"
	"math"

	"spool/pkg/format"
)

// Bounds of a grant in bytes.
const (
	maxWant    = 1 << 20 // asked for at once; more is granted in parts
	maxSurplus = 1 << 20 // granted ahead
	// maxOutstanding is at least what a writer can hold granted and unwritten.
	maxOutstanding = 2 * (maxWant + maxSurplus)
)

// Quota is a writer's share of the allowance. A process has one for each stream
// that it writes. It is not safe for use by several goroutines at once.
type Quota struct {
	c       *Capture
	limits  format.Limits
	granted int64 // in all, less what was given back
	open    bool  // counted among the writers of the capture's record
}

// Quota returns a share of the allowance, empty at first. The writer holds the
// capture's liveness lock for as long as it has something of it.
func (c *Capture) Quota(l format.Limits) *Quota { return &Quota{c: c, limits: l} }

// Granted returns how many bytes may be written in all.
func (q *Quota) Granted() int64 { return q.granted }

// Reserve asks for want more bytes, at least 1, and returns how many were
// granted: at least 1, fewer than want where the allowance ends, more where
// there is plenty. Nobody else is granted them until they are given back. The
// error is [ErrQuotaCapture] or [ErrQuotaNamespace] where not a byte is left,
// and [ErrLockStalled] where another process keeps the namespace's lock beyond
// the bound of [Namespace.Lock].
func (q *Quota) Reserve(ctx context.Context, want int64) (granted int64, err error) {
	if want < 1 {
		panic("capture: reserve less than a byte")
	}
	want = min(want, maxWant)
	err = q.c.ns.withAllowance(ctx, func(a *allowance) error {
		r := a.records[q.c.id]
		room, err := q.room(a, r, want)
		if err != nil {
			return err
		}
		// A surplus makes calls rare. It grows with what the writer has shown
		// to need, and shrinks as room does, so that nearly all is used.
		granted = min(room, want+min(q.granted, maxSurplus, room/16))
		r.bytes = add(r.bytes, granted)
		if !q.open {
			r.writers++
		}
		a.records[q.c.id] = r
		return a.write()
	})
	if err != nil {
		return 0, err
	}
	q.open = true
	q.granted += granted
	return granted, nil
}

// room returns how much of both allowances is left, at least 1, or which of
// them is used up.
func (q *Quota) room(a *allowance, r record, want int64) (int64, error) {
	mine := left(q.limits.CaptureBytes, r.bytes)
	if mine == 0 {
		return 0, fmt.Errorf("%w: %v", ErrQuotaCapture, q.limits.CaptureBytes)
	}
	all := left(q.limits.NamespaceBytes, a.total())
	if all < want {
		if err := q.c.ns.recountDead(a, q.c.id); err != nil {
			return 0, err
		}
		all = left(q.limits.NamespaceBytes, a.total())
	}
	if all == 0 {
		return 0, fmt.Errorf("%w: %v", ErrQuotaNamespace, q.limits.NamespaceBytes)
	}
	return min(mine, all), nil
}

// left returns what remains of limit.
func left(limit format.Size, taken int64) int64 {
	if limit == format.Unlimited {
		return math.MaxInt64 - taken
	}
	return max(int64(limit)-taken, 0)
}

// Trim gives back what was granted beyond used, the bytes written in all. The
// writer may go on.
func (q *Quota) Trim(ctx context.Context, used int64) error { return q.giveBack(ctx, used, false) }

// Close is Trim, and the writer does not go on.
func (q *Quota) Close(ctx context.Context, used int64) error { return q.giveBack(ctx, used, true) }

func (q *Quota) giveBack(ctx context.Context, used int64, last bool) error {
	unused := q.granted - used
	if unused < 0 {
		panic("capture: more written than was granted")
	}
	if !q.open || unused == 0 && !last {
		return nil
	}
	err := q.c.ns.withAllowance(ctx, func(a *allowance) error {
		r := a.records[q.c.id]
		r.bytes = max(r.bytes-unused, 0)
		if last {
			r.writers = max(r.writers-1, 0)
		}
		a.records[q.c.id] = r
		return a.write()
	})
	if err != nil {
		return err // the record stays too high, until it is counted anew
	}
	q.granted = used
	q.open = !last
	return nil
}
