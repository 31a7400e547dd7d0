package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"spool/internal/capture"
	"spool/internal/receipt"
	"spool/internal/redact"
	"spool/pkg/format"
)

// parentVariable names the capture of the spool-run around this one.
const parentVariable = "SPOOL_PARENT"

// store is where the run keeps what it captures.
type store struct {
	tried   bool
	ns      *capture.Namespace
	capture *capture.Capture // nil: none is begun
	err     error            // why there can be none
}

// sanitizer is the redactor for what is sanitised here, made when first needed.
type sanitizer struct {
	prepare func() (*redact.Set, []string, error)
	made    bool
	set     *redact.Set
	warn    []string // what it does not redact
	err     error
}

func (s *sanitizer) get() (*redact.Set, error) {
	if !s.made {
		s.made = true
		s.set, s.warn, s.err = s.prepare()
	}
	return s.set, s.err
}

// text sanitises metadata. Nothing is told where that cannot be done.
func (s *sanitizer) text(text string) string {
	set, err := s.get()
	if err != nil {
		return ""
	}
	return set.String(text)
}

// beginEarly begins the capture before the command is started.
func (r *run) beginEarly() error {
	if r.o.RequireCapture && r.o.Keep == KeepNever {
		return errors.New("a capture is required, but nothing is to be kept")
	}
	if r.o.early() {
		r.beginCapture()
	} else {
		r.openNamespace()
	}
	if r.o.RequireCapture && r.store.err != nil {
		return r.store.err
	}
	return nil
}

// openNamespace makes the namespace, if that was not tried before.
func (r *run) openNamespace() {
	if r.store.ns != nil || r.store.err != nil {
		return
	}
	r.store.err = r.o.NoDir
	if r.store.err == nil {
		r.store.ns, r.store.err = capture.CreateNamespace(r.o.Dir)
	}
}

// beginCapture begins the capture, if that was not tried before. Where it
// fails, the command runs without one.
func (r *run) beginCapture() {
	if r.store.tried || r.o.Keep == KeepNever {
		return
	}
	r.store.tried = true
	r.openNamespace()
	if r.store.err != nil {
		return
	}
	r.signals.attend() // who finds the capture may cancel it
	r.store.capture, r.store.err = receipt.Begin(r.store.ns, r.beginOptions())
}

func (r *run) beginOptions() receipt.BeginOptions {
	f := r.o.Facts
	parent, _ := lookup(r.o.Env, parentVariable)
	if _, err := format.ParseRef(parent); err != nil {
		parent = ""
	}
	var created time.Time
	if r.cmd != nil && r.cmd.child != nil { // a result is never younger than what it is of
		created = r.cmd.started
	}
	return receipt.BeginOptions{
		CreatedAt: created, Args: r.o.Command, Label: f.Label, NoLabel: f.NoLabel, Sanitize: r.set.text,
		CallID: f.CallID, JobID: f.JobID, Parent: parent,
		Streams: r.o.streams(), Limits: f.Limits, Upstream: f.Upstream,
		Supervisor: supervisor(), Tool: f.Tool,
	}
}

// probe tells why the namespace cannot be used, without making it: for a run
// that kept nothing because there was no need.
func (r *run) probe() error {
	if r.store.tried || r.store.ns != nil || r.o.Keep == KeepNever {
		return r.store.err
	}
	if r.o.NoDir != nil {
		return r.o.NoDir
	}
	ns, err := capture.OpenNamespace(r.o.Dir)
	if err == nil {
		return ns.Close()
	}
	if !isNotExist(err) {
		return err
	}
	_, err = checkParent(r.o.Dir)
	return err
}

// checkParent returns the nearest parent of dir that is there, if a directory
// can be made in it.
func checkParent(dir string) (parent string, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("namespace %q: %w", dir, err)
	}
	for parent = filepath.Dir(abs); ; parent = filepath.Dir(parent) {
		err := mayCreateIn(parent)
		if err == nil {
			return parent, nil
		}
		if !isNotExist(err) || parent == filepath.Dir(parent) {
			return "", fmt.Errorf("namespace %q: directory %q: %w", dir, parent, err)
		}
	}
}

// stageArgs returns how a stage is told where its capture is; nil where there
// is none.
func (s *store) stageArgs(stream string) []string {
	if s.capture == nil {
		return nil
	}
	return []string{"--capture", s.capture.Path(), "--stream", stream}
}

// lockFD returns the descriptor that holds the capture's lock; -1 for none.
func (s *store) lockFD() int {
	if s.capture == nil {
		return -1
	}
	f := s.capture.LockFile()
	if f == nil {
		return -1
	}
	return int(f.Fd())
}

func (s *store) close() {
	if s.capture != nil {
		_ = s.capture.Close() // everything was said by then
	}
	if s.ns != nil {
		_ = s.ns.Close()
	}
}

// emptyReport is what a redactor has to say of a stream on which nothing came.
func (r *run) emptyReport(stream string) (*format.RedactReport, error) {
	set, err := r.set.get()
	if err != nil {
		return nil, err
	}
	w := set.NewWriter(io.Discard)
	if err := w.Close(); err != nil {
		return nil, err
	}
	return redactReport(w.Stats(), stream, r.o.Facts.Tool), nil
}

// writeEmpty makes the file and the reports of a stream on which nothing came.
func (r *run) writeEmpty(stream string) error {
	report, err := r.emptyReport(stream)
	if err != nil {
		return err
	}
	c := r.store.capture
	return errors.Join(c.WriteRedact(report), receipt.WriteEmpty(context.Background(), c, stream))
}
