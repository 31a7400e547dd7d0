package pipeline

import "syscall"

// signalDescendants does nothing: without a subreaper there is no telling
// which processes descend from the command. Its group is all that is reached.
func signalDescendants(map[int]bool, syscall.Signal) int { return 0 }

// spareStrangers does nothing: descendants are not looked for.
func spareStrangers(map[int]bool) {}

// hears cannot be told here: a process is given its time instead.
func hears(int, syscall.Signal) bool { return true }
