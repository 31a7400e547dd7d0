package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"spool/internal/capture"
	"spool/internal/preview"
	"spool/internal/receipt"
	"spool/pkg/format"
)

// Result is what came of a run.
type Result struct {
	Code    int // exit status
	Shown   []preview.Shown
	Receipt *format.Receipt   // nil where nobody asked for it and none was published
	Ref     string            // of the capture; "" where none is kept
	Path    string            // of its directory; "" where none is kept
	Cursors map[string]string // where a reader of each stream goes on, while the command runs
	Summary string            // one line; "" where the result is small and complete
	Notes   []string          // what the user must know beyond, a line each
}

const exitTimeout = 124

// exitCode returns the exit status: the command's own, as far as it has one.
func (r *run) exitCode() int {
	switch {
	case r.failure != nil:
		return r.failure.Code
	case r.ending.state == format.ProcessTimeout:
		return exitTimeout
	case r.cmd.status.Signaled():
		const bySignal = 128
		return bySignal + int(r.cmd.status.Signal())
	}
	return r.cmd.status.ExitStatus()
}

// processFacts returns what was seen of the command.
func (r *run) processFacts() *format.ProcessFacts {
	p := &format.ProcessFacts{Schema: format.ProcessSchema, Reasons: r.reasons()}
	if r.failure != nil {
		p.Process = format.Process{State: format.ProcessNotStarted, Reason: r.meta(r.failure.Error())}
		return p
	}
	c := r.cmd
	p.StartedAt, p.EndedAt = format.At(c.started), format.At(c.ended)
	p.Process = format.Process{
		State: format.ProcessExited, Reason: r.meta(r.ending.reason),
		CoreDumped: format.Some(c.status.Signaled() && c.status.CoreDump()),
		Resources: format.Some(format.Resources{
			WallMS:      format.Known(c.ended.Sub(c.started).Milliseconds()),
			UserMS:      format.Known(milliseconds(c.usage.Utime)),
			SystemMS:    format.Known(milliseconds(c.usage.Stime)),
			MaxRSSBytes: format.Known(maxRSS(&c.usage)),
		}),
	}
	if r.ending.state != "" {
		p.Process.State = r.ending.state
	}
	if c.status.Signaled() {
		p.Process.Signal = format.Some(signalName(c.status.Signal()))
	} else {
		p.Process.ExitCode = format.Some(int64(c.status.ExitStatus()))
	}
	return p
}

func milliseconds(t syscall.Timeval) int64 { return t.Nano() / int64(time.Millisecond) }

// meta returns text that is fit for a receipt.
func (r *run) meta(text string) format.Opt[string] {
	if text == "" {
		return format.None[string]()
	}
	return format.SomeText(format.CleanText(r.set.text(text), format.MaxLabel))
}

// finish judges the run, and publishes or removes what it captured.
func (r *run) finish() *Result {
	res := &Result{Code: r.exitCode()}
	if r.failure != nil {
		res.Notes = append(res.Notes, r.failure.Error())
		if len(r.o.Command) == 1 && strings.Contains(r.o.Command[0], " ") {
			res.Notes = append(res.Notes, "hint: a line of shell is run by: spool-run sh -c 'LINE'")
		}
	}
	if r.store.capture != nil {
		r.finishKept(res)
	} else {
		r.finishUnkept(res)
	}
	return res
}

// finishKept folds the capture into its receipt, which is published unless the
// rule of keeping has no need of it.
func (r *run) finishKept(res *Result) {
	c := r.store.capture
	fail := func(err error) {
		if err != nil {
			res.Notes = append(res.Notes, fmt.Sprintf("capture %s: %v", c.ID(), err))
		}
	}
	for _, s := range r.streams {
		if s.untouched() {
			fail(r.writeEmpty(s.name))
		}
	}
	fail(c.WriteProcess(r.processFacts()))
	res.Notes = append(res.Notes, r.set.warn...)
	parts, whole := r.keptParts()
	for i := range parts {
		parts[i].Find = r.o.Highlight.Finder(c, parts[i].Name, r.failed())
	}
	rendered := preview.Render(r.o.Budget, r.failed(), parts)
	if !r.o.Live {
		res.Shown = rendered.Streams
	}
	o := receipt.FinishOptions{Preview: r.shownPreview(rendered, whole), Tool: r.o.Facts.Tool, NoSync: r.o.NoSync, Warn: fail}
	if whole && rendered.Whole() && !isLossy(parts) && r.mayDiscard() {
		got, err := r.discard(o)
		if fail(err); got != nil {
			res.Receipt = got
			return
		}
	}
	got, _, err := receipt.Finish(context.Background(), c, o)
	fail(err)
	res.Receipt, res.Ref, res.Path = got, string(c.ID()), c.Path()
	res.Summary = summary(got, string(c.ID()))
	if hasNoRoom(got) {
		res.Notes = append(res.Notes, "hint: "+capture.MakeRoom)
	}
}

// untouched tells whether s ended before any stage of it was started.
func (s *stream) untouched() bool { return s.redact == nil && s.lost == "" && !s.cut }

// keptParts returns what the preview stages saw. In the place of one that was
// lost stands what is kept; then whole is false.
func (r *run) keptParts() (parts []preview.Part, whole bool) {
	whole = true
	for _, s := range r.streams {
		if s.untouched() {
			parts = append(parts, preview.Whole(s.name, nil))
			continue
		}
		rep, err := r.store.capture.Preview(s.name)
		if err == nil {
			parts = append(parts, preview.Reported(rep))
			continue
		}
		whole = false
		head, tail := r.windowSize()
		part, err := preview.SoFar(r.store.capture, s.name, head, tail)
		if err != nil {
			part = preview.Part{Name: s.name}
		}
		parts = append(parts, part)
	}
	return parts, whole
}

// shownPreview returns what the caller gets to see, as far as it is known.
func (r *run) shownPreview(rendered preview.Rendered, whole bool) format.Opt[format.Preview] {
	switch {
	case !r.o.Live && whole:
		return format.Some(rendered.Preview)
	case !r.o.Live:
		return format.None[format.Preview]()
	}
	p := format.Preview{Streams: map[string]format.PreviewCounts{}}
	for _, s := range r.streams {
		if rep, err := r.store.capture.Tee(s.name); err == nil {
			p.Streams[s.name] = format.PreviewCounts{Returned: rep.Forwarded, Omitted: rep.Observed.Sub(rep.Forwarded)}
		}
	}
	return format.Some(p)
}

// isLossy tells whether the bytes of a part are not shown as they are: they are
// no text.
func isLossy(parts []preview.Part) bool {
	return slices.ContainsFunc(parts, func(p preview.Part) bool {
		return int64(len(p.Head)) != p.HeadEnd || int64(len(p.Tail)) != p.Total-p.TailStart || !utf8.Valid(p.Head)
	})
}

// mayDiscard tells whether the rule of keeping lets a capture go that is whole
// in the preview: nobody was given its reference.
func (r *run) mayDiscard() bool {
	return !r.given && !r.o.Live && !r.o.Background && !r.mustKeep()
}

// discard removes the capture if it is complete. It returns the receipt that
// goes with that, nil for a capture that is to be published.
func (r *run) discard(o receipt.FinishOptions) (*format.Receipt, error) {
	got, err := receipt.Fold(r.store.capture, o)
	if err != nil || got.Capture.State != format.CaptureComplete {
		return nil, err
	}
	if err := r.store.capture.Discard(context.Background()); err != nil {
		return nil, err
	}
	return inlineReceipt(got), nil
}
