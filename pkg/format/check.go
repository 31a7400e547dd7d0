package format

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Check returns a [FieldError] for the first rule of the contract that r breaks.
func (r *Receipt) Check() error {
	for _, rule := range []func() error{
		r.checkHead, r.checkTimes, func() error { return r.Process.check("process") }, r.checkFinal,
		r.Capture.check, r.Representation.check, r.checkStreams, r.checkState, r.checkPreview,
	} {
		if err := rule(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Receipt) checkHead() error {
	if err := schemaOf(r.Schema, ReceiptSchema); err != nil {
		return err
	}
	if _, err := ParseID(string(r.ID)); err != nil {
		return fieldErrorf("id", "%v", err)
	}
	if id, ok := r.Origin.Get(); ok {
		if _, err := ParseID(id); err != nil {
			return fieldErrorf("origin", "%v", err)
		}
	}
	return checkMeta(r.CallID, r.JobID, r.Parent, r.Label, r.Generation, r.Upstream, r.Tool)
}

// checkMeta checks what begin.json and the receipt have in common.
func checkMeta(call, job, parent, label Opt[string], generation int64, up Upstream, tool Tool) error {
	if p, ok := parent.Get(); ok {
		if _, err := ParseRef(p); err != nil {
			return fieldErrorf("parent", "%v", err)
		}
	}
	for field, v := range map[string]Opt[string]{
		"call_id": call, "job_id": job, "label": label, "upstream.note": up.Note,
		"tool.name": Some(tool.Name), "tool.version": Some(tool.Version),
	} {
		if s, ok := v.Get(); ok && !isClean(s) {
			return fieldErrorf(field, "is longer than %d characters or holds control characters", MaxLabel)
		}
	}
	if generation < 1 {
		return fieldErrorf("generation", "want at least 1; got %d", generation)
	}
	if !up.State.Valid() {
		return fieldErrorf("upstream.state", "%q is none of complete, truncated, unknown", up.State)
	}
	return nil
}

func (r *Receipt) checkTimes() error {
	if !r.CreatedAt.IsKnown() {
		return fieldErrorf("created_at", "must be known")
	}
	return nil
}

// Final tells whether r is final: an account that was, or can be, published.
func (r *Receipt) Final() bool {
	return r.Capture.State != CapturePending && r.Process.State != ProcessRunning
}

// String returns the state, and behind a colon the reasons.
func (c Capture) String() string {
	words := make([]string, len(c.Reasons))
	for i, r := range c.Reasons {
		words[i] = string(r)
	}
	if len(words) == 0 {
		return string(c.State)
	}
	return string(c.State) + ": " + strings.Join(words, ", ")
}

// Crashed tells whether nobody finished the capture: a collector published for
// whoever should have.
func (c Capture) Crashed() bool {
	return slices.ContainsFunc(c.Reasons, func(r Reason) bool { return r.Code() == ReasonCrash })
}

// checkFinal ties being published to being final.
func (r *Receipt) checkFinal() error {
	switch {
	case r.PublishedAt.IsKnown() && r.Process.State == ProcessRunning:
		return fieldErrorf("process.state", "a published receipt is final; got running")
	case r.PublishedAt.IsKnown() && r.Capture.State == CapturePending:
		return fieldErrorf("capture.state", "a published receipt is final; got pending")
	}
	return nil
}

func (p *Process) check(at string) error {
	if !p.State.Valid() {
		return fieldErrorf(join(at, "state"), "%q is none of the list", p.State)
	}
	code, hasCode := p.ExitCode.Get()
	signal, hasSignal := p.Signal.Get()
	ended := oneOf(p.State, ProcessExited, ProcessCancelled, ProcessTimeout)
	switch {
	case hasCode && hasSignal:
		return fieldErrorf(join(at, "signal"), "is set beside exit_code: want exactly one")
	case p.State == ProcessExited && !hasCode && !hasSignal:
		return fieldErrorf(join(at, "exit_code"), "an exited process has an exit code or a signal")
	case !ended && (hasCode || hasSignal):
		return fieldErrorf(join(at, "exit_code"), "is set, or signal is, though the state is %q", p.State)
	case hasCode && (code < 0 || code > 255):
		return fieldErrorf(join(at, "exit_code"), "want 0 to 255; got %d", code)
	case hasSignal && !validSignal(signal):
		return fieldErrorf(join(at, "signal"), "want a name like SIGKILL; got %q", clipString(signal))
	case p.CoreDumped.Or(false) && !hasSignal:
		return fieldErrorf(join(at, "core_dumped"), "is true without a signal")
	case !isClean(p.Reason.Or("")):
		return fieldErrorf(join(at, "reason"), "is longer than %d characters or holds control characters", MaxLabel)
	}
	return nil
}

func validSignal(s string) bool {
	rest, ok := strings.CutPrefix(s, "SIG")
	return ok && rest != "" && len(rest) < 16 && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+") == ""
}

func (c Capture) check() error {
	if !c.State.Valid() {
		return fieldErrorf("capture.state", "%q is none of the list", c.State)
	}
	if err := checkReasons("capture.reasons", c.Reasons); err != nil {
		return err
	}
	disabled := slices.ContainsFunc(c.Reasons, func(r Reason) bool { return oneOf(r.Code(), ReasonInline, ReasonPolicy) })
	switch {
	case c.State == CaptureComplete && len(c.Reasons) > 0:
		return fieldErrorf("capture.reasons", "a complete capture has none; got %q", c.Reasons[0])
	case oneOf(c.State, CapturePartial, CaptureFailed) && len(c.Reasons) == 0:
		return fieldErrorf("capture.reasons", "a %s capture has at least one", c.State)
	case disabled != (c.State == CaptureDisabled):
		return fieldErrorf("capture.reasons", "inline or policy go with disabled, and only with it; the state is %q", c.State)
	case disabled && len(c.Reasons) > 1:
		return fieldErrorf("capture.reasons", "a disabled capture has one; got %d", len(c.Reasons))
	}
	return nil
}

func checkReasons(at string, list []Reason) error {
	if list == nil {
		return fieldErrorf(at, "must not be null")
	}
	for i, r := range list {
		if err := r.Check(); err != nil {
			return fieldErrorf(at, "%v", err)
		}
		if slices.Contains(list[:i], r) {
			return fieldErrorf(at, "%q stands twice", r)
		}
	}
	return nil
}

func (r Representation) check() error {
	kind, ok := r.Kind.Get()
	switch {
	case ok && !kind.Valid():
		return fieldErrorf("representation.kind", "%q is none of the list", kind)
	case r.Transforms == nil:
		return fieldErrorf("representation.transforms", "must not be null")
	case (ok && kind == KindRedacted) != slices.Contains(r.Transforms, "redacted"):
		return fieldErrorf("representation.transforms", "\"redacted\" goes with redacted-utf8, and only with it; the kind is %q", kind)
	}
	return checkTransforms("representation.transforms", r.Transforms)
}

func checkTransforms(at string, list []string) error {
	for _, t := range list {
		if CheckName(t) != nil {
			return fieldErrorf(at, "%q is no name", clipString(t))
		}
	}
	return nil
}

func (r *Receipt) checkStreams() error {
	names := slices.Sorted(maps.Keys(r.Streams))
	if err := CheckStreams(names); err != nil {
		return fieldErrorf("streams", "%v", err)
	}
	for _, n := range names {
		s := r.Streams[n]
		if err := s.check(Ref{ID: r.ID, Stream: n}); err != nil {
			fe, _ := errors.AsType[*FieldError](err)
			return fieldErrorf(join("streams."+n, fe.Field), "%s", fe.Problem)
		}
		if !s.Raw.Pending.Is(0) && s.Raw.Pending.IsKnown() && r.PublishedAt.IsKnown() {
			return fieldErrorf("streams."+n+".raw.pending", "is settled in a final receipt: want 0 or null; got %v", s.Raw.Pending)
		}
	}
	return nil
}

func (s *Stream) check(ref Ref) error {
	if got, ok := s.Ref.Get(); ok && got != ref.String() {
		return fieldErrorf("ref", "want %q; got %q", ref, clipString(got))
	}
	if c, ok := s.Compression.Get(); ok && c != Zstd {
		return fieldErrorf("compression", "%q is none of the list", c)
	}
	if err := s.Raw.check(); err != nil {
		return err
	}
	if err := s.Representation.check(); err != nil {
		return err
	}
	if hits, ok := s.Redactions.Get(); ok {
		if err := checkRedactions(hits); err != nil {
			return err
		}
	}
	if h, ok := s.SHA256.Get(); ok && !validSHA256(h) {
		return fieldErrorf("sha256", "want 64 lower-case hex digits; got %q", clipString(h))
	}
	if n, known := s.Lines.Value(); known {
		if kept, ok := s.Representation.Committed.Value(); ok && n > kept {
			return fieldErrorf("lines", "more lines (%d) than retained bytes (%d)", n, kept)
		}
	}
	return nil
}

func checkRedactions(hits map[string]int64) error {
	for rule, n := range hits {
		if n < 1 || rule == "" || !isClean(rule) {
			return fieldErrorf("redactions", "%q: %d: want a rule's name and at least 1", clipString(rule), n)
		}
	}
	return nil
}

func validSHA256(h string) bool { return len(h) == 64 && strings.Trim(h, "0123456789abcdef") == "" }

func allKnown(list ...Count) bool {
	return !slices.ContainsFunc(list, func(c Count) bool { return !c.known })
}

// check enforces observed = accepted + pending + discarded.
func (c RawCounts) check() error {
	sum := c.Accepted.Add(c.Pending).Add(c.Discarded)
	if allKnown(c.Observed, c.Accepted, c.Pending, c.Discarded) && c.Observed != sum {
		return fieldErrorf("raw.observed", "%v is not accepted + pending + discarded (%v)", c.Observed, sum)
	}
	return nil
}

// check enforces emitted = committed + refused and the retained range.
func (c StreamCounts) check() error {
	if sum := c.Committed.Add(c.Refused); allKnown(c.Emitted, c.Committed, c.Refused) && c.Emitted != sum {
		return fieldErrorf("representation.emitted", "%v is not committed + refused (%v)", c.Emitted, sum)
	}
	start, okStart := c.RetainedStart.Value()
	end, okEnd := c.RetainedEnd.Value()
	if !okStart || !okEnd {
		return nil
	}
	if start > end {
		return fieldErrorf("representation.retained_start", "%d lies beyond retained_end (%d)", start, end)
	}
	if c.Committed.IsKnown() && !c.Committed.Is(end-start) {
		return fieldErrorf("representation.committed", "%v is not retained_end − retained_start (%d)", c.Committed, end-start)
	}
	return nil
}

// checkState holds capture.state against what the streams say.
func (r *Receipt) checkState() error {
	if r.Upstream.State == UpstreamTruncated && r.Capture.State == CaptureComplete {
		return fieldErrorf("capture.state", "complete, though upstream.state is truncated")
	}
	if r.Capture.State != CaptureComplete {
		return nil
	}
	for _, n := range slices.Sorted(maps.Keys(r.Streams)) {
		s := r.Streams[n]
		if field, problem := s.gap(); field != "" {
			return fieldErrorf("capture.state", "complete, though streams.%s.%s %s", n, field, problem)
		}
	}
	return nil
}

// Whole tells whether the stream's own account allows the capture to be
// complete; if not, it names the field that does not.
func (s *Stream) Whole() error {
	if field, problem := s.gap(); field != "" {
		return fieldErrorf(field, "%s", problem)
	}
	return nil
}

func (s *Stream) gap() (field, problem string) {
	counts := s.Representation
	emitted, okEmitted := counts.Emitted.Value()
	switch {
	case !s.EOF.Or(false):
		return "eof", "is not true"
	case !s.Raw.Discarded.Is(0):
		return "raw.discarded", fmt.Sprintf("is %v, not 0", s.Raw.Discarded)
	case !okEmitted || !counts.Committed.Is(emitted):
		return "representation.committed", fmt.Sprintf("is %v of %v emitted", counts.Committed, counts.Emitted)
	case !counts.RetainedStart.Is(0) || !counts.RetainedEnd.Is(emitted):
		return "representation.retained_end", "does not span what was committed"
	case !s.SHA256.IsSet():
		return "sha256", "is unknown"
	case !s.Ref.IsSet():
		return "ref", "is missing"
	}
	return "", ""
}

func (r *Receipt) checkPreview() error {
	return r.Preview.check("preview", func(n string) (Count, bool) {
		s, ok := r.Streams[n]
		return s.Representation.Emitted, ok
	})
}

// check holds a preview against what its streams emitted.
func (p *Preview) check(at string, emitted func(string) (Count, bool)) error {
	state, ok := p.State.Get()
	if ok && !state.Valid() {
		return fieldErrorf(join(at, "state"), "%q is none of the list", state)
	}
	if p.Streams == nil {
		return fieldErrorf(join(at, "streams"), "must not be null")
	}
	omitted := Known(0)
	for _, n := range slices.Sorted(maps.Keys(p.Streams)) {
		c, field := p.Streams[n], join(at, "streams."+n)
		total, there := emitted(n)
		if !there {
			return fieldErrorf(field, "is no stream of the capture")
		}
		if sum, known := c.Returned.Add(c.Omitted).Value(); known && total.IsKnown() && !total.Is(sum) {
			return fieldErrorf(join(field, "returned_bytes"), "with omitted_bytes makes %d, but %v were emitted", sum, total)
		}
		omitted = omitted.Add(c.Omitted)
	}
	n, known := omitted.Value()
	if ok && known && (n > 0) != (state == PreviewTruncated) {
		return fieldErrorf(join(at, "state"), "%s, though %d bytes are omitted", state, n)
	}
	return nil
}
