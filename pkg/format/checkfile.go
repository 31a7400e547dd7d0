package format

import (
	"slices"
	"unicode/utf8"
)

// Check returns a [FieldError] for the first rule that b breaks.
func (b *Begin) Check() error {
	if err := schemaOf(b.Schema, BeginSchema); err != nil {
		return err
	}
	if _, err := ParseID(string(b.ID)); err != nil {
		return fieldErrorf("id", "%v", err)
	}
	if id, ok := b.Origin.Get(); ok {
		if _, err := ParseID(id); err != nil {
			return fieldErrorf("origin", "%v", err)
		}
	}
	if !b.CreatedAt.IsKnown() {
		return fieldErrorf("created_at", "must be known")
	}
	if err := CheckStreams(b.Streams); err != nil {
		return fieldErrorf("streams", "%v", err)
	}
	if s, ok := b.Supervisor.Get(); ok && (s.PID < 1 || s.StartTime < 0) {
		return fieldErrorf("supervisor", "want a positive pid and a start time")
	}
	return checkMeta(b.CallID, b.JobID, b.Parent, b.Label, b.Generation, b.Upstream, b.Tool)
}

// Check returns a [FieldError] for the first rule that p breaks.
func (p *ProcessFacts) Check() error {
	if err := schemaOf(p.Schema, ProcessSchema); err != nil {
		return err
	}
	if p.Process.State == ProcessRunning {
		return fieldErrorf("process.state", "process.json is written at the end; got running")
	}
	if err := p.Process.check("process"); err != nil {
		return err
	}
	return checkReasons("reasons", p.Reasons)
}

// Check returns a [FieldError] for the first rule that r breaks.
func (r *RedactReport) Check() error {
	if err := checkReport(r.Schema, RedactSchema, r.Stream, r.Error); err != nil {
		return err
	}
	switch {
	case !r.Kind.Valid():
		return fieldErrorf("kind", "%q is none of the list", r.Kind)
	case r.Transforms == nil:
		return fieldErrorf("transforms", "must not be null")
	case r.Redactions == nil:
		return fieldErrorf("redactions", "must not be null")
	case (r.Kind == KindRedacted) != slices.Contains(r.Transforms, "redacted"):
		return fieldErrorf("transforms", "\"redacted\" goes with redacted-utf8, and only with it; the kind is %q", r.Kind)
	case !r.Raw.Pending.Is(0):
		return fieldErrorf("raw.pending", "is settled in a report: want 0; got %v", r.Raw.Pending)
	}
	if err := checkTransforms("transforms", r.Transforms); err != nil {
		return err
	}
	if err := checkRedactions(r.Redactions); err != nil {
		return err
	}
	return r.Raw.check()
}

// Check returns a [FieldError] for the first rule that r breaks.
func (r *TeeReport) Check() error {
	if err := checkReport(r.Schema, TeeSchema, r.Stream, r.Error); err != nil {
		return err
	}
	if c, ok := r.Compression.Get(); ok && c != Zstd {
		return fieldErrorf("compression", "%q is none of the list", c)
	}
	if h, ok := r.SHA256.Get(); ok && !validSHA256(h) {
		return fieldErrorf("sha256", "want 64 lower-case hex digits; got %q", clipString(h))
	}
	if n, known := r.Observed.Value(); known && r.Counts.Emitted.IsKnown() && !r.Counts.Emitted.Is(n) {
		return fieldErrorf("representation.emitted", "%v is not what was observed (%d)", r.Counts.Emitted, n)
	}
	if err := r.Counts.check(); err != nil {
		return err
	}
	return checkReasons("reasons", r.Reasons)
}

// Check returns a [FieldError] for the first rule that r breaks.
func (r *PreviewReport) Check() error {
	if err := checkReport(r.Schema, PreviewSchema, r.Stream, r.Error); err != nil {
		return err
	}
	if !utf8.ValidString(r.Head) || !utf8.ValidString(r.Tail) {
		return fieldErrorf("head", "head and tail must be valid UTF-8")
	}
	headEnd, okHead := r.HeadEnd.Value()
	tailStart, okTail := r.TailStart.Value()
	total, knownTotal := r.Observed.Value()
	switch {
	case okHead && okTail && headEnd > tailStart:
		return fieldErrorf("tail_start", "%d lies within the head (0 to %d)", tailStart, headEnd)
	case okTail && knownTotal && tailStart > total:
		return fieldErrorf("tail_start", "%d lies beyond the %d bytes observed", tailStart, total)
	}
	if sum, ok := r.Returned.Add(r.Omitted).Value(); ok && knownTotal && sum != total {
		return fieldErrorf("returned_bytes", "with omitted_bytes makes %d of %d observed", sum, total)
	}
	return nil
}

// checkReport checks what all reports have in common.
func checkReport(schema, want, stream string, problem Opt[string]) error {
	if err := schemaOf(schema, want); err != nil {
		return err
	}
	if err := CheckName(stream); err != nil {
		return fieldErrorf("stream", "%v", err)
	}
	if !isClean(problem.Or("")) {
		return fieldErrorf("error", "is longer than %d characters or holds control characters", MaxLabel)
	}
	return nil
}
