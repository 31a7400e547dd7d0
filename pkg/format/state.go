package format

import "slices"

// ProcessState tells what became of the command. It says nothing about the
// capture.
type ProcessState string

// States of a process.
const (
	ProcessRunning    ProcessState = "running"
	ProcessExited     ProcessState = "exited"    // ended by itself or by a signal that spool did not decide on
	ProcessCancelled  ProcessState = "cancelled" // ended by spool at a user's word
	ProcessTimeout    ProcessState = "timeout"   // ended by spool at the end of its time
	ProcessNotStarted ProcessState = "not-started"
	ProcessUnknown    ProcessState = "unknown" // nobody saw its end
)

// CaptureState tells what the capture holds. It says nothing about the process.
type CaptureState string

// States of a capture.
const (
	CapturePending     CaptureState = "pending"
	CaptureComplete    CaptureState = "complete"
	CapturePartial     CaptureState = "partial"
	CaptureFailed      CaptureState = "failed"
	CaptureDisabled    CaptureState = "disabled"
	CaptureUnavailable CaptureState = "unavailable"
)

// Kind tells what the bytes of a capture are.
type Kind string

// Kinds of representation.
const (
	KindRedacted Kind = "redacted-utf8" // only if the redactor's own report says so
	KindDecoded  Kind = "decoded-utf8"
	KindBinary   Kind = "binary"
)

// PreviewState tells whether a preview shows everything.
type PreviewState string

// States of a preview.
const (
	PreviewComplete  PreviewState = "complete"
	PreviewTruncated PreviewState = "truncated"
)

// UpstreamState is what a producer declares about its own output.
type UpstreamState string

// States of the upstream.
const (
	UpstreamComplete  UpstreamState = "complete"
	UpstreamTruncated UpstreamState = "truncated"
	UpstreamUnknown   UpstreamState = "unknown"
)

// Compression names the format of a stream file.
type Compression string

// Zstd is the seekable zstd format (contrib/seekable_format in zstd's sources).
const Zstd Compression = "zstd"

func oneOf[T comparable](v T, all ...T) bool { return slices.Contains(all, v) }

// Valid tells whether s is one of the states above.
func (s ProcessState) Valid() bool {
	return oneOf(s, ProcessRunning, ProcessExited, ProcessCancelled, ProcessTimeout, ProcessNotStarted, ProcessUnknown)
}

// Valid tells whether s is one of the states above.
func (s CaptureState) Valid() bool {
	return oneOf(s, CapturePending, CaptureComplete, CapturePartial, CaptureFailed, CaptureDisabled, CaptureUnavailable)
}

// Valid tells whether k is one of the kinds above.
func (k Kind) Valid() bool { return oneOf(k, KindRedacted, KindDecoded, KindBinary) }

// Valid tells whether s is one of the states above.
func (s PreviewState) Valid() bool { return oneOf(s, PreviewComplete, PreviewTruncated) }

// Valid tells whether s is one of the states above.
func (s UpstreamState) Valid() bool {
	return oneOf(s, UpstreamComplete, UpstreamTruncated, UpstreamUnknown)
}

// Weaker returns the kind that promises less: binary, then decoded, then
// redacted.
func (k Kind) Weaker(other Kind) Kind {
	for _, w := range []Kind{KindBinary, KindDecoded, KindRedacted} {
		if k == w || other == w {
			return w
		}
	}
	return k
}
