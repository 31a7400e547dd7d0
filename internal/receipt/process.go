package receipt

import (
	"context"
	"fmt"
	"strings"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
)

// ProcessOptions say how a command ended.
type ProcessOptions struct {
	State  format.ProcessState // zero: exited
	Exit   format.Opt[int64]   // its exit code, 0 to 255
	Signal string              // the name of the signal that ended it, with or without SIG; empty for none
	Now    func() time.Time    // nil: time.Now
}

// Check returns what is wrong with the options: a usage error.
func (o ProcessOptions) Check() error {
	facts := o.facts(time.Unix(0, 0))
	return facts.Check()
}

// Process records how the command ended. It is recorded once: fs.ErrExist if it
// was before.
func Process(ctx context.Context, c *capture.Capture, o ProcessOptions) error {
	now := time.Now
	if o.Now != nil {
		now = o.Now
	}
	if err := c.Hold(ctx); err != nil {
		return err
	}
	facts := o.facts(now())
	if err := c.WriteProcess(&facts); err != nil {
		return fmt.Errorf("record the process of capture %s: %w", c.ID(), err)
	}
	return nil
}

func (o ProcessOptions) facts(now time.Time) format.ProcessFacts {
	p := format.ProcessFacts{
		Schema:  format.ProcessSchema,
		Process: format.Process{State: o.State, ExitCode: o.Exit},
		Reasons: []format.Reason{},
	}
	if o.State == "" {
		p.Process.State = format.ProcessExited
	}
	if o.Signal != "" {
		p.Process.Signal = format.Some("SIG" + strings.TrimPrefix(strings.ToUpper(o.Signal), "SIG"))
	}
	if p.Process.State != format.ProcessNotStarted && p.Process.State != format.ProcessUnknown {
		p.EndedAt = format.At(now)
	}
	return p
}
