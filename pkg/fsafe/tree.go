package fsafe

import "cmp"

// maxDepth bounds the levels RemoveTree goes down, and so the descriptors it
// holds.
const maxDepth = 64

// RemoveTree removes name and, where it is a directory, all that is in it, as
// far as it can; the first error is returned. It never follows a link, enters
// no other filesystem and changes no mode. More than 64 levels are refused.
// What is removed need not be ours or private.
func (d *Dir) RemoveTree(name string) error {
	return d.named("remove", name, func(name string) error { return d.h.removeTree(name, 0) })
}

func (h handle) removeTree(name string, depth int) error {
	e, err := h.stat(name)
	if err != nil {
		return err
	}
	if !e.IsDir() {
		return h.remove(name)
	}
	if depth == maxDepth {
		return refuse(KindOther, "more than %d levels of directories", maxDepth)
	}
	if err := h.clear(name, depth); err != nil {
		return err
	}
	return h.removeDir(name)
}

// clear removes what is in the directory name.
func (h handle) clear(name string, depth int) error {
	sub, err := h.openBeneath(name)
	if err != nil {
		return err
	}
	var names []string
	err = sub.names(func(batch []string) bool {
		names = append(names, batch...)
		return true
	})
	for _, n := range names {
		gone := sub.removeTree(n, depth+1)
		if KindOf(gone) == KindNotExist { // by someone else
			continue
		}
		if err == nil {
			err = gone
		}
	}
	return cmp.Or(err, sub.close())
}
