package receipt

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// ListOptions choose captures; the zero value chooses all.
type ListOptions struct {
	States []string  // any of these, each a state of the process or of the capture
	Failed bool      // only those whose command was seen to end otherwise than with code 0
	Since  time.Time // only those begun at that time or later
	Label  string    // only those whose label holds this
}

// CheckState tells whether s is a state that ListOptions.States may hold.
func CheckState(s string) error {
	if !format.ProcessState(s).Valid() && !format.CaptureState(s).Valid() {
		return fmt.Errorf("state %q is neither one of a process nor one of a capture", s)
	}
	return nil
}

// List calls yield with the receipt of each chosen capture, the newest first, as
// [Show] has it. One that cannot be read is told to fault, and the list goes on.
func List(ctx context.Context, ns *capture.Namespace, o ListOptions, yield func(*format.Receipt) error, fault func(error)) error {
	ids, err := ns.IDs()
	if err != nil {
		return err
	}
	slices.Reverse(ids)
	if !o.Since.IsZero() {
		first := o.Since.Truncate(time.Millisecond)
		if i := slices.IndexFunc(ids, func(id format.ID) bool { return id.Time().Before(first) }); i >= 0 {
			ids = ids[:i] // all others are older still
		}
	}
	for batch := range slices.Chunk(ids, listBatch) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, one := range look(ctx, ns, batch) {
			switch {
			case errors.Is(one.err, capture.ErrNotFound): // removed meanwhile
			case one.err != nil:
				fault(fmt.Errorf("capture %s: %w", batch[i], one.err))
			case o.chooses(one.receipt):
				if err := yield(one.receipt); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// listBatch is how many captures are read before the first of them is listed.
const listBatch = 256

// looked is what was found of one capture.
type looked struct {
	receipt *format.Receipt
	err     error
}

// look reads the receipts of ids, on all processors: reading them strictly is
// what a list costs.
func look(ctx context.Context, ns *capture.Namespace, ids []format.ID) []looked {
	all := make([]looked, len(ids))
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(ids))
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(ids); i += workers {
				all[i].receipt, all[i].err = showID(ctx, ns, ids[i])
			}
		})
	}
	wg.Wait()
	return all
}

func showID(ctx context.Context, ns *capture.Namespace, id format.ID) (r *format.Receipt, err error) {
	c, err := ns.Open(id)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return Show(ctx, c)
}

func (o ListOptions) chooses(r *format.Receipt) bool {
	if len(o.States) > 0 && !slices.Contains(o.States, string(r.Process.State)) && !slices.Contains(o.States, string(r.Capture.State)) {
		return false
	}
	return (!o.Failed || failed(r.Process)) && strings.Contains(r.Label.Or(""), o.Label)
}

// failed tells whether the command was seen not to succeed. Of one that runs, or
// whose end nobody saw, that cannot be said.
func failed(p format.Process) bool {
	return p.State != format.ProcessRunning && p.State != format.ProcessUnknown && !p.Succeeded()
}
