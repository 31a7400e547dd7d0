// Package pipeline runs one command to its receipt: it starts the command and
// the line of stages of each of its streams, supervises them, and judges what
// came of it.
//
// One goroutine, the loop, owns everything: it starts every process, reaps
// every child and decides. Other goroutines only wait (for signals, for bytes
// that are thrown away) and post what they saw to its inbox.
//
// The driver never reads what the command writes while the command runs. A
// small result stays in the kernel's pipe buffers until the end and is
// sanitised here; for anything else the read end becomes the stdin of a
// spool-redact, and a copy of that descriptor is kept, so that the command is
// never struck by SIGPIPE, whatever becomes of the stage.
//
// The caveat: package os/exec must not be used in a process that runs this
// package. The loop waits for any child, orphans included, and would take the
// status that os/exec waits for.
package pipeline
