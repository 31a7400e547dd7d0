package fsafe

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
)

// ErrLocked is in the chain of every error of a lock that someone else holds.
var ErrLocked = errors.New("locked by another process")

// ErrTooLarge is in the chain when a file exceeds the bound given to ReadFile.
var ErrTooLarge = errors.New("larger than the limit")

// Kind is what an error means to the caller, the same on every system.
type Kind int

// The kinds. A caller decides by kind; the error itself is for the message.
const (
	KindNone         Kind = iota // no error
	KindNoSpace                  // the filesystem has no blocks or inodes left
	KindQuota                    // the user's disk quota is used up
	KindIO                       // the storage fails or has gone
	KindFileTooLarge             // over a limit: the process's, the filesystem's or the reader's
	KindReadOnly                 // a read-only filesystem
	KindPermission               // not permitted
	KindNotExist                 // not there
	KindExist                    // there already, or a directory that is not empty
	KindLoop                     // a symbolic link, which is never followed
	KindNotRegular               // something else in place of a regular file
	KindNotDir                   // something else in place of a directory
	KindNotPrivate               // open to group or others, or known under more than one name
	KindForeign                  // owned by someone else
	KindNameTooLong              // a name or path over the filesystem's limit
	KindBadName                  // not a name of one component
	KindLocked                   // a lock that someone else holds
	KindUnsupported              // the platform or filesystem cannot do it
	KindOther                    // anything else
)

// String returns the kind in lower case, as in "no-space".
func (k Kind) String() string {
	names := [...]string{
		"none", "no-space", "quota", "io", "file-too-large", "read-only", "permission", "not-exist", "exist",
		"symlink", "not-regular", "not-directory", "not-private", "foreign", "name-too-long", "bad-name", "locked",
		"unsupported", "other",
	}
	if k < 0 || int(k) >= len(names) {
		return "kind(" + strconv.Itoa(int(k)) + ")"
	}
	return names[k]
}

// Error is the error of every method of this package: what was tried, on what,
// and why it was not done.
type Error struct {
	Op   string // "open", "create", "publish"
	Path string // as the user gave it, and the name; for messages only
	Kind Kind   // never KindNone
	Err  error  // the reason; never nil
}

// Error returns `op "path": reason`, the path quoted so that a name cannot
// forge a message.
func (e *Error) Error() string {
	return e.Op + " " + strconv.Quote(e.Path) + ": " + e.Err.Error()
}

// Unwrap returns the reason, so that errors.Is finds fs.ErrNotExist and errno.
func (e *Error) Unwrap() error { return e.Err }

// refusal is a reason of our own: the system permitted what we do not.
type refusal struct {
	kind   Kind
	reason string
}

func (r *refusal) Error() string { return r.reason }

func refuse(kind Kind, format string, args ...any) error {
	return &refusal{kind: kind, reason: fmt.Sprintf(format, args...)}
}

// failure wraps err as an *Error, once: an error that is one stays as it is.
func failure(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err // it repeats what we say
	}
	return &Error{Op: op, Path: path, Kind: KindOf(err), Err: err}
}

// KindOf tells what err means, through any wrapping; also for errors that os
// returned from a file of ours. KindOf(nil) is KindNone.
func KindOf(err error) Kind {
	if err == nil {
		return KindNone
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.kind
	}
	if k := kindOfErrno(err); k != KindNone {
		return k
	}
	switch {
	case errors.Is(err, ErrLocked):
		return KindLocked
	case errors.Is(err, ErrTooLarge):
		return KindFileTooLarge
	case errors.Is(err, fs.ErrNotExist):
		return KindNotExist
	case errors.Is(err, fs.ErrExist):
		return KindExist
	case errors.Is(err, fs.ErrPermission):
		return KindPermission
	case errors.Is(err, errors.ErrUnsupported):
		return KindUnsupported
	}
	return KindOther
}
