package sweep

import (
	"errors"
	"io/fs"
	"slices"

	"spool/internal/capture"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// remains clears up in a final capture, which holds names: what its receipt has
// taken in, and temporaries. Most often there is nothing of the kind, and the
// receipt need not be read: there may be many thousands.
func (s *sweeper) remains(c *capture.Capture, names []string) error {
	temps, unfolded := false, false
	for _, name := range names {
		switch kind, _ := capture.KindInCapture(name); {
		case fsafe.IsTemp(name) || kind == capture.NameCursors:
			temps = true
		case kind == capture.NameLive:
			s.left(string(c.ID())+"/"+name, "is a stream that the receipt does not speak of")
		case kind == capture.NameReserved, kind == capture.NameProcess, kind == capture.NameReport:
			unfolded = true
		}
	}
	if unfolded {
		if err := s.fold(c); err != nil {
			return err
		}
	}
	if temps {
		if err := s.temporaries(c, true); err != nil {
			return err
		}
	}
	held, err := c.HeldIn(names)
	s.final[c.ID()] = held
	return err
}

// isFolded tells whether a name is that of something which goes when the
// receipt is there.
func isFolded(kind capture.NameKind, name, stream string, r *format.Receipt) bool {
	switch kind {
	case capture.NameReserved, capture.NameProcess:
		return true
	case capture.NameReport:
		of, ok := r.Streams[stream]
		return ok && (name != stream+".preview.json" || of.Whole() == nil)
	default:
		return false
	}
}

// fold removes what the receipt has taken in, unless whoever published it is
// about to, or has done so meanwhile.
func (s *sweeper) fold(c *capture.Capture) error {
	r, err := c.Receipt()
	if err != nil {
		return err
	}
	folded, err := unfolded(c, r)
	if err != nil || len(folded) == 0 {
		return err
	}
	if free, err := s.seize(c); !free || err != nil {
		return err
	}
	if folded, err = unfolded(c, r); err != nil {
		return err
	}
	if !s.o.DryRun {
		if err := c.Fold(r); err != nil {
			return err
		}
	}
	for _, name := range folded {
		s.add(Removed, string(c.ID())+"/"+name, "")
	}
	return nil
}

// unfolded returns what the receipt has taken in and lies there still.
func unfolded(c *capture.Capture, r *format.Receipt) ([]string, error) {
	names, err := c.Root().Names()
	return slices.DeleteFunc(names, func(name string) bool {
		kind, stream := capture.KindInCapture(name)
		return !isFolded(kind, name, stream, r)
	}), err
}

// temporaries removes abandoned temporaries in the capture and among its
// cursors. Where readers may be about, a temporary has to be of some age.
func (s *sweeper) temporaries(c *capture.Capture, readers bool) error {
	err := s.temporariesIn(c.Root(), string(c.ID())+"/", readers)
	dir, open := c.Root().OpenDir("cursors")
	switch {
	case errors.Is(open, fs.ErrNotExist):
		return err
	case open != nil:
		return errors.Join(err, s.foreign(string(c.ID())+"/cursors", open))
	}
	return errors.Join(err, s.temporariesIn(dir, string(c.ID())+"/cursors/", true), dir.Close())
}

func (s *sweeper) temporariesIn(dir *fsafe.Dir, prefix string, readers bool) error {
	names, err := dir.Names()
	for _, name := range names {
		if !fsafe.IsTemp(name) {
			continue
		}
		if readers {
			err = errors.Join(err, s.temporary(dir, name, prefix+name))
			continue
		}
		if !s.o.DryRun {
			err = errors.Join(err, gone(dir.Remove(name)))
		}
		s.add(Removed, prefix+name, "")
	}
	return err
}
