package fsafe

import (
	"cmp"
	"io/fs"
	"iter"
	"os"
	"slices"
	"time"
)

// Entry is what a name in a directory stands for, a link seen as itself.
type Entry struct {
	Name    string
	Mode    fs.FileMode // type and permission, setuid, setgid and sticky bits
	Size    int64       // bytes
	UID     uint32      // owner; 0 on Windows
	Links   uint64      // names of this file
	ModTime time.Time   // last change of content
	Changed time.Time   // last change of content, owner, mode or names; ModTime on Windows
	Dev     uint64      // Dev and Ino together tell one file from another
	Ino     uint64
}

// IsDir reports whether it is a directory.
func (e Entry) IsDir() bool { return e.Mode.IsDir() }

// IsRegular reports whether it is a regular file.
func (e Entry) IsRegular() bool { return e.Mode.IsRegular() }

// relinked reports whether names of the file came or went from e to later, as
// far as times tell, which a change of content hides.
func (e Entry) relinked(later Entry) bool {
	return !e.Changed.Equal(later.Changed) && e.ModTime.Equal(later.ModTime)
}

// Same reports whether both are one and the same file.
func (e Entry) Same(o Entry) bool { return e.Dev == o.Dev && e.Ino == o.Ino }

// Check returns why Open or OpenDir would refuse it, nil if they would not:
// a link, neither file nor directory, foreign, open to others, a second name.
func (e Entry) Check() error {
	if e.IsDir() {
		return failure("directory", e.Name, e.checkDir())
	}
	return failure("file", e.Name, e.checkFile())
}

func (e Entry) checkDir() error {
	switch {
	case e.Mode.Type() == fs.ModeSymlink:
		return refuse(KindLoop, "a symbolic link, which is not followed")
	case !e.IsDir():
		return refuse(KindNotDir, "not a directory but %s", typeName(e.Mode))
	}
	return e.checkAccess(0o700)
}

func (e Entry) checkFile() error {
	switch {
	case e.Mode.Type() == fs.ModeSymlink:
		return refuse(KindLoop, "a symbolic link, which is not followed")
	case !e.IsRegular():
		return refuse(KindNotRegular, "not a regular file but %s", typeName(e.Mode))
	case e.Links > 1:
		return refuse(KindNotPrivate, "known under %d names (hard links)", e.Links)
	}
	return e.checkAccess(0o600)
}

// checkAccess judges owner and mode; want is what the way out names.
func (e Entry) checkAccess(want fs.FileMode) error {
	if !isUs(e.UID) {
		return refuse(KindForeign, "owned by %s, not by us", owner(e.UID))
	}
	if perm := e.Mode.Perm(); perm&0o077 != 0 {
		return refuse(KindNotPrivate, "open to others (mode %04o): %s or choose another", perm, wayOut(want))
	}
	return nil
}

func typeName(m fs.FileMode) string {
	switch m.Type() {
	case 0:
		return "a regular file"
	case fs.ModeDir:
		return "a directory"
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeNamedPipe:
		return "a named pipe"
	case fs.ModeSocket:
		return "a socket"
	case fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		return "a device"
	}
	return "something unknown"
}

// Stat returns the facts of name, a link's own where it is one.
func (d *Dir) Stat(name string) (Entry, error) {
	if err := checkName(name); err != nil {
		return Entry{}, d.failure("stat", name, err)
	}
	e, err := d.h.stat(name)
	return e, d.failure("stat", name, err)
}

// StatFile returns the facts of an open file, under its base name.
func StatFile(f *os.File) (Entry, error) {
	e, err := statFile(f)
	return e, failure("stat", f.Name(), err)
}

// Names returns every name in the directory, sorted.
func (d *Dir) Names() ([]string, error) {
	var names []string
	err := d.h.names(func(batch []string) bool {
		names = append(names, batch...)
		return true
	})
	slices.Sort(names)
	return names, failure("read directory", d.path, err)
}

// Entries returns the facts of everything in the directory, sorted by name.
func (d *Dir) Entries() ([]Entry, error) {
	var entries []Entry
	for e, err := range d.All() {
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, nil
}

// All yields what Entries returns, unsorted and in bounded memory. What
// vanishes between listing and looking is left out. Of an entry that cannot be
// looked at only the name is known; it comes with the error.
func (d *Dir) All() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		more := true
		err := d.h.names(func(batch []string) bool {
			for _, name := range batch {
				e, err := d.h.stat(name)
				if KindOf(err) == KindNotExist {
					continue
				}
				if err != nil {
					e = Entry{Name: name}
				}
				if more = yield(e, d.failure("stat", name, err)); !more {
					return false
				}
			}
			return true
		})
		if err != nil && more {
			yield(Entry{}, failure("read directory", d.path, err))
		}
	}
}
