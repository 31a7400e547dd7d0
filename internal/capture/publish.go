package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"spool/pkg/format"
)

// Publish makes the capture final. Streams that the receipt names have their
// final names, and their content is as durable as it is to be. [ErrPublished]
// if a receipt is there: of two that publish, one gets it. With sync the
// receipt is durable when Publish returns.
//
// An error beside a receipt that is there (see [Capture.Receipt]) says that its
// durability is unknown or that something was left for a collector to clear.
func (c *Capture) Publish(ctx context.Context, r *format.Receipt, sync bool) error {
	if r.ID != c.id {
		panic("capture: receipt of " + string(r.ID) + " in " + string(c.id))
	}
	data, err := format.EncodeReceipt(r)
	if err != nil {
		return err
	}
	// P1. The capture's own name, durable before what lies in it. Those of its
	// streams are so since FinishStream.
	if sync {
		if err := c.ns.dir.Sync(); err != nil {
			return err
		}
	}
	// P2. The receipt, into its reservation: content, fsync, P3. its name,
	// P4. the name durable. The capture is final.
	if err := c.publish(receiptFile, data, sync); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("capture %s: %w", c.id, ErrPublished)
		}
		return err
	}
	// P5. What the receipt has taken in, and what was set aside in vain.
	err = c.Fold(r)
	// P6. From a record to the sum of final captures.
	if late := c.settle(ctx); late != nil {
		err = errors.Join(err, fmt.Errorf("the allowance is not brought up to date: %w", late))
	}
	return err
}

// Fold removes what a published receipt has taken in: reports and process facts,
// and space that was set aside. The preview's report of a stream that is not
// whole stays: it has the only copy of the tail. It may be repeated.
func (c *Capture) Fold(r *format.Receipt) error {
	fold := []string{processFile, reservedName(processFile), reservedName(receiptFile)}
	for _, stream := range slices.Sorted(maps.Keys(r.Streams)) {
		s := r.Streams[stream]
		names := []string{stream + redactSuffix, stream + teeSuffix}
		if s.Whole() == nil {
			names = append(names, stream+previewSuffix)
		}
		fold = append(fold, names...)
		for _, name := range append(names, stream+previewSuffix) {
			fold = append(fold, reservedName(name))
		}
	}
	var err error
	for _, name := range fold {
		err = errors.Join(err, gone(c.dir.Remove(name)))
	}
	return err
}

// Claim marks the capture's completion as delivered, for exactly one caller:
// every other gets [ErrDelivered]. note says who, for people.
func (c *Capture) Claim(note string) error {
	err := c.dir.Publish(deliveredFile, []byte(format.CleanText(note, format.MaxLabel)+"\n"), true)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("capture %s: %w", c.id, ErrDelivered)
	}
	return err
}

// Delivered tells whether the completion has been claimed.
func (c *Capture) Delivered() (bool, error) { return c.has(deliveredFile) }
