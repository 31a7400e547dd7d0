package spool

import (
	"errors"
	"io/fs"
	"sync"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// reasons gathers why retention ended early. The first is the one that counts;
// what follows from it is not told again.
type reasons struct {
	mu    sync.Mutex
	first format.Reason
}

// end notes the reason for an error; nil is none.
func (r *reasons) end(err error) {
	if err == nil {
		return
	}
	r.set(reasonOf(err))
}

func (r *reasons) set(reason format.Reason) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first == "" {
		r.first = reason
	}
}

// list returns them for a report.
func (r *reasons) list() []format.Reason {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first == "" {
		return []format.Reason{}
	}
	return []format.Reason{r.first}
}

// reasonOf returns the reason that an error of the allowance or the disk is.
func reasonOf(err error) format.Reason {
	if reason, ok := quotaReason(err); ok {
		return reason
	}
	switch fsafe.KindOf(err) {
	case fsafe.KindNoSpace:
		return format.ReasonNoSpace
	case fsafe.KindQuota:
		return format.ReasonNoSpace.With(cause(err))
	}
	return format.ReasonWriteError.With(cause(err))
}

// cause returns what an error of a file says, with the operation but without
// the path: a reason travels with the receipt.
func cause(err error) string {
	if e, ok := errors.AsType[*fsafe.Error](err); ok {
		return e.Op + ": " + bare(e.Err)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Op + ": " + e.Err.Error()
	}
	return err.Error()
}

// bare is the cause without the operation, where that is known.
func bare(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}
