package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"spool/internal/capture"
	"spool/internal/preview"
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
		return []Finding{{GradeFail, subject, o.NoDir.Error()}}
	}
	ns, err := capture.OpenNamespace(o.Dir)
	if isNotExist(err) {
		return checkPlace(o.Dir)
	}
	if err != nil {
		return []Finding{{GradeFail, subject, err.Error()}}
	}
	defer ns.Close() //nolint:errcheck // nothing was written
	list := []Finding{{GradeOK, subject, fmt.Sprintf("%q is private and ours", o.Dir)}}
	if err := mayCreateIn(o.Dir); err != nil {
		list[0] = Finding{GradeFail, subject, fmt.Sprintf("%q cannot be written: %v", o.Dir, err)}
	}
	return append(list, checkFilesystem(ns.Root())...)
}

// checkPlace tells whether a namespace that is not there can be made, and what
// it will lie on.
func checkPlace(dir string) []Finding {
	const subject = "namespace"
	parent, err := checkParent(dir)
	if err != nil {
		return []Finding{{GradeFail, subject, err.Error()}}
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

func checkStages(o CheckOptions) []Finding {
	var list []Finding
	for _, name := range []string{redactName, teeName, previewName} {
		file, err := findStage(name, o.Executable, o.Path)
		if err != nil {
			list = append(list, Finding{GradeFail, name, err.Error()})
			continue
		}
		version, err := askVersion(file, name)
		switch {
		case err != nil:
			list = append(list, Finding{GradeFail, name, fmt.Sprintf("%q --version: %v", file, err)})
		case version != o.Version:
			list = append(list, Finding{GradeWarn, name, fmt.Sprintf("%q is of version %s, this is %s", file, version, o.Version)})
		default:
			list = append(list, Finding{GradeOK, name, fmt.Sprintf("%q, version %s", file, version)})
		}
	}
	return list
}

// askVersion returns what a stage says its version is.
func askVersion(file, name string) (string, error) {
	in, out, err := pipe()
	if err != nil {
		return "", err
	}
	defer closeFD(&in)
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		closeFD(&out)
		return "", err
	}
	defer closeFD(&null)
	attr := &syscall.ProcAttr{Files: []uintptr{uintptr(null), uintptr(out), uintptr(null)}}
	pid, err := syscall.ForkExec(file, []string{name, "--version"}, attr)
	closeFD(&out)
	if err != nil {
		return "", err
	}
	const most = 1 << 10
	answer, err := readAll(in, most)
	var status syscall.WaitStatus
	_, waitErr := syscall.Wait4(pid, &status, 0, nil)
	switch {
	case err != nil || waitErr != nil:
		return "", errors.Join(err, waitErr)
	case status != 0:
		return "", fmt.Errorf("exit status %d", status.ExitStatus())
	}
	version, ok := strings.CutPrefix(strings.TrimSpace(string(answer)), name+" ")
	if !ok {
		return "", errors.New("no version is told")
	}
	return version, nil
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
	if preview.IsTerminal(o.Stderr) && Capable(o.Term) {
		has = append(has, "a status line is shown")
	}
	if has == nil {
		return Finding{GradeOK, subject, "none: signals are forwarded, no status line is shown"}
	}
	return Finding{GradeOK, subject, strings.Join(has, ", ")}
}
