package receipt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// names looks at everything that lies in the capture, and at its directory.
func (v *verifier) names(ctx context.Context) error {
	self, err := v.c.Namespace().Root().Stat(string(v.c.ID()))
	if err != nil {
		return err
	}
	if err := checkEntry(self, true); err != nil {
		v.fault("", "%v", err)
	}
	entries, err := v.c.Root().Entries()
	if err != nil {
		return err
	}
	for _, must := range []string{"lock", "begin.json", "receipt.json"} {
		if !slices.ContainsFunc(entries, func(e fsafe.Entry) bool { return e.Name == must }) {
			v.fault(must, "is missing")
		}
	}
	for _, e := range entries {
		if err := v.name(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// name looks at one entry of the capture.
func (v *verifier) name(ctx context.Context, e fsafe.Entry) error {
	kind, stream := capture.KindInCapture(e.Name)
	switch {
	case fsafe.IsTemp(e.Name):
		v.temporary(strconv.Quote(e.Name), e)
		return nil
	case kind == capture.NameUnknown:
		v.fault(strconv.Quote(e.Name), "is nothing that spool makes")
		return nil
	}
	if err := checkEntry(e, kind == capture.NameCursors); err != nil {
		v.fault(e.Name, "%v", err)
		return nil
	}
	switch kind {
	case capture.NameCursors:
		return v.cursors(ctx)
	case capture.NameReserved, capture.NameProcess:
		v.leftover(e.Name)
	case capture.NameReport:
		v.report(e.Name, stream)
	case capture.NameLive:
		v.fault(e.Name, "is the name of a stream being written, though the capture is final")
	default: // what a final capture has
	}
	return nil
}

// temporary notes what someone made to publish it and did not live to. It has
// to be of some age: one that claims a capture holds no lock.
func (v *verifier) temporary(name string, e fsafe.Entry) {
	if err := abandoned(e, "a temporary"); err != nil {
		v.fault(name, "%v", err)
	}
}

// leftover notes what the receipt has taken in and nobody is about to remove.
func (v *verifier) leftover(name string) {
	if v.settled {
		v.fault(name, "was taken in by the receipt and not removed: spool-gc removes it")
	}
}

// report judges a stage's report that lies beside a receipt: the preview's of a
// stream that is not whole may, and nothing else.
func (v *verifier) report(name, stream string) {
	if v.receipt == nil {
		return
	}
	s, ok := v.receipt.Streams[stream]
	if !ok || name != stream+".preview.json" || s.Whole() == nil {
		v.leftover(name)
		return
	}
	if _, err := v.c.Preview(stream); err != nil {
		v.fault(name, "%v", err)
	}
}

// cursors looks at the consumers' read positions.
func (v *verifier) cursors(ctx context.Context) error {
	dir, err := v.c.Root().OpenDir("cursors")
	if err != nil {
		return err
	}
	entries, err := dir.Entries()
	if err = errors.Join(err, dir.Close()); err != nil {
		return err
	}
	for _, e := range entries {
		at := "cursors/" + strconv.Quote(e.Name)
		if fsafe.IsTemp(e.Name) {
			v.temporary(at, e)
			continue
		}
		if err := format.CheckName(e.Name); err != nil {
			v.fault(at, "is no consumer: %v", err)
			continue
		}
		if err := checkEntry(e, false); err != nil {
			v.fault("cursors/"+e.Name, "%v", err)
			continue
		}
		if err := v.cursor(ctx, e.Name); err != nil {
			return err
		}
	}
	return nil
}

// cursor looks at one consumer's position in each stream.
func (v *verifier) cursor(ctx context.Context, consumer string) error {
	k, err := v.c.Cursor(ctx, consumer)
	if errors.Is(err, capture.ErrCorrupt) {
		v.fault("cursors/"+consumer, "%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	if v.receipt != nil {
		for name, s := range v.receipt.Streams {
			p, moved := k.Position(name)
			end, known := s.Representation.RetainedEnd.Value()
			if moved && (p.Generation != v.receipt.Generation || known && p.Offset > end) {
				v.fault("cursors/"+consumer, "stands at %d:%d of %s, which has generation %d and ends at %v",
					p.Generation, p.Offset, name, v.receipt.Generation, s.Representation.RetainedEnd)
			}
		}
	}
	return k.Close()
}

// VerifyNamespace looks at the namespace itself and at what lies in it beside
// captures.
func VerifyNamespace(ns *capture.Namespace) ([]Fault, error) {
	var faults []Fault
	entries, err := ns.Root().Entries()
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if err := checkNamespaceEntry(e); err != nil {
			faults = append(faults, Fault{strconv.Quote(e.Name), err.Error()})
		}
	}
	return faults, nil
}

func checkNamespaceEntry(e fsafe.Entry) error {
	kind, _ := capture.KindInNamespace(e.Name)
	switch {
	case fsafe.IsTemp(e.Name):
		return abandoned(e, "a temporary")
	case kind == capture.NameUnknown:
		return errors.New("is nothing that spool makes")
	case kind == capture.NamePending:
		return abandoned(e, "a capture whose beginning was cut off")
	case kind == capture.NameDeleted:
		return abandoned(e, "a capture whose removal was cut off")
	}
	if kind == capture.NameCapture {
		return nil // Verify tells
	}
	return checkEntry(e, false)
}

// abandoned tells of what is of a moment only, if it has been there for long.
func abandoned(e fsafe.Entry, what string) error {
	if time.Since(e.ModTime) < Quiet {
		return nil
	}
	return fmt.Errorf("%s: spool-gc removes it", what)
}

// VerifyAllowance looks at the namespace's allowance: it must be one, and count
// no less than the files hold.
func VerifyAllowance(ctx context.Context, ns *capture.Namespace) ([]Fault, error) {
	err := ns.CheckAllowance(ctx)
	if errors.Is(err, capture.ErrCorrupt) {
		return []Fault{{"allowance", err.Error()}}, nil
	}
	return nil, err
}
