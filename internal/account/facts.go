package account

import (
	"time"

	"spool/pkg/format"
)

// Facts is all that is known of one capture.
type Facts struct {
	Begin   *format.Begin              // never nil
	Process *format.ProcessFacts       // nil: nobody told the command's end
	Streams map[string]StreamFacts     // by name; one that is missing has no facts
	Faults  []error                    // why what is there could not be read; it counts as missing
	Preview format.Opt[format.Preview] // what was shown, where the one who showed it tells; else the preview reports say
}

// StreamFacts is all that is known of one stream. What is nil is not there, or
// could not be read.
type StreamFacts struct {
	Redact  *format.RedactReport
	Tee     *format.TeeReport
	Preview *format.PreviewReport
	File    *Retained
}

// Retained describes a stream's file.
type Retained struct {
	Compression format.Opt[format.Compression]
	Size        int64    // bytes of the representation, uncompressed
	Unsure      bool     // how much it holds nobody can tell now: it cannot be read, or a write of its is under way
	Content     *Content // nil: the bytes were not read, see StreamFacts.Unread
}

// Options says who folds, and when.
type Options struct {
	Now     time.Time      // becomes published_at; zero leaves it unknown
	Tool    format.Tool    // the publisher
	Crashed bool           // nobody finished the capture: whatever the reports say, it is not complete
	Unkept  format.Capture // where nothing was to be kept: disabled or unavailable, with its reasons; else zero
	Pending bool           // the capture is not final: its stages may still be at work
}

// Unread tells whether the file has to be read before [Fold] can speak of it:
// whether tee's report is missing, tells less than all or another size, or
// redact's is missing, so that only the bytes tell what they are.
func (s StreamFacts) Unread() bool {
	if s.File == nil || s.File.Unsure || s.File.Content != nil {
		return false
	}
	return !s.teeAgrees() || s.Redact == nil
}

// teeAgrees tells whether tee's report describes the file that is there.
func (s StreamFacts) teeAgrees() bool {
	if s.Tee == nil || !s.Tee.Counts.Committed.Is(s.File.Size) {
		return false
	}
	lines, known := s.Tee.Lines.Value()
	return known && lines <= s.File.Size && s.Tee.SHA256.IsSet() && s.Tee.FinalNewline.IsSet()
}
