package pipeline

import (
	"os"
	"time"

	"spool/internal/preview"
	"spool/internal/redact"
	"spool/pkg/format"
)

// Keep tells which captures stay.
type Keep string

// The rules of keeping.
const (
	KeepAuto   Keep = "auto"   // what the preview does not show whole, or what is not complete
	KeepFailed Keep = "failed" // also that of every unsuccessful command
	KeepAlways Keep = "always"
	KeepNever  Keep = "never"
)

// Keeps are the rules, for a command line.
func Keeps() []Keep { return []Keep{KeepAuto, KeepFailed, KeepAlways, KeepNever} }

// Orphans tells what becomes of processes that the command leaves behind.
type Orphans string

// The fates of orphans.
const (
	OrphansLeave Orphans = "leave" // they live on, and what they print is thrown away
	OrphansKill  Orphans = "kill"
)

// OrphanFates are the fates, for a command line.
func OrphanFates() []Orphans { return []Orphans{OrphansLeave, OrphansKill} }

// What the command's stdin may be beside a file.
const (
	StdinInherit = "inherit"
	StdinNull    = "null"
)

// Options say what to run and how. Command, Stdin, the three descriptors,
// Stages and Sanitizer must be set.
type Options struct {
	Command []string
	Env     []string // of the command and of spool-redact; nil for none
	Input   string   // StdinInherit, StdinNull or a file

	Stdin, Stdout, Stderr *os.File // of this process

	Merge bool // one pipe for both streams
	Live  bool // the sanitised output passes through as it comes
	Keep  Keep
	// Background and PromoteAfter are of a detached supervisor: its client is
	// let go at once, or after that time (0: at the end).
	Background     bool
	PromoteAfter   time.Duration
	RequireCapture bool // no capture, no command
	Dir            string
	NoDir          error // why Dir is not known; else nil

	Timeout   time.Duration // 0: none
	KillAfter time.Duration // from TERM to KILL
	Drain     time.Duration // how long descendants may hold the pipes
	Orphans   Orphans

	Stages    Stages
	StageArgs StageArgs
	// Secrets is what --secrets-fd held; each spool-redact gets it by a pipe.
	Secrets []byte
	// Sanitizer prepares what redacts here: a small result and all metadata. It
	// is called at most once.
	Sanitizer func() (set *redact.Set, warnings []string, err error)
	// Audit names the files in which spool-redact lists its hits, without the
	// stream's name that is put behind; "" for none. Only stages write them.
	Audit  string
	NoSync bool // make nothing durable
	Budget preview.Budget
	// Highlight says which lines of what the preview leaves out are shown.
	Highlight preview.Highlighting

	StatusLine  bool // on stderr, while the command runs silently
	WantReceipt bool // also where nothing is kept
	Facts       BeginFacts
}

// StageArgs are the options that the stages are started with, beyond where
// they write.
type StageArgs struct {
	Redact, Tee, Preview []string
}

// BeginFacts are what the caller says of the capture that may be begun.
type BeginFacts struct {
	Label    string // "" for the command line
	NoLabel  bool
	CallID   string
	JobID    string
	Limits   format.Limits
	Upstream format.Upstream
	Tool     format.Tool
}

// Detached tells whether the supervisor is a process of its own.
func (o *Options) Detached() bool { return o.Background || o.PromoteAfter > 0 }

// early tells whether the capture must exist from launch.
func (o *Options) early() bool {
	return o.Keep != KeepNever && (o.Keep == KeepAlways || o.Live || o.Detached())
}

// streams returns the names of the command's streams.
func (o *Options) streams() []string {
	if o.Merge {
		return []string{format.Output}
	}
	return []string{format.Stdout, format.Stderr}
}

// SetupError is a failure of spool's own before the command was started.
type SetupError struct{ Err error }

func (e *SetupError) Error() string { return e.Err.Error() }

func (e *SetupError) Unwrap() error { return e.Err }

// ExitCode returns 125, as env(1) does.
func (e *SetupError) ExitCode() int { return 125 }
