package receipt

import (
	"context"
	"errors"
	"fmt"
	"time"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/pkg/format"
)

// FinishOptions are what the one who finishes knows beyond the directory.
type FinishOptions struct {
	Preview format.Opt[format.Preview] // what was shown; else the preview's reports say
	Now     func() time.Time           // nil: time.Now
	Tool    format.Tool                // the publisher; zero: who began it
	NoSync  bool                       // publish without making anything durable
	Warn    func(error)                // told of every report that is there and cannot be read; nil: nobody
}

// Fold returns the receipt that [Finish] would publish now. Nothing is changed.
func Fold(c *capture.Capture, o FinishOptions) (*format.Receipt, error) {
	f, err := account.Gather(c, true)
	if err != nil {
		return nil, err
	}
	if o.Warn != nil {
		for _, fault := range f.Faults {
			o.Warn(fault)
		}
	}
	f.Preview = o.Preview
	a := account.Options{Now: time.Now(), Tool: o.Tool}
	if o.Now != nil {
		a.Now = o.Now()
	}
	if a.Tool.Name == "" {
		a.Tool = f.Begin.Tool
	}
	r := account.Fold(f, a)
	return r, r.Check()
}

// Finish makes the capture final. It takes the liveness lock if it is not held.
// already says that the receipt was there before: it is returned, and nothing
// was done. While a stream has a writer, it refuses with [account.ErrWriting].
//
// A receipt beside an error is published, but perhaps not durable, or something
// was left for spool-gc to clear.
func Finish(ctx context.Context, c *capture.Capture, o FinishOptions) (r *format.Receipt, already bool, err error) {
	err = c.Hold(ctx)
	if err == nil {
		r, err = finish(ctx, c, o)
	}
	if errors.Is(err, capture.ErrPublished) {
		r, err = c.Receipt()
		return r, err == nil, err
	}
	return r, false, err
}

// finish is Finish with the lock held.
func finish(ctx context.Context, c *capture.Capture, o FinishOptions) (*format.Receipt, error) {
	begin, err := c.Begin()
	if err != nil {
		return nil, err
	}
	// 1. Nobody writes; what a dead writer left gets its final name.
	if err := account.Settle(c, begin.Streams, !o.NoSync); err != nil {
		return nil, err
	}
	// 2. The account, 3. published.
	r, err := Fold(c, o)
	if err != nil {
		return nil, err
	}
	err = c.Publish(ctx, r, !o.NoSync)
	if err == nil || errors.Is(err, capture.ErrPublished) {
		return r, err
	}
	if got, gone := c.Receipt(); gone == nil {
		return got, fmt.Errorf("its receipt is published, but not all that follows is done: %w", err)
	}
	return nil, err
}
