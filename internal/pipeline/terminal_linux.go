package pipeline

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const ioctlGetTermios = unix.TCGETS

// waitsForTerminal tells whether pid, or a process below it, waits for the
// terminal's input, as far as the kernel lets us see: it sleeps where reads of
// terminals (and of some sockets) do.
func waitsForTerminal(pid int) bool {
	const most = 64 // processes looked at
	queue := []int{pid}
	for i := 0; i < len(queue) && i < most; i++ {
		dir := "/proc/" + strconv.Itoa(queue[i])
		where, err := os.ReadFile(dir + "/wchan")
		if err == nil && (string(where) == "wait_woken" || string(where) == "n_tty_read") {
			return true
		}
		below, err := os.ReadFile(dir + "/task/" + strconv.Itoa(queue[i]) + "/children")
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(below)) {
			if child, err := strconv.Atoi(field); err == nil {
				queue = append(queue, child)
			}
		}
	}
	return false
}
