package pipeline

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// workOf returns how many bytes a process has read, and whether it is at work
// right now.
func workOf(pid int) (bytesRead int64, busy bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	state := stateOf(pid)
	if state == 0 {
		return 0, true // without /proc nobody is accused
	}
	for line := range bytes.Lines(read(dir + "/io")) {
		if value, ok := bytes.CutPrefix(line, []byte("rchar: ")); ok {
			bytesRead = number(bytes.TrimSpace(value))
		}
	}
	return bytesRead, state == 'R'
}

// isZombie tells whether a process has ended and not been reaped.
func isZombie(pid int) bool { return stateOf(pid) == 'Z' }

// stateOf returns the state of a process as proc(5) has it, 0 if it is not to
// be had.
func stateOf(pid int) byte {
	stat := read("/proc/" + strconv.Itoa(pid) + "/stat")
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) == 0 {
		return 0
	}
	return fields[0][0]
}

// read returns what is in a file, nothing if it cannot be read.
func read(file string) []byte {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return data
}

// number returns a decimal number, 0 for none.
func number(text []byte) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// writesToPipe tells whether a thread of pid waits until a pipe takes more.
func writesToPipe(pid int) bool {
	threads, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/wchan")
	if err != nil {
		return false
	}
	for _, file := range threads {
		if bytes.Contains(read(file), []byte("pipe_write")) {
			return true
		}
	}
	return false
}
