package pipeline

import (
	"io"
	"strings"
	"time"

	"spool/internal/preview"
	"spool/pkg/format"
)

// Progress tells when a status line is shown while the command runs.
type Progress string

// When a status line is shown.
const (
	ProgressAuto   Progress = "auto" // if stderr is a terminal that can erase a line
	ProgressAlways Progress = "always"
	ProgressNever  Progress = "never"
)

// ProgressModes are the modes, for a command line.
func ProgressModes() []Progress { return []Progress{ProgressAuto, ProgressAlways, ProgressNever} }

// Times of the status line.
const (
	progressAfter = time.Second
	progressEvery = 500 * time.Millisecond
)

// eraseLine puts the cursor to the beginning of the line and clears it.
const eraseLine = "\r\x1b[K"

// status is the line on the terminal that tells that a silent command runs.
type status struct {
	to    io.Writer // nil: none is shown
	width int       // of the terminal, in columns
	shown bool      // there is something to erase
	begun time.Time
}

// startStatus begins to show the line, where it is to be shown.
func (r *run) startStatus() {
	if !r.o.StatusLine || r.o.Live {
		return
	}
	r.status = status{to: r.o.Stderr, width: terminalWidth(int(r.o.Stderr.Fd())), begun: time.Now()}
	r.alarms.in(progressAfter, r.refreshStatus)
}

// refreshStatus draws the line anew.
func (r *run) refreshStatus() {
	if r.status.to == nil || !r.cmd.alive() {
		return
	}
	switch {
	case r.cmd.stopped:
	case r.tty != nil && r.cmd.foreground && (r.tty.hidesInput() || waitsForTerminal(r.cmd.pid)):
		// The line that the cursor is in holds a prompt, or what is being typed.
		r.status.shown = false
	default:
		r.status.draw(r.statusText())
	}
	r.alarms.in(progressEvery, r.refreshStatus)
}

// draw replaces the line.
func (s *status) draw(text string) {
	_, _ = io.WriteString(s.to, eraseLine+text) // it is for looking only
	s.shown = true
}

// clear takes the line away without a trace.
func (s *status) clear() {
	if s.shown {
		_, _ = io.WriteString(s.to, eraseLine)
		s.shown = false
	}
}

// statusText returns elapsed time, bytes of each stream and the last line that
// is known to be sanitised, within the width of the terminal.
func (r *run) statusText() string {
	parts := []string{time.Since(r.status.begun).Truncate(time.Second).String()}
	last := ""
	for _, s := range r.streams {
		n, tail := r.soFar(s)
		parts = append(parts, s.name+" "+humanSize(format.Known(n)))
		if line := lastLine(tail); line != "" {
			last = line
		}
	}
	text := "[" + strings.Join(parts, ", ") + "]"
	if last != "" {
		text += " " + last
	}
	return format.CleanText(text, max(r.status.width-1, 20))
}

// soFar returns how many bytes of a stream there are, and the sanitised end of
// them, as far as it is known.
func (r *run) soFar(s *stream) (n int64, tail string) {
	if r.store.capture != nil {
		const look = 1 << 10
		if part, err := preview.SoFar(r.store.capture, s.name, 0, look); err == nil && part.Total > 0 {
			return part.Total, string(part.Tail)
		}
	}
	if s.phase == waiting && s.in >= 0 {
		k, _ := unread(s.in)
		return int64(k), ""
	}
	return 0, ""
}

// lastLine returns the last line of text that is not blank.
func lastLine(text string) string {
	text = strings.TrimRight(strings.ToValidUTF8(text, ""), "\r\n\t ")
	return strings.TrimSpace(text[strings.LastIndexAny(text, "\r\n")+1:])
}

// Capable tells whether a terminal of that kind can erase a line.
func Capable(term string) bool { return term != "" && term != "dumb" }
