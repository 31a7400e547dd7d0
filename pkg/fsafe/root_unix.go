//go:build unix

package fsafe

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	maxLinks = 40   // symbolic links on one path, as Linux has it
	maxSteps = 4096 // components on one path, those of links included
)

// walk is a path on its way to a handle.
type walk struct {
	at    handle
	here  Entry    // the facts of at, whose owner is trusted
	seen  string   // the path of at, for messages
	rest  []string // components to come; no "" and no "."
	own   int      // so many of rest, at its end, were given; those before are of links; ≤ len(rest)
	links int      // followed so far
	steps int      // taken so far
	admin uint32   // the owner of "/"
	make  bool     // what is missing
	made  bool     // at is of our making
}

func openRoot(given string, create bool) (*Dir, bool, error) {
	final, made, err := walkTo(given, create)
	if err != nil {
		return nil, false, failure("directory", given, err)
	}
	return &Dir{h: final, path: given}, made, nil
}

func walkTo(given string, create bool) (final handle, made bool, err error) {
	w, err := startWalk(given, create)
	if err != nil {
		return handle{}, false, err
	}
	for len(w.rest) > 0 && err == nil {
		err = w.step()
	}
	if err == nil {
		err = w.here.checkDir()
	}
	if err == nil && w.steps > 0 {
		return w.at, w.made, nil
	}
	if err == nil { // "/", opened for searching
		final, err = w.at.reopen()
	}
	return final, false, cmp.Or(err, w.at.close())
}

func startWalk(given string, create bool) (*walk, error) {
	abs, err := absolute(given)
	if err != nil {
		return nil, err
	}
	root, err := openSlash()
	if err != nil {
		return nil, err
	}
	w := &walk{at: root, seen: "/", rest: components(abs), make: create}
	w.own = len(w.rest)
	w.here, err = w.at.statSelf()
	if err != nil {
		return nil, cmp.Or(err, w.at.close())
	}
	w.admin = w.here.UID
	return w, nil
}

func absolute(given string) (string, error) {
	switch {
	case given == "":
		return "", refuse(KindBadName, "an empty path")
	case strings.ContainsRune(given, 0):
		return "", refuse(KindBadName, "a path with a NUL byte")
	case given[0] == '/':
		return given, nil
	}
	cwd, err := unix.Getwd()
	if err == nil && !strings.HasPrefix(cwd, "/") {
		err = unix.ENOENT // it lies outside of our root directory
	}
	if err != nil {
		return "", fmt.Errorf("relative to a working directory that is gone or hidden, give it absolute: %w", err)
	}
	return cwd + "/" + given, nil
}

func components(p string) []string {
	return slices.DeleteFunc(strings.Split(p, "/"), func(part string) bool { return part == "" || part == "." })
}

// step goes one component further.
func (w *walk) step() error {
	if w.steps++; w.steps > maxSteps {
		return unix.ENAMETOOLONG
	}
	name := w.rest[0]
	given := w.own == len(w.rest)
	w.rest = w.rest[1:]
	w.own = min(w.own, len(w.rest))
	if name == ".." {
		return w.enter(name)
	}
	if err := w.checkPlace(); err != nil {
		return err
	}
	e, err := w.lookup(name)
	switch {
	case KindOf(err) == KindNotExist && w.make && given: // not what a dangling link names
		return w.create(name)
	case err != nil:
		return w.located(name, err)
	}
	switch {
	case e.IsDir():
		return w.enter(name)
	case e.Mode.Type() != fs.ModeSymlink || len(w.rest) == 0:
		return w.located(name, e.checkDir())
	}
	return w.follow(e)
}

// checkPlace refuses to look anything up where others could replace it.
func (w *walk) checkPlace() error {
	mode := w.here.Mode
	if mode.Perm()&0o022 == 0 || mode&fs.ModeSticky != 0 {
		return nil
	}
	return refuse(KindNotPrivate, "lies in %q, where others may replace it (mode %04o): chmod go-w that or choose another",
		w.seen, mode.Perm())
}

// checkOwner refuses what belongs to neither root nor us.
func (w *walk) checkOwner(name string, e Entry) error {
	if e.UID == 0 || e.UID == w.admin || isUs(e.UID) {
		return nil
	}
	return refuse(KindForeign, "%q on the way is owned by %s, neither root nor us: choose another",
		path.Join(w.seen, name), owner(e.UID))
}

// enter goes into the directory name.
func (w *walk) enter(name string) error {
	flags := openDir
	if len(w.rest) > 0 {
		flags |= searchOnly
	}
	next, err := w.at.openWith(name, flags)
	if err != nil {
		return w.located(name, err)
	}
	e, err := next.statSelf()
	if err == nil && len(w.rest) > 0 {
		err = w.checkOwner(name, e)
	}
	if err != nil {
		return cmp.Or(err, next.close())
	}
	w.made = false
	return w.moveTo(next, name, e)
}

func (w *walk) moveTo(next handle, name string, e Entry) error {
	old := w.at
	w.at, w.here, w.seen = next, e, path.Join(w.seen, name)
	return old.close()
}

// lookup returns the facts of name. For a directory that another process is
// just making under a strange umask it waits until that gave it its mode.
func (w *walk) lookup(name string) (Entry, error) {
	e, err := w.at.stat(name)
	for tries := 0; w.make && err == nil && e.IsDir() && isUs(e.UID) && e.Mode&0o700 != 0o700 && tries < 20; tries++ {
		time.Sleep(time.Millisecond)
		e, err = w.at.stat(name)
	}
	return e, err
}

// create makes the missing directory name.
func (w *walk) create(name string) error {
	next, err := w.at.mkdir(name)
	if KindOf(err) == KindExist { // someone was faster: look again
		w.rest = slices.Insert(w.rest, 0, name)
		w.own = len(w.rest)
		return nil
	}
	if err != nil {
		return w.located(name, err)
	}
	e, err := next.statSelf()
	if err == nil {
		err = w.at.syncSearched()
	}
	if err != nil {
		return cmp.Or(w.located(name, err), next.close())
	}
	w.made = true
	return w.moveTo(next, name, e)
}

// follow puts the target of the link e, found here, in its place.
func (w *walk) follow(e Entry) error {
	if err := w.checkOwner(e.Name, e); err != nil {
		return err
	}
	if w.links++; w.links > maxLinks {
		return w.located(e.Name, unix.ELOOP)
	}
	target, err := w.at.readlink(e.Name)
	if err == nil && target == "" {
		err = unix.ENOENT
	}
	if err != nil {
		return w.located(e.Name, err)
	}
	w.rest = slices.Concat(components(target), w.rest)
	if target[0] != '/' {
		return nil
	}
	root, err := openSlash()
	if err != nil {
		return err
	}
	here, err := root.statSelf()
	if err != nil {
		return cmp.Or(err, root.close())
	}
	w.seen = "/"
	return w.moveTo(root, "", here)
}

// located says at which component of the path err arose, if not at the last.
func (w *walk) located(name string, err error) error {
	if err == nil || len(w.rest) == 0 {
		return err
	}
	return fmt.Errorf("%q: %w", path.Join(w.seen, name), err)
}

func openSlash() (handle, error) {
	fd, err := unix.Open("/", openDir|searchOnly, 0)
	if err != nil {
		return handle{}, err
	}
	return newHandle(fd, "/"), nil
}
