package preview

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"spool/internal/account"
	"spool/internal/capture"
	"spool/pkg/format"
)

// facts is what is known of a capture when it is looked at.
type facts struct {
	receipt *format.Receipt
	final   bool // the receipt is the published one; else it was made up on the spot
	live    bool // someone cares for the capture: what is missing may still come
}

// factsOf reads the receipt. For a capture without one it makes one up: the
// process runs only while the liveness lock is held, and the capture is pending.
func factsOf(c *capture.Capture) (facts, error) {
	r, err := c.Receipt()
	if err == nil {
		return facts{receipt: r, final: true}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return facts{}, err
	}
	live, err := c.Live()
	if err != nil {
		return facts{}, err
	}
	known, err := account.Gather(c, false)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("capture %s died before it had begun: spool-gc removes it", c.ID())
	}
	if err != nil {
		return facts{}, err
	}
	// It may have been finished, and its reports removed, while we looked.
	if r, err := c.Receipt(); err == nil {
		return facts{receipt: r, final: true}, nil
	}
	r = account.Fold(known, account.Options{Tool: known.Begin.Tool, Pending: true})
	if live && known.Process == nil {
		r.Process.State = format.ProcessRunning
	}
	return facts{receipt: r, live: live}, nil
}

// failed tells whether the command is known not to have succeeded.
func (f facts) failed() bool {
	p := f.receipt.Process
	code, known := p.ExitCode.Get()
	return known && code != 0 || p.Signal.IsSet() || p.State != format.ProcessExited && p.State != format.ProcessRunning && p.State != format.ProcessUnknown
}

// Source names where bytes come from; every answer in JSON has it.
type Source struct {
	Ref            string                `json:"ref"`
	Producer       format.Opt[string]    `json:"producer"` // the label: what was run
	Origin         format.Opt[string]    `json:"origin"`   // the capture that this one is a copy of
	Representation format.Representation `json:"representation"`
	Untrusted      bool                  `json:"untrusted"` // always: the bytes are a command's
	Process        format.Process        `json:"process"`
	Capture        format.Capture        `json:"capture"`
	Upstream       format.Upstream       `json:"upstream"`
	Final          bool                  `json:"final"` // nothing more will come
}

func (f facts) source(stream string) Source {
	r := f.receipt
	return Source{
		Ref: format.Ref{ID: r.ID, Stream: stream}.String(), Producer: r.Label, Origin: r.Origin,
		Representation: r.Representation, Untrusted: true,
		Process: r.Process, Capture: r.Capture, Upstream: r.Upstream, Final: f.final,
	}
}

// line is the first line of a look: being the first, no output can forge it.
func (s Source) line(omitted int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "spool %s process=%s", s.Ref, s.Process.State)
	if code, ok := s.Process.ExitCode.Get(); ok {
		fmt.Fprintf(&b, " exit=%d", code)
	}
	if sig, ok := s.Process.Signal.Get(); ok {
		fmt.Fprintf(&b, " signal=%s", sig)
	}
	fmt.Fprintf(&b, " capture=%s", s.Capture.State)
	for i, r := range s.Capture.Reasons {
		b.WriteString([]string{" reasons=", ","}[min(i, 1)] + string(r.Code()))
	}
	fmt.Fprintf(&b, " omitted=%d representation=%s", omitted, s.Representation.Kind.Or("unknown"))
	if s.Upstream.State == format.UpstreamTruncated {
		b.WriteString(" upstream=truncated")
	}
	fmt.Fprintf(&b, " origin=%s untrusted producer=%s\n", s.Origin.Or("local"), strconv.Quote(s.Producer.Or("")))
	return b.String()
}
