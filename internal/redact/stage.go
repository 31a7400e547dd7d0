package redact

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"spool/internal/capture"
	"spool/internal/sluice"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// A Source says where literals come from.
type Source struct {
	Environ    []string // "NAME=value", as os.Environ has it
	EnvGlobs   []string
	DefaultEnv bool
	Files      []string
	FD         int    // 0 for none
	Data       []byte // what such a descriptor held, read before; nil for none
}

// Literals reads all of the source.
func (s Source) Literals() (literals []Literal, warnings []string, err error) {
	literals, warnings, err = EnvLiterals(s.Environ, s.EnvGlobs, s.DefaultEnv)
	if err != nil {
		return nil, nil, err
	}
	add := func(l []Literal, w []string, err error) error {
		literals, warnings = append(literals, l...), append(warnings, w...)
		return err
	}
	for _, name := range s.Files {
		if err := add(FileLiterals(name)); err != nil {
			return nil, nil, err
		}
	}
	if s.FD != 0 {
		if err := add(DescriptorLiterals(s.FD)); err != nil {
			return nil, nil, err
		}
	}
	if s.Data != nil {
		if err := add(ReadLiterals(bytes.NewReader(s.Data), "the secrets descriptor")); err != nil {
			return nil, nil, err
		}
	}
	return literals, warnings, nil
}

// A RuleSource says where rules of the user's own come from.
type RuleSource struct {
	Patterns []Pattern
	Files    []string // of patterns
	Gitleaks string   // a gitleaks.toml, "" for none
}

// read returns the patterns, and the gitleaks rules if there are any.
func (s RuleSource) read() (patterns []Pattern, g *Gitleaks, err error) {
	patterns = slices.Clone(s.Patterns)
	for _, name := range s.Files {
		list, err := PatternsFile(name)
		if err != nil {
			return nil, nil, err
		}
		patterns = append(patterns, list...)
	}
	if s.Gitleaks != "" {
		g, err = GitleaksFile(s.Gitleaks)
	}
	return patterns, g, err
}

// StageOptions are those of spool-redact. Capture and Stream go together; without
// them it is a plain filter, which writes a report only if Report names a file.
type StageOptions struct {
	Source   Source
	Rules    RuleSource
	Disable  []string
	Window   int // as in Options
	KeepANSI bool
	Encoding string
	NoRedact bool
	Raw      bool

	Audit   string // a new file for the hits, "" for none
	Capture string
	Stream  string
	Report  string // a new file
	Tool    format.Tool
	Warn    func(format string, args ...any)
}

// outPatience is how long a stage's output may take nothing: more than a
// spool-tee waits for its disk, less than a driver waits for its stages.
const outPatience = 8 * time.Second

// Run redacts in to out until in ends, whatever happens to out. When ctx is done
// first, what is pending is settled and reported, and the rest is left unread.
//
// The error says what was not done: a bad option, an input that could not be
// read, or not to its end, an output that was not taken, a list of hits or a report that was not
// written. With a *[SetupError] nothing has been read; [Refuse] is the way on.
func Run(ctx context.Context, o StageOptions, in io.Reader, out io.Writer) error {
	hits, unlisted := o.audit()
	set, err := o.compile(hits)
	if err != nil {
		return &SetupError{errors.Join(err, unlisted, hits.close())}
	}
	report := o.reporter(ctx)
	if o.Capture != "" {
		if pipe := sluice.Open(out, outPatience); pipe != nil {
			out = pipe
			defer pipe.Close() //nolint:errcheck // its writes told
		}
	}
	w := set.NewWriter(out)
	eof, err := w.drain(ctx, in)
	end := w.Settle
	if eof {
		end = w.Close
	}
	if sink := end(); sink != nil {
		err = errors.Join(err, fmt.Errorf("write stdout: %w", sink))
	}
	err = errors.Join(err, unlisted, hits.close())
	err = errors.Join(err, report(w.stageReport(&o, err)))
	if !eof && ctx.Err() != nil {
		err = errors.Join(err, errStopped)
	}
	return err
}

// errStopped says that the input did not end, but we were told to.
var errStopped = errors.New("stopped before the end of the input")

// Refuse reads what a producer writes to in, to its end or until ctx is done, and
// throws it away: a tool that cannot do its work must not end the producer with a
// broken pipe. From a terminal nothing is read.
func Refuse(ctx context.Context, in io.Reader) error {
	if !produced(in) {
		return nil
	}
	set, err := Compile(Options{Raw: true})
	if err == nil {
		_, err = set.NewWriter(io.Discard).drain(ctx, in)
	}
	return err
}

// compile prepares the set and passes the warnings on.
func (o *StageOptions) compile(hits *hitFile) (*Set, error) {
	set, warnings, err := o.Prepare(hits.hook())
	for _, w := range warnings {
		o.Warn("%s", w)
	}
	return set, err
}

// Prepare reads the literals and own rules and compiles the set, as a stage
// does: for one who redacts by the same options in a process of its own. Hits
// go to audit, if that is not nil. Neither the raw nor the decoded
// representation needs literals or rules.
func (o *StageOptions) Prepare(audit func(Hit)) (set *Set, warnings []string, err error) {
	so := Options{
		Disable: o.Disable, Window: o.Window, KeepANSI: o.KeepANSI, Encoding: o.Encoding,
		NoRedact: o.NoRedact, Raw: o.Raw, Audit: audit,
	}
	if !o.NoRedact && !o.Raw {
		if so.Literals, warnings, err = o.Source.Literals(); err != nil {
			return nil, nil, err
		}
		if so.Patterns, so.Gitleaks, err = o.Rules.read(); err != nil {
			return nil, nil, err
		}
		if so.Gitleaks != nil && len(so.Gitleaks.Skipped) > 0 {
			warnings = append(warnings, fmt.Sprintf("gitleaks file %q: rules for paths are passed over: %s",
				o.Rules.Gitleaks, strings.Join(so.Gitleaks.Skipped, ", ")))
		}
	}
	set, err = Compile(so)
	return set, warnings, err
}

// stageReport fills in the stage report.
func (w *Writer) stageReport(o *StageOptions, err error) *format.RedactReport {
	s := w.Stats()
	r := &format.RedactReport{
		Schema: format.RedactSchema, Stream: o.Stream, EOF: s.EOF, Kind: format.Kind(s.Kind), Transforms: append([]string{}, s.Transforms...),
		Raw: format.RawCounts{
			Observed: format.Known(s.Observed), Accepted: format.Known(s.Accepted),
			Pending: format.Known(s.Pending), Discarded: format.Known(s.Discarded),
		},
		Emitted: format.Known(s.Emitted), Redactions: s.Redactions,
		Omissions: format.Omissions{Spans: format.Known(s.OmittedSpans), Bytes: format.Known(s.OmittedBytes)},
		Replaced:  format.Known(s.Replaced), Tool: o.Tool,
	}
	if s.Encoding != "" {
		r.Encoding = format.Some(s.Encoding)
	}
	if err != nil {
		r.Error = format.Some(format.CleanText(err.Error(), format.MaxLabel))
	}
	return r
}

// reporter returns what writes the report, and holds the capture's liveness
// until then. A capture that cannot be used is told at the end: the input is
// redacted all the same.
func (o *StageOptions) reporter(ctx context.Context) func(*format.RedactReport) error {
	switch {
	case o.Capture != "":
		c, open := capture.OpenPath(o.Capture)
		if open != nil {
			return func(*format.RedactReport) error { return open }
		}
		hold := c.Hold(ctx)
		return func(r *format.RedactReport) error {
			if hold != nil {
				return errors.Join(hold, c.Close())
			}
			return errors.Join(c.WriteRedact(r), c.Close())
		}
	case o.Report != "":
		dir, name, open := fsafe.OpenParent(o.Report)
		return func(r *format.RedactReport) error {
			if open != nil {
				return open
			}
			r.Stream = format.Output
			data, err := format.EncodeRedact(r)
			if err == nil {
				err = dir.Publish(name, data, false)
			}
			return errors.Join(err, dir.Close())
		}
	}
	return func(*format.RedactReport) error { return nil }
}

// A hitFile lists hits, one JSON object a line.
type hitFile struct {
	dir  *fsafe.Dir
	file *os.File
	w    *bufio.Writer
	err  error
}

// audit creates the private file for the hits, if one is asked for.
func (o *StageOptions) audit() (*hitFile, error) {
	if o.Audit == "" {
		return nil, nil
	}
	dir, name, err := fsafe.OpenParent(o.Audit)
	if err != nil {
		return nil, fmt.Errorf("audit file: %w", err)
	}
	f, err := dir.Create(name)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("audit file: %w", err), dir.Close())
	}
	return &hitFile{dir: dir, file: f, w: bufio.NewWriter(f)}, nil
}

func (h *hitFile) hook() func(Hit) {
	if h == nil {
		return nil
	}
	return func(hit Hit) {
		if h.err == nil {
			_, h.err = fmt.Fprintf(h.w, "{\"rule\":%q,\"offset\":%d,\"length\":%d,\"marker\":%d}\n", hit.Rule, hit.Offset, hit.Length, hit.Marker)
		}
	}
}

func (h *hitFile) close() error {
	if h == nil {
		return nil
	}
	if err := errors.Join(h.err, h.w.Flush(), h.file.Close(), h.dir.Close()); err != nil {
		return fmt.Errorf("audit file: %w", err)
	}
	return nil
}
