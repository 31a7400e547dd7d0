package cmdline

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Exit statuses that all tools share.
const (
	ExitOK    = 0 // done
	ExitFail  = 1 // it failed, or what it produced is incomplete
	ExitUsage = 2 // the arguments or the environment are wrong
)

// Bounds that keep an answer within one screen, whatever was typed.
const (
	maxQuoted  = 80   // bytes of an argument that a message repeats
	maxMessage = 1600 // bytes of one line; of a longer one, both ends are shown
)

// A UsageError says that the tool was called wrongly: exit status 2.
type UsageError struct {
	// Message says what is wrong, lower case, no period.
	Message string
	// Advice is the way out. When it is empty, the help is pointed at.
	Advice string
}

func (e *UsageError) Error() string { return e.Message }

// Hint returns the way out, see [UsageError].
func (e *UsageError) Hint() string { return e.Advice }

// ExitCode returns [ExitUsage].
func (e *UsageError) ExitCode() int { return ExitUsage }

// Usagef returns a [UsageError] with that message.
func Usagef(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// An ExitError carries another exit status than 1. Err may be nil where
// everything was said already.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return "exit status " + strconv.Itoa(e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// ExitCode returns the status.
func (e *ExitError) ExitCode() int { return e.Code }

// WithHint returns err with a way out, printed on a line of its own. An error
// of any other package gets the same by a method Hint() string.
func WithHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hinted{error: err, hint: hint}
}

type hinted struct {
	error
	hint string
}

func (h *hinted) Hint() string  { return h.hint }
func (h *hinted) Unwrap() error { return h.error }

// ExitCode returns the exit status that err asks for: 0 for nil, that of the
// outermost error with a method ExitCode() int, else [ExitFail].
func ExitCode(err error) int {
	if err == nil {
		return ExitOK
	}
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) {
		return coded.ExitCode()
	}
	return ExitFail
}

// report prints err and returns the exit status. A stderr that takes nothing
// leaves nobody to tell.
func report(call *Call, err error) int {
	code := ExitCode(err)
	if exit, ok := errors.AsType[*ExitError](err); err == nil || ok && exit.Err == nil {
		return code
	}
	Message(call.Stderr, call.Tool, err.Error())
	hint := ""
	var advice interface{ Hint() string }
	if errors.As(err, &advice) {
		hint = advice.Hint()
	}
	if late := call.lateOption(); hint == "" && code == ExitUsage && late != "" {
		hint = "options come before operands: " + clip(late, maxQuoted)
	}
	if hint == "" && code == ExitUsage {
		hint = "see " + call.topic() + " --help"
	}
	if hint != "" {
		Message(call.Stderr, call.Tool, "hint: "+hint)
	}
	return code
}

// Message writes text as "tool: message" lines, one for each line of it, in
// one write. Control characters are made visible: a name must not forge a
// line or move the terminal's cursor.
func Message(w io.Writer, tool, text string) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(tool + ": " + middle(visible(strings.TrimSuffix(line, "\n")), maxMessage) + "\n")
	}
	_, _ = io.WriteString(w, b.String())
}

// quote quotes an argument for a message, within bounds.
func quote(arg string) string {
	return strconv.Quote(clip(arg, maxQuoted))
}

// clip cuts s to at most about limit bytes, at a whole character.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// middle cuts the middle out of s, so that about limit bytes are left: the
// reason of an error stands at its end.
func middle(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	tail := len(s) - limit/2
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return clip(s, limit/2) + s[tail:]
}

// visible escapes what a terminal would act on.
func visible(s string) string {
	clean := func(r rune) bool { return r != utf8.RuneError && unicode.IsPrint(r) }
	if strings.IndexFunc(s, func(r rune) bool { return !clean(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if clean(r) {
			b.WriteRune(r)
			continue
		}
		q := strconv.QuoteRuneToASCII(r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}
