package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// Bounds of the end, once no more input comes.
const (
	writePatience  = 5 * time.Second // for the writer to make progress; more than for the namespace's lock
	drainPatience  = 6 * time.Second // for it to write what is queued, in all
	finishPatience = 8 * time.Second // for it to sync and rename
	termQuiet      = 50 * time.Millisecond
	termPatience   = 500 * time.Millisecond
)

// outletPatience is how long a stage's output may take nothing.
const outletPatience = 3 * time.Second

// stage is one run.
type stage struct {
	o      Options
	q      *queue
	out    *outlet
	pump   *pump
	keeper *keeper // nil: there is no file
	why    reasons

	read    chan struct{} // closed when the input has ended
	readErr error         // how; to be looked at after read
	kept    chan struct{} // closed when the keeper is done
	settled chan struct{} // closed when the keeper is done, or given up
	lost    bool          // the keeper was given up
}

// newStage makes a run that keeps into t; without a file it only passes on.
func newStage(o Options, t target, stdin io.Reader, stdout io.Writer) *stage {
	patience := time.Duration(0)
	if o.Capture != "" {
		patience = outletPatience
	}
	s := &stage{
		o: o, q: newQueue(), out: newOutlet(stdout, patience),
		read: make(chan struct{}), kept: make(chan struct{}), settled: make(chan struct{}),
	}
	s.pump = &pump{
		in: stdin, out: s.out, q: s.q, patience: o.Stall, rest: o.Forward == ForwardRest, grow: grower(stdin),
		stalled: func() { s.why.set(format.ReasonWriterStalled.With("the disk did not keep up")) },
	}
	if t != nil && t.file() != nil {
		s.keeper = &keeper{q: s.q, target: t, sink: newSink(t.file(), o.Compress == CompressZstd), share: t.share(o.Limits), sync: o.Sync, why: &s.why}
	}
	return s
}

// run reads to the end of the input, or to that of ctx and what is pending then.
func (s *stage) run(ctx context.Context) {
	go s.keep()
	done := make(chan struct{})
	go func() {
		s.readErr = s.pump.read()
		s.q.close()
		close(s.read)
		<-s.settled
		s.pump.drop()
		close(done)
	}()
	select {
	case <-s.read:
	case <-ctx.Done():
		s.takeLast()
		s.q.close()
	}
	s.settle()
	if s.ended() {
		<-done
	}
}

func (s *stage) keep() {
	defer close(s.kept)
	if s.keeper == nil {
		s.q.end()
		return
	}
	s.keeper.run()
}

// takeLast lets in what a neighbour that was told to end, too, has still to
// say: until nothing comes for a moment.
func (s *stage) takeLast() {
	deadline := time.After(termPatience)
	for before := int64(-1); ; {
		now, _ := s.q.counts()
		if now == before {
			return
		}
		before = now
		select {
		case <-s.read:
			return
		case <-deadline:
			return
		case <-time.After(termQuiet):
		}
	}
}

// ended tells whether the input has ended by itself, or failed.
func (s *stage) ended() bool {
	select {
	case <-s.read:
		return true
	default:
		return false
	}
}

// settle waits for the keeper, and gives it up where a system call of its does
// not return.
func (s *stage) settle() {
	defer close(s.settled)
	tick := time.NewTicker(writePatience / 30)
	defer tick.Stop()
	start, moved, finishing := time.Now(), time.Now(), false
	_, before := s.q.counts()
	for {
		select {
		case <-s.kept:
			return
		case <-tick.C:
		}
		if _, now := s.q.counts(); now != before {
			before, moved = now, time.Now()
		}
		if s.keeper.finishing.Load() && !finishing {
			finishing, start = true, time.Now()
		}
		over := finishing && time.Since(start) > finishPatience ||
			!finishing && (time.Since(moved) > writePatience || time.Since(start) > drainPatience)
		if over {
			s.q.giveUp()
			s.why.set(format.ReasonWriterStalled.With("a write does not return"))
			s.lost = true
			return
		}
	}
}

// problem returns what the tool says at its end: nil if all is well. opened is
// why there is no file.
func (s *stage) problem(r *format.TeeReport, opened error) error {
	errs := []error{opened}
	if s.ended() && !errors.Is(s.readErr, io.EOF) {
		errs = append(errs, fmt.Errorf("read standard input: %s", bare(s.readErr)))
	}
	if !s.ended() {
		errs = append(errs, errStopped)
	}
	if len(r.Reasons) > 0 && opened == nil {
		errs = append(errs, incomplete(r))
	}
	if err := s.out.failure(); err != nil && !closedPipe(err) {
		errs = append(errs, fmt.Errorf("write standard output: %s", bare(err)))
	}
	return errors.Join(errs...)
}

// incomplete says how much was kept and why no more.
func incomplete(r *format.TeeReport) error {
	why := error(errors.New(string(r.Reasons[0])))
	if r.Reasons[0].Code() == format.ReasonQuotaNamespace {
		why = capture.ErrQuotaNamespace
	}
	return fmt.Errorf("retained %v of %v bytes: %w", r.Counts.Committed, r.Observed, why)
}
