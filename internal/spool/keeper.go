package spool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"sync/atomic"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// idleAfter is how long the input is silent before a writer gives back what it
// was granted ahead, so that others can use it.
const idleAfter = 250 * time.Millisecond

// A long stream goes to the disk as it comes. Sizes in bytes.
const (
	// writebackEvery is after how many retained bytes the disk is asked to begin
	// with them, so that a long stream does not end with one long fsync.
	writebackEvery = 8 << 20
	// cachedHead and cachedTail are what of a file stays in the page cache: all of
	// one that is no longer than both. The head is more than a capture's share is
	// unless one asks for more.
	cachedHead = 64 << 20
	cachedTail = 4 * writebackEvery
)

// share is a writer's part of an allowance; see [capture.Quota].
type share interface {
	Reserve(ctx context.Context, want int64) (int64, error)
	Trim(ctx context.Context, used int64) error
	Close(ctx context.Context, used int64) error
}

// keeper takes bytes out of the queue and retains them, until retention ends.
type keeper struct {
	q      *queue
	target target
	sink   sink
	share  share
	sync   Sync
	why    *reasons

	granted   int64 // by share, in all
	used      int64 // bytes retained; ≤ granted
	begun     int64 // of them, when the disk was last asked to begin
	hash      hash.Hash
	lines     int64
	last      byte        // of what is retained
	gone      bool        // the file is not there any more
	finishing atomic.Bool // nothing is left to write
}

// run retains until the end. It runs beside the pump and ends by itself, unless
// a system call does not return.
func (k *keeper) run() {
	k.hash = sha256.New()
	for {
		span, more := k.q.next(k.sink.least(), idleAfter)
		if len(span) == 0 && !more {
			break
		}
		if len(span) == 0 {
			k.idle()
			continue
		}
		n, err := k.keep(span)
		k.q.advance(n)
		if err != nil {
			k.why.end(err)
			k.q.end()
		}
	}
	k.finishing.Store(true)
	k.finish()
}

// keep retains as much of span as the allowance and the disk let it. An error
// is why retention ends.
func (k *keeper) keep(span []byte) (int, error) {
	room, refused := k.room(int64(len(span)))
	fit := len(span)
	if int64(fit) > room {
		fit = whole(span, int(room))
	}
	n, err := 0, error(nil)
	if fit > 0 {
		n, err = k.sink.put(span[:fit])
	}
	k.account(span[:n])
	if err != nil {
		return n, err
	}
	if k.sync == SyncAlways && n > 0 {
		if err := k.target.file().Sync(); err != nil {
			return n, err
		}
	}
	k.writeback()
	return n, refused
}

// writeback gives the disk to do what would wait for the end.
func (k *keeper) writeback() {
	if k.sync != SyncEnd || k.used-k.begun < writebackEvery {
		return
	}
	k.begun = k.used
	fsafe.StartWriteback(k.target.file())
	k.drop()
}

// drop lets go of what the disk has of the file's middle.
func (k *keeper) drop() {
	f := k.target.file()
	if info, err := f.Stat(); err == nil {
		fsafe.DropCached(f, cachedHead, info.Size()-cachedTail)
	}
}

// room returns how many bytes may be written, at least want unless there is a
// reason why not.
func (k *keeper) room(want int64) (int64, error) {
	for k.granted-k.used < want {
		n, err := k.share.Reserve(context.Background(), want-(k.granted-k.used))
		if err != nil {
			return k.granted - k.used, err
		}
		k.granted += n
	}
	return k.granted - k.used, nil
}

func (k *keeper) account(p []byte) {
	if len(p) == 0 {
		return
	}
	_, _ = k.hash.Write(p) // a hash never fails
	k.lines += int64(bytes.Count(p, []byte{'\n'}))
	k.last = p[len(p)-1]
	k.used += int64(len(p))
}

// idle gives back what the silent input does not need now. If that fails, it
// is given back at the end.
func (k *keeper) idle() {
	if k.granted > k.used && k.share.Trim(context.Background(), k.used) == nil {
		k.granted = k.used
	}
}

// finish is the one place that knows the order in which a stream becomes final.
func (k *keeper) finish() {
	durable := k.sync != SyncNone
	// T1. What the form needs at its end, T2. all of it durable.
	err := k.sink.finish()
	if err == nil && durable {
		err = k.target.file().Sync()
		k.drop()
	}
	k.why.end(err)
	// T3. What was not used of the allowance, while the lock on the file still
	// tells of a writer. If it cannot be given back it is counted anew later.
	_ = k.share.Close(context.Background(), k.used)
	// T4. The final name.
	err = k.target.finish(durable)
	k.gone = errors.Is(err, errGone)
	k.why.end(err)
	// T5. The file's lock ends.
	k.why.end(k.target.file().Close())
}

// counts returns what is known of the retained bytes.
func (k *keeper) counts(observed int64) format.StreamCounts {
	used := k.used
	if k.gone {
		used = 0
	}
	return format.StreamCounts{
		Emitted: format.Known(observed), Committed: format.Known(used), Refused: format.Known(observed - used),
		RetainedStart: format.Known(0), RetainedEnd: format.Known(used),
	}
}

// quotaReason returns the reason for an error of a share, or none.
func quotaReason(err error) (format.Reason, bool) {
	switch {
	case errors.Is(err, capture.ErrQuotaCapture):
		return format.ReasonQuotaCapture, true
	case errors.Is(err, capture.ErrQuotaNamespace):
		return format.ReasonQuotaNamespace, true
	case errors.Is(err, capture.ErrLockStalled):
		return format.ReasonWriterStalled.With("the namespace's lock is not let go"), true
	}
	return "", false
}
