package fsafe

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"os"
	"strings"
)

// maxSwaps bounds how often a file may be replaced while we look at it.
const maxSwaps = 100

const separator = string(os.PathSeparator)

// Dir is a held directory. Everything it does is relative to the directory
// itself, not to its path, which may come to mean something else meanwhile.
// Its methods may be used by many goroutines at once, and fail with
// fs.ErrClosed after Close. Every error is an [*Error]; see [KindOf].
type Dir struct {
	h    handle
	path string // as the user gave it; never resolved again
}

// OpenRoot opens an existing directory that is to hold private files.
//
// The path is walked one component at a time. A directory or symbolic link on
// the way is accepted only as OpenSSH would: owned by root or by us (the
// owner of "/" stands for root where user namespaces hide root), and lying
// where no one else can replace it, which means in a directory that neither
// group nor others may write, or that is sticky like /tmp. The final component
// is never a link; it must be a directory owned by us, with no permission for
// group and others, or it is refused as it is: [KindLoop], [KindNotDir],
// [KindForeign], [KindNotPrivate].
//
// A relative path starts at the working directory, whose own path is walked
// too; one that was deleted is an error.
func OpenRoot(path string) (*Dir, error) {
	d, _, err := openRoot(path, false)
	return d, err
}

// CreateRoot is OpenRoot, but makes the directory and its missing parents,
// each with mode 0700 exactly under any umask, default ACL or setgid parent,
// and durably. Nothing that existed is changed. made reports whether the final
// directory is of this call's making.
func CreateRoot(path string) (d *Dir, made bool, err error) {
	return openRoot(path, true)
}

// Path returns the path the directory was opened by, for messages only.
func (d *Dir) Path() string { return d.path }

// Close releases the directory. What was opened from it stays open.
func (d *Dir) Close() error { return failure("close", d.path, d.h.close()) }

// Sync makes the directory's names durable: those created, renamed and removed
// before. Where the filesystem cannot sync a directory, it does nothing.
func (d *Dir) Sync() error { return failure("sync", d.path, d.h.sync()) }

// OpenDir opens the directory name: not a link, ours, private.
func (d *Dir) OpenDir(name string) (*Dir, error) {
	return d.sub("open directory", name, handle.openDir)
}

// Mkdir creates the directory name, 0700 exactly, and opens it. It is an error
// of [KindExist] if anything has that name, a dangling link included.
func (d *Dir) Mkdir(name string) (*Dir, error) {
	return d.sub("create directory", name, handle.mkdir)
}

func (d *Dir) sub(op, name string, open func(handle, string) (handle, error)) (*Dir, error) {
	if err := checkName(name); err != nil {
		return nil, d.failure(op, name, err)
	}
	h, err := open(d.h, name)
	if err != nil {
		return nil, d.failure(op, name, err)
	}
	return &Dir{h: h, path: d.join(name)}, nil
}

// Create creates the file name, 0600 exactly, for reading and writing. It is
// an error of [KindExist] if anything has that name; what has it is untouched.
func (d *Dir) Create(name string) (*os.File, error) {
	if err := checkName(name); err != nil {
		return nil, d.failure("create", name, err)
	}
	f, err := d.h.create(name, d.join(name))
	return f, d.failure("create", name, err)
}

// Open opens the file name for reading. Like the other Open methods it accepts
// only a regular file that is ours, private and has no second name (a hard
// link), and never blocks on a FIFO or device in its place.
func (d *Dir) Open(name string) (*os.File, error) { return d.open(name, os.O_RDONLY) }

// OpenRW opens the existing file name for reading and writing; see Open.
func (d *Dir) OpenRW(name string) (*os.File, error) { return d.open(name, os.O_RDWR) }

// OpenAppend opens the existing file name for reading and for writing at its
// end only; see Open.
func (d *Dir) OpenAppend(name string) (*os.File, error) {
	return d.open(name, os.O_RDWR|os.O_APPEND)
}

func (d *Dir) open(name string, flag int) (*os.File, error) {
	f, _, err := d.openNamed(name, flag)
	return f, d.failure("open", name, err)
}

// openNamed opens name and makes sure that it is the only name of what it got;
// replaced meanwhile, it is opened again.
func (d *Dir) openNamed(name string, flag int) (*os.File, Entry, error) {
	if err := checkName(name); err != nil {
		return nil, Entry{}, err
	}
	for range maxSwaps {
		f, e, err := d.h.open(name, d.join(name), flag)
		if err != nil {
			return nil, Entry{}, err
		}
		sole, err := d.isSole(f, e, name)
		if sole && err == nil {
			return f, e, nil
		}
		if err = cmp.Or(err, f.Close()); err != nil {
			return nil, Entry{}, err
		}
	}
	return nil, Entry{}, refuse(KindOther, "replaced again and again")
}

// isSole reports whether name is the one name of f, whose facts were e. A hard
// link to a file elsewhere could lose its name here while we look, and then
// that file's count is one, as ours have. So, after e was read: removals that
// were under way are waited for, the name must still lead to f, and no name of
// f may have come or gone since. Before Linux 6.13 times are too coarse to tell
// the last for certain; who profits from that owns both files anyway.
func (d *Dir) isSole(f *os.File, e Entry, name string) (bool, error) {
	d.h.awaitRemoval(name)
	there, err := d.h.stat(name)
	if err != nil || !there.Same(e) {
		return false, err
	}
	if err := there.checkFile(); err != nil {
		return false, err
	}
	now, err := statFile(f)
	return err == nil && !e.relinked(now), err
}

// ReadFile returns the content of the file name, which must not be larger than
// limit bytes, or the error is [ErrTooLarge]; see Open for what is refused.
func (d *Dir) ReadFile(name string, limit int64) ([]byte, error) {
	f, e, err := d.openNamed(name, os.O_RDONLY)
	if err != nil {
		return nil, d.failure("open", name, err)
	}
	// The size is a hint: the file may grow while it is read.
	data := bytes.NewBuffer(make([]byte, 0, min(e.Size, limit)+bytes.MinRead))
	_, err = data.ReadFrom(io.LimitReader(f, min(limit, math.MaxInt64-1)+1))
	if err == nil && int64(data.Len()) > limit {
		err = &Error{Op: "read", Path: d.join(name), Kind: KindFileTooLarge, Err: ErrTooLarge}
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		return nil, d.failure("read", name, err)
	}
	return data.Bytes(), nil
}

// Remove unlinks the file, link or anything else but a directory of that name.
func (d *Dir) Remove(name string) error {
	return d.named("remove", name, d.h.remove)
}

// RemoveDir removes the empty directory name.
func (d *Dir) RemoveDir(name string) error {
	return d.named("remove directory", name, d.h.removeDir)
}

func (d *Dir) named(op, name string, do func(string) error) error {
	err := checkName(name)
	if err == nil {
		err = do(name)
	}
	return d.failure(op, name, err)
}

// Locality names the directory's filesystem and tells whether its locks can be
// depended on: whether whoever asks on this filesystem sees every lock that is
// held. Network filesystems, 9p, virtiofs, FUSE and unknown ones: no.
func (d *Dir) Locality() (fsname string, dependableLocks bool, err error) {
	fsname, dependableLocks, err = d.h.locality()
	return fsname, dependableLocks, failure("inspect filesystem of", d.path, err)
}

// Free returns how many bytes the directory's filesystem has left for us, where
// it tells. It is a hint: quotas, snapshots and other writers know better.
func (d *Dir) Free() (bytes int64, known bool) { return d.h.free() }

func (d *Dir) join(name string) string {
	return strings.TrimSuffix(d.path, separator) + separator + name
}

func (d *Dir) failure(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return failure(op, d.join(name), err)
}
