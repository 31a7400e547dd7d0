package pipeline

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func checkStages(o CheckOptions) []Finding {
	var list []Finding
	for _, name := range []string{redactName, teeName, previewName} {
		file, err := findStage(name, o.Executable, o.Path)
		if err != nil {
			list = append(list, Finding{GradeFail, name, err.Error() + ": every run ends with status 125"})
			continue
		}
		version, err := askVersion(file, name)
		switch {
		case err != nil:
			list = append(list, Finding{GradeFail, name, fmt.Sprintf("%q --version: %v", file, err)})
		case version != o.Version:
			list = append(list, Finding{GradeWarn, name, fmt.Sprintf("%q is of version %s, this is %s: install the tools together", file, version, o.Version)})
		default:
			list = append(list, Finding{GradeOK, name, fmt.Sprintf("%q, version %s", file, version)})
		}
	}
	return list
}

// answerWait bounds the wait for a program that is asked for its version.
const answerWait = 2 * time.Second

// askVersion returns what a stage says its version is. One that does not answer is
// ended.
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
	attr := &syscall.ProcAttr{
		Files: []uintptr{uintptr(null), uintptr(out), uintptr(null)},
		Sys:   &syscall.SysProcAttr{Setpgid: true}, // so that what it starts ends with it
	}
	pid, err := syscall.ForkExec(file, []string{name, "--version"}, attr)
	closeFD(&out)
	if err != nil {
		return "", err
	}
	timer := time.AfterFunc(answerWait, func() { _ = unix.Kill(-pid, unix.SIGKILL) }) // it may have gone
	const most = 1 << 10
	answer, err := readAll(in, most)
	late := !timer.Stop()
	var status syscall.WaitStatus
	_, waitErr := syscall.Wait4(pid, &status, 0, nil)
	switch {
	case err != nil || waitErr != nil:
		return "", errors.Join(err, waitErr)
	case late:
		return "", fmt.Errorf("no answer within %v", answerWait)
	case status != 0:
		return "", fmt.Errorf("exit status %d", status.ExitStatus())
	}
	version, ok := strings.CutPrefix(strings.TrimSpace(string(answer)), name+" ")
	if !ok {
		return "", errors.New("no version is told")
	}
	return version, nil
}
