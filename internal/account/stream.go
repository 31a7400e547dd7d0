package account

import "spool/pkg/format"

// fold returns the account of the stream that ref names.
func (s StreamFacts) fold(ref format.Ref) format.Stream {
	var out format.Stream
	if r := s.Redact; r != nil {
		out.Raw, out.Omissions, out.Replaced = r.Raw, r.Omissions, r.Replaced
		out.Redactions = format.Some(r.Redactions)
	}
	out.EOF = s.eof()
	out.Representation = s.counts()
	if s.File == nil {
		return out
	}
	out.Ref = format.Some(ref.String())
	out.Compression = s.File.Compression
	if s.File.Unsure {
		return out
	}
	if c := s.File.Content; c != nil {
		out.Lines, out.FinalNewline, out.SHA256 = format.Known(c.Lines), format.Some(c.FinalNewline), format.Some(c.SHA256)
	} else if s.teeAgrees() {
		out.Lines, out.FinalNewline, out.SHA256 = s.Tee.Lines, s.Tee.FinalNewline, s.Tee.SHA256
	}
	return out
}

// eof tells whether the end of the command's output was seen. Only redact
// reads from the command: an end that tee saw may have been redact's own.
func (s StreamFacts) eof() format.Opt[bool] {
	switch {
	case s.Tee != nil && !s.Tee.EOF:
		return format.Some(false)
	case s.Redact != nil:
		return format.Some(s.Redact.EOF)
	}
	return format.None[bool]()
}

// counts returns the bytes of the representation. What is retained is what the
// file holds; what was emitted and is not there was refused.
func (s StreamFacts) counts() format.StreamCounts {
	held := format.Known(0)
	switch {
	case s.File == nil:
	case s.File.Unsure:
		held = format.Unknown()
	default:
		held = format.Known(s.File.Size)
	}
	c := format.StreamCounts{
		Emitted: s.emitted(), Committed: held, RetainedStart: format.Known(0), RetainedEnd: held,
	}
	c.Refused = c.Emitted.Sub(held)
	return c
}

// emitted returns what redact says it passed on, or without its report what
// tee saw arrive.
func (s StreamFacts) emitted() format.Count {
	switch {
	case s.Redact != nil:
		return s.Redact.Emitted
	case s.Tee != nil:
		return s.Tee.Observed
	}
	return format.Unknown()
}

// kind returns what the stream's bytes are: what redact says, or without its
// report what the bytes show. That they were redacted nothing but the report
// can tell.
func (s StreamFacts) kind() format.Opt[format.Kind] {
	switch {
	case s.Redact != nil:
		return format.Some(s.Redact.Kind)
	case s.File == nil || s.File.Content == nil:
		return format.None[format.Kind]()
	case s.File.Content.UTF8:
		return format.Some(format.KindDecoded)
	}
	return format.Some(format.KindBinary)
}
