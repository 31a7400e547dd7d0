package receipt

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// BeginOptions are the launch facts of a capture.
type BeginOptions struct {
	Args    []string // the command line: the label, unless there is another
	Label   string   // for people; empty: from Args
	NoLabel bool     // no label at all

	// Sanitize redacts one piece of text. It is applied to each argument
	// before they are joined and to the result before it is cut: a secret
	// that was cut is one that no rule knows. Nil means that nothing is secret.
	Sanitize func(string) string

	CallID, JobID string // of the caller, taken as they are; empty for none
	Parent        string // reference of the capture whose command began this one; empty for none
	Streams       []string
	Limits        format.Limits
	Upstream      format.Upstream // zero: unknown
	Supervisor    format.Opt[format.Supervisor]
	Tool          format.Tool      // who begins it
	CreatedAt     time.Time        // zero: now; for a command that was started before
	Now           func() time.Time // nil: time.Now
}

// Begin begins a capture in ns. It is returned with its liveness lock held.
func Begin(ns *capture.Namespace, o BeginOptions) (*capture.Capture, error) {
	return ns.Begin(o.facts())
}

// facts returns the launch facts, but for the ID.
func (o BeginOptions) facts() format.Begin {
	b := format.Begin{
		Schema: format.BeginSchema, Generation: 1, Label: o.label(),
		CallID: o.meta(o.CallID), JobID: o.meta(o.JobID), Parent: format.SomeText(o.Parent),
		CreatedAt: format.At(o.created()), Streams: o.Streams, Limits: o.Limits,
		Upstream: o.Upstream, Supervisor: o.Supervisor, Tool: o.tool(),
	}
	if b.Upstream.State == "" {
		b.Upstream.State = format.UpstreamUnknown
	}
	b.Upstream.Note = o.meta(b.Upstream.Note.Or(""))
	return b
}

func (o BeginOptions) created() time.Time {
	if o.CreatedAt.IsZero() {
		return o.now()
	}
	return o.CreatedAt
}

func (o BeginOptions) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

func (o BeginOptions) tool() format.Tool {
	if o.Tool.Name == "" {
		return format.Tool{Name: "spool"}
	}
	return o.Tool
}

func (o BeginOptions) sanitize(s string) string {
	if o.Sanitize == nil {
		return s
	}
	return o.Sanitize(s)
}

// meta returns text that is fit for a receipt.
func (o BeginOptions) meta(s string) format.Opt[string] {
	return format.SomeText(format.CleanText(o.sanitize(s), format.MaxLabel))
}

// label returns the label: each argument is redacted alone, where a secret is
// the whole of it, and all together, where one argument tells that the next is
// a secret.
func (o BeginOptions) label() format.Opt[string] {
	switch {
	case o.NoLabel:
		return format.None[string]()
	case o.Label != "":
		return o.meta(o.Label)
	}
	args := make([]string, len(o.Args))
	for i, a := range o.Args {
		args[i] = o.sanitize(a)
	}
	return o.meta(strings.Join(args, " "))
}

// begun returns launch facts of a capture that lies in no namespace.
func (o BeginOptions) begun() (*format.Begin, error) {
	b := o.facts()
	var err error
	if b.ID, err = format.NewID(b.CreatedAt.Time(), rand.Reader); err != nil {
		return nil, err
	}
	if err := b.Check(); err != nil {
		return nil, fmt.Errorf("launch facts: %w", err)
	}
	return &b, nil
}
