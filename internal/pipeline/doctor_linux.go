package pipeline

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// checkSystem tells what the kernel lends to supervision.
func checkSystem() []Finding {
	var list []Finding
	if fd, err := unix.PidfdOpen(os.Getpid(), 0); err != nil {
		list = append(list, Finding{GradeWarn, "kernel", fmt.Sprintf("no pidfd (%v): --cancel and the end of descendants do not work", err)})
	} else {
		closeFD(&fd)
		list = append(list, Finding{GradeOK, "kernel", "pidfd and child subreaper"})
	}
	if _, ok := readProcess(os.Getpid()); !ok {
		list = append(list, Finding{GradeWarn, "proc", "/proc is not mounted: descendants outside the command's group are not found"})
	}
	return list
}
