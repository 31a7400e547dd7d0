package account

import (
	"fmt"
	"slices"

	"spool/pkg/format"
)

// reasons gathers why a capture is not complete, none twice.
type reasons []format.Reason

// add adds what a report says, word for word.
func (l *reasons) add(all ...format.Reason) {
	for _, r := range all {
		if !slices.Contains(*l, r) {
			*l = append(*l, r)
		}
	}
}

// conclude adds what follows from the facts, unless a report said as much.
func (l *reasons) conclude(r format.Reason) {
	if !l.has(r.Code()) {
		*l = append(*l, r)
	}
}

func (l *reasons) has(codes ...format.Reason) bool {
	return slices.ContainsFunc(*l, func(r format.Reason) bool { return slices.Contains(codes, r.Code()) })
}

// capture decides the state of the capture that r, but for it, describes.
func (f Facts) capture(r *format.Receipt, o Options) format.Capture {
	switch {
	case o.Pending:
		return format.Capture{State: format.CapturePending, Reasons: []format.Reason{}}
	case o.Unkept.State != "":
		return o.Unkept
	}
	list := reasons{}
	if o.Crashed {
		list.add(format.ReasonCrash)
	}
	if f.Process != nil {
		list.add(keptReasons(f.Process.Reasons)...)
	}
	for _, name := range f.Begin.Streams {
		if t := f.Streams[name].Tee; t != nil {
			list.add(keptReasons(t.Reasons)...)
		}
	}
	told := slices.Clone(list)
	for _, name := range f.Begin.Streams {
		f.Streams[name].conclude(name, r.Streams[name], told, &list)
	}
	if r.Upstream.State == format.UpstreamTruncated {
		list.conclude(format.ReasonUpstream)
	}
	if len(list) == 0 {
		return format.Capture{State: format.CaptureComplete, Reasons: []format.Reason{}}
	}
	if f.lostAll(list) {
		return format.Capture{State: format.CaptureFailed, Reasons: list}
	}
	return format.Capture{State: format.CapturePartial, Reasons: list}
}

// keptReasons drops what only speaks of a capture that was never to be kept.
func keptReasons(all []format.Reason) []format.Reason {
	return slices.DeleteFunc(slices.Clone(all), func(r format.Reason) bool {
		return r.Code() == format.ReasonInline || r.Code() == format.ReasonPolicy
	})
}

// conclude adds to list why this stream is not whole, if it is not. told is
// what the reports of all streams and the supervisor give as reasons.
func (s StreamFacts) conclude(name string, out format.Stream, told reasons, list *reasons) {
	if problem := s.fileProblem(name); problem != "" && !told.has(format.ReasonCrash) {
		list.conclude(format.ReasonWriteError.With(problem))
	}
	if told.has(format.ReasonCrash) {
		return // it accounts for every report and byte that is missing
	}
	switch {
	case s.Redact == nil || s.Tee == nil:
		list.conclude(format.ReasonStageLost)
	case !s.neighboursAgree():
		list.conclude(format.ReasonStageLost)
	case out.Whole() != nil && len(*list) == 0:
		list.conclude(format.ReasonStageLost.With(s.Redact.Error.Or(s.Tee.Error.Or(""))))
	case !out.EOF.Or(false) && !list.has(format.ReasonDrainTimeout, format.ReasonWriterStalled, format.ReasonStageLost):
		list.conclude(format.ReasonStageLost.With(s.Redact.Error.Or(s.Tee.Error.Or(""))))
	}
}

// neighboursAgree tells whether all that redact emitted arrived at tee.
func (s StreamFacts) neighboursAgree() bool {
	n, known := s.Redact.Emitted.Value()
	return known && s.Tee.Observed.Is(n)
}

// fileProblem tells how the file differs from what tee says of it.
func (s StreamFacts) fileProblem(name string) string {
	switch {
	case s.Tee == nil:
		return ""
	case s.File == nil && len(s.Tee.Reasons) == 0:
		return name + ": the file is gone or damaged"
	case s.File == nil:
		return ""
	case s.File.Unsure && len(s.Tee.Reasons) == 0:
		return name + ": the file cannot be read"
	case s.File.Unsure:
		return ""
	}
	if n, known := s.Tee.Counts.Committed.Value(); known && n != s.File.Size {
		return fmt.Sprintf("%s: the file holds %d bytes, but %d were committed", name, s.File.Size, n)
	}
	return ""
}

// lostAll tells whether an error, and not a bound, left nothing to keep.
func (f Facts) lostAll(list reasons) bool {
	files, held := 0, int64(0)
	for _, name := range f.Begin.Streams {
		if file := f.Streams[name].File; file != nil {
			if files++; file.Unsure {
				return false
			}
			held += file.Size
		}
	}
	if list.has(format.ReasonCrash) && files == 0 {
		return true
	}
	return held == 0 && list.has(format.ReasonWriteError, format.ReasonNoSpace, format.ReasonWriterStalled)
}
