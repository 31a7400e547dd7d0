package receipt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// A Fault is something in a namespace that is not as the contract has it.
type Fault struct {
	Where   string // ID, ID/NAME or NAME, the name quoted where it is not one of ours
	Problem string
}

// String returns where: problem.
func (f Fault) String() string { return f.Where + ": " + f.Problem }

// Quiet is how long a capture without a receipt may lie still before it counts
// as abandoned: in a line made by hand nobody holds its lock between two parts.
const Quiet = 60 * time.Second

// Verdict is what [Verify] finds.
type Verdict struct {
	Faults []Fault
	Live   bool // the capture is not final and somebody may be at work: it was not looked at
}

// verifier looks at one capture.
type verifier struct {
	c       *capture.Capture
	begin   *format.Begin   // nil: cannot be read, which is a fault
	receipt *format.Receipt // nil: none, or it cannot be read
	faults  []Fault
	settled bool // nobody is at work: what was to be removed is not about to be
}

// Verify holds one final capture against its bytes: sizes, hashes, lines, modes,
// names, the rules of the receipt and what it says of the files. The receipt's
// word is taken for nothing that the bytes can tell. An error says that it could
// not look, not that something is wrong.
func Verify(ctx context.Context, c *capture.Capture) (Verdict, error) {
	v := &verifier{c: c}
	live, err := c.Live()
	if err != nil {
		return Verdict{}, err
	}
	v.settled = !live
	r, err := c.Receipt()
	if errors.Is(err, fs.ErrNotExist) {
		return v.unfinished(live)
	}
	v.receipt = r
	if err != nil {
		v.fault("receipt.json", "%v", err)
	}
	if v.begin, err = c.Begin(); err != nil {
		v.fault("begin.json", "%v", err)
	}
	if err := v.names(ctx); err != nil {
		return Verdict{}, err
	}
	if v.receipt != nil {
		v.launch()
		v.streams()
	}
	return Verdict{Faults: v.faults}, ctx.Err()
}

// unfinished judges a capture without a receipt.
func (v *verifier) unfinished(live bool) (Verdict, error) {
	if live {
		return Verdict{Live: true}, nil
	}
	entries, err := v.c.Root().Entries()
	if err != nil {
		return Verdict{}, err
	}
	for _, e := range entries {
		if time.Since(e.ModTime) < Quiet {
			return Verdict{Live: true}, nil
		}
	}
	v.fault("", "no receipt, and nobody cares for it: spool-gc publishes one")
	return Verdict{Faults: v.faults}, nil
}

// fault notes a fault of the capture, or of the file name in it.
func (v *verifier) fault(name, problem string, args ...any) {
	where := string(v.c.ID())
	if name != "" {
		where += "/" + name
	}
	v.faults = append(v.faults, Fault{where, fmt.Sprintf(problem, args...)})
}

// launch holds the receipt against begin.json, which it takes its launch facts
// from.
func (v *verifier) launch() {
	b, r := v.begin, v.receipt
	if b == nil {
		return
	}
	for _, fact := range []struct {
		field string
		same  bool
	}{
		{"call_id", b.CallID == r.CallID},
		{"job_id", b.JobID == r.JobID},
		{"parent", b.Parent == r.Parent},
		{"origin", b.Origin == r.Origin},
		{"generation", b.Generation == r.Generation},
		{"label", b.Label == r.Label},
		{"created_at", b.CreatedAt == r.CreatedAt},
		{"upstream", b.Upstream == r.Upstream},
		{"streams", sameStreams(b.Streams, r.Streams)},
	} {
		if !fact.same {
			v.fault("receipt.json", "%s is not that of begin.json", fact.field)
		}
	}
	if !r.PublishedAt.IsKnown() {
		v.fault("receipt.json", "published_at is unknown")
	}
	if !r.Final() {
		v.fault("receipt.json", "is of a capture that is not final: %s, process %s", r.Capture.State, r.Process.State)
	}
}

func sameStreams(names []string, streams map[string]format.Stream) bool {
	if len(names) != len(streams) {
		return false
	}
	for _, n := range names {
		if _, ok := streams[n]; !ok {
			return false
		}
	}
	return true
}

// checkEntry tells what is wrong with owner, type, links and mode of an entry.
func checkEntry(e fsafe.Entry, dir bool) error {
	if e.IsDir() != dir {
		if dir {
			return errors.New("not a directory")
		}
		return errors.New("not a regular file")
	}
	if err := e.Check(); err != nil {
		if of, ok := errors.AsType[*fsafe.Error](err); ok {
			return of.Err
		}
		return err
	}
	want := fs.FileMode(0o600)
	if dir {
		want = 0o700
	}
	if got := e.Mode.Perm(); got != want && runtime.GOOS != "windows" {
		return fmt.Errorf("mode %04o: want %04o", got, want)
	}
	return nil
}
