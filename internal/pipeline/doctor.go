package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"spool/internal/capture"
	"spool/internal/preview"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// Grade tells how grave a finding is.
type Grade string

// The grades.
const (
	GradeOK   Grade = "ok"
	GradeWarn Grade = "warn" // it works, but not as one might expect
	GradeFail Grade = "fail" // it would not work
)

// Finding is what a check found.
type Finding struct {
	Grade   Grade
	Subject string
	Text    string
}

// CheckOptions say what to check.
type CheckOptions struct {
	Dir              string
	NoDir            error // why there is no Dir
	Limits           format.Limits
	Executable, Path string
	Version          string // of this program
	Stdin, Stderr    *os.File
	Term             string
}

// Check looks at what a run depends on. It makes nothing, not even the
// namespace.
func Check(o CheckOptions) []Finding {
	list := checkNamespace(o)
	list = append(list, checkStages(o)...)
	list = append(list, checkSystem()...)
	return append(list, checkTerminal(o))
}

func checkNamespace(o CheckOptions) []Finding {
	const subject = "namespace"
	if o.NoDir != nil {
		return []Finding{{GradeFail, subject, o.NoDir.Error() + nothingKept}}
	}
	ns, err := capture.OpenNamespace(o.Dir)
	if isNotExist(err) {
		return checkPlace(o.Dir)
	}
	if err != nil {
		return []Finding{{GradeFail, subject, err.Error() + nothingKept}}
	}
	defer ns.Close() //nolint:errcheck // nothing was written
	if err := mayCreateIn(o.Dir); err != nil {
		list := []Finding{{GradeFail, subject, fmt.Sprintf("%q cannot be written: %v", o.Dir, err) + nothingKept}}
		return append(list, checkFilesystem(ns.Root())...)
	}
	list := []Finding{{GradeOK, subject, fmt.Sprintf("%q is private and ours", o.Dir)}}
	return append(append(list, checkFilesystem(ns.Root())...), checkAllowance(ns, o.Limits.NamespaceBytes))
}

// nothingKept is what an unusable namespace means.
const nothingKept = ": commands run, but nothing is kept"

// checkAllowance tells whether the namespace's lock can be had, and what room there
// is in it.
func checkAllowance(ns *capture.Namespace, limit format.Size) Finding {
	const subject = "allowance"
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	taken, known, err := ns.Taken(ctx)
	switch {
	case errors.Is(err, capture.ErrLockStalled):
		return Finding{GradeWarn, subject, "another process holds the lock and does not let go: keeping ends with writer-stalled"}
	case err != nil:
		return Finding{GradeFail, subject, err.Error() + nothingKept}
	case !known:
		return Finding{GradeOK, subject, "the next run counts what is taken"}
	case limit != format.Unlimited && taken >= int64(limit):
		return Finding{GradeWarn, subject, fmt.Sprintf("%d MiB of %v are taken: nothing more is kept; spool-gc --prune makes room", taken>>20, limit)}
	}
	return Finding{GradeOK, subject, fmt.Sprintf("%d MiB of %v are taken", taken>>20, limit)}
}

// checkPlace tells whether a namespace that is not there can be made, and what
// it will lie on.
func checkPlace(dir string) []Finding {
	const subject = "namespace"
	parent, err := checkParent(dir)
	if err != nil {
		return []Finding{{GradeFail, subject, err.Error() + nothingKept}}
	}
	list := []Finding{{GradeOK, subject, fmt.Sprintf("%q is not there yet and can be made", dir)}}
	place, _, err := fsafe.OpenParent(filepath.Join(parent, "x"))
	if err != nil {
		return append(list, Finding{GradeWarn, "filesystem", err.Error()})
	}
	defer place.Close() //nolint:errcheck // nothing was written
	return append(list, checkFilesystem(place)...)
}

// checkFilesystem tells what the filesystem of a directory is not fit for.
func checkFilesystem(dir *fsafe.Dir) []Finding {
	const subject = "filesystem"
	name, dependable, err := dir.Locality()
	if err != nil {
		return []Finding{{GradeWarn, subject, err.Error()}}
	}
	var list []Finding
	switch {
	case !dependable:
		list = append(list, Finding{GradeWarn, subject, name + ": its locks cannot be relied on, so spool-gc reclaims nothing here"})
	case name == "tmpfs" || name == "ramfs":
		list = append(list, Finding{GradeWarn, subject, name + ": captures use memory, up to --max-namespace, and are gone after a boot"})
	default:
		list = append(list, Finding{GradeOK, subject, name})
	}
	var st unix.Statfs_t
	const little = 256 << 20
	if err := unix.Statfs(dir.Path(), &st); err == nil && uint64(st.Bavail)*uint64(st.Bsize) < little { //nolint:gosec,unconvert // both are sizes; their types differ by platform
		list = append(list, Finding{GradeWarn, subject, fmt.Sprintf("less than %d MiB are free", little>>20)})
	}
	return list
}

func checkTerminal(o CheckOptions) Finding {
	const subject = "terminal"
	var has []string
	if preview.IsTerminal(o.Stdin) {
		if openTerminal(int(o.Stdin.Fd())) == nil {
			return Finding{GradeWarn, subject, "stdin is a terminal, but not ours to give: the command runs in the background of it"}
		}
		has = append(has, "the command gets the foreground")
	}
	switch {
	case !preview.IsTerminal(o.Stderr):
	case Capable(o.Term):
		has = append(has, "a status line is shown")
	default:
		has = append(has, fmt.Sprintf("no status line is shown, since TERM is %q", o.Term))
	}
	if has == nil {
		return Finding{GradeOK, subject, "none: signals are forwarded, no status line is shown"}
	}
	return Finding{GradeOK, subject, strings.Join(has, ", ")}
}
