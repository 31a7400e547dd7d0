package fsafe

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// handle is an os.Root, which follows links within itself: so each name is
// looked at first, and what was opened must be what was seen.
type handle struct{ root *os.Root }

func (h handle) close() error { return h.root.Close() }

// sync does nothing: directories cannot be flushed, NTFS journals names.
func (h handle) sync() error { return nil }

// same opens name, which must be the file that info describes.
func (h handle) same(name string, info fs.FileInfo, flag int) (*os.File, error) {
	f, err := h.root.OpenFile(name, flag, 0)
	if err != nil {
		return nil, err
	}
	got, err := f.Stat()
	if err == nil && !os.SameFile(got, info) {
		err = refuse(KindLoop, "replaced while it was opened")
	}
	if err != nil {
		return nil, cmp.Or(err, f.Close())
	}
	return f, nil
}

func (h handle) open(name, _ string, flag int) (*os.File, Entry, error) {
	info, err := h.root.Lstat(name)
	if err != nil {
		return nil, Entry{}, err
	}
	if !info.Mode().IsRegular() {
		return nil, Entry{}, Entry{Mode: info.Mode().Type()}.checkFile()
	}
	f, err := h.same(name, info, flag)
	if err != nil {
		return nil, Entry{}, err
	}
	e, err := statFile(f)
	if err == nil {
		err = e.checkFile()
	}
	if err != nil {
		return nil, Entry{}, cmp.Or(err, f.Close())
	}
	return f, e, nil
}

// create relies on the list that the directory hands down, and checks it.
func (h handle) create(name, _ string) (*os.File, error) {
	f, err := h.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	e, err := statFile(f)
	if err == nil {
		err = e.checkFile()
	}
	if err != nil {
		_ = f.Close() // the first error is the one that tells
		_ = h.remove(name)
		return nil, err
	}
	return f, nil
}

func (h handle) openDir(name string) (handle, error) {
	e, err := h.stat(name)
	if err == nil {
		err = e.checkDir()
	}
	if err != nil {
		return handle{}, err
	}
	return h.enter(name, e)
}

// enter opens the directory name, which must be the one that e describes.
func (h handle) enter(name string, e Entry) (handle, error) {
	root, err := h.root.OpenRoot(name)
	if err != nil {
		return handle{}, err
	}
	sub := handle{root}
	got, err := sub.statSelf()
	if err == nil && !got.Same(e) {
		err = refuse(KindLoop, "replaced while it was opened")
	}
	if err != nil {
		return handle{}, cmp.Or(err, sub.close())
	}
	return sub, nil
}

func (h handle) statSelf() (Entry, error) {
	f, err := h.root.Open(".")
	if err != nil {
		return Entry{}, err
	}
	e, err := statFile(f)
	return e, cmp.Or(err, f.Close())
}

func (h handle) mkdir(name string) (handle, error) {
	if err := h.root.Mkdir(name, 0o700); err != nil {
		return handle{}, err
	}
	sub, err := h.openDir(name)
	if err != nil {
		_ = h.removeDir(name) // the first error is the one that tells
	}
	return sub, err
}

// openBeneath opens the directory name to remove what is in it: a mount point
// is a reparse point, and so none.
func (h handle) openBeneath(name string) (handle, error) {
	e, err := h.stat(name)
	if err != nil {
		return handle{}, err
	}
	return h.enter(name, e)
}

// names calls batch with every name, until it returns false.
func (h handle) names(batch func([]string) bool) error {
	f, err := h.root.Open(".")
	if err != nil {
		return err
	}
	for err == nil {
		var names []string
		names, err = f.Readdirnames(256)
		if len(names) > 0 && !batch(names) {
			break
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return cmp.Or(err, f.Close())
}

func (h handle) remove(name string) error {
	info, err := h.root.Lstat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return refuse(KindNotRegular, "a directory")
	}
	return h.root.Remove(name)
}

func (h handle) removeDir(name string) error {
	info, err := h.root.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return Entry{Mode: info.Mode()}.checkDir()
	}
	return h.root.Remove(name)
}

func (h handle) renameOver(old string, _ handle, name string) error { return h.root.Rename(old, name) }

// renameNew goes by path: os.Root has no rename that refuses to replace.
func (h handle) renameNew(old string, to handle, name string) error {
	from, err := windows.UTF16PtrFromString(filepath.Join(h.root.Name(), old))
	if err != nil {
		return err
	}
	dest, err := windows.UTF16PtrFromString(filepath.Join(to.root.Name(), name))
	if err != nil {
		return err
	}
	return windows.MoveFileEx(from, dest, windows.MOVEFILE_WRITE_THROUGH)
}

// allocate gives f size bytes of space: clusters are assigned at once.
func allocate(f *os.File, size int64) error { return f.Truncate(max(size, 0)) }

// awaitRemoval does nothing: a name goes at once, or with the last handle.
func (h handle) awaitRemoval(string) {}
