package pipeline

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// process is one row of /proc.
type process struct {
	pid, parent int
	start       int64 // clock ticks since boot
	zombie      bool
}

// readProcess reads /proc/PID/stat, proc_pid_stat(5).
func readProcess(pid int) (process, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	return parseStat(pid, data)
}

// hears tells whether a process has got so far as to handle sig: before that
// it would be ended by it.
func hears(pid int, sig syscall.Signal) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true // without /proc there is no telling
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	const caught = 31 // of the fields behind the name: a mask, in decimal
	if len(fields) <= caught {
		return true
	}
	mask, err := strconv.ParseUint(string(fields[caught]), 10, 64)
	return err != nil || mask>>(sig-1)&1 == 1
}

// parseStat reads the fields behind the name, which is the only one that may
// hold spaces and parentheses.
func parseStat(pid int, data []byte) (process, bool) {
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	const state, parent, start = 0, 1, 19 // of the fields behind the name
	if len(fields) <= start {
		return process{}, false
	}
	p := process{pid: pid, zombie: fields[state][0] == 'Z' || fields[state][0] == 'X'}
	var err error
	if p.parent, err = strconv.Atoi(string(fields[parent])); err != nil {
		return process{}, false
	}
	if p.start, err = strconv.ParseInt(string(fields[start]), 10, 64); err != nil {
		return process{}, false
	}
	return p, true
}

// descendants returns the living processes below this one, but for those in
// spare and theirs. What is forked while it looks may be missed: look again.
func descendants(spare map[int]bool) []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parents := make(map[int]process, len(entries))
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ok := readProcess(pid); ok {
			parents[pid] = p
		}
	}
	self := os.Getpid()
	var below []process
	for pid, p := range parents {
		if !p.zombie && isBelow(pid, self, parents, spare) {
			below = append(below, p)
		}
	}
	return below
}

// isBelow follows the parents of pid up to self. The snapshot may hold a loop
// where a number was used again: the way is bounded.
func isBelow(pid, self int, parents map[int]process, spare map[int]bool) bool {
	for range 1 << 12 {
		if spare[pid] || pid <= 1 && self != pid {
			return false
		}
		p, ok := parents[pid]
		if !ok {
			return false
		}
		if p.parent == self {
			return pid != self
		}
		pid = p.parent
	}
	return false
}

// signalProcess sends sig to p and to no other process: the descriptor is
// opened first, and then it is seen whether the number still means p.
func signalProcess(p process, sig syscall.Signal) {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if err != nil {
		return
	}
	defer closeFD(&fd)
	if now, ok := readProcess(p.pid); ok && now.start == p.start {
		_ = unix.PidfdSendSignal(fd, sig, nil, 0)
	}
}

// signalDescendants sends sig to every descendant but those in spare. It
// returns how many there were.
func signalDescendants(spare map[int]bool, sig syscall.Signal) int {
	below := descendants(spare)
	for _, p := range below {
		signalProcess(p, sig)
	}
	return len(below)
}

// spareStrangers adds to spare what descends from this process already.
func spareStrangers(spare map[int]bool) {
	for _, p := range descendants(spare) {
		spare[p.pid] = true
	}
}
