// Package sluice writes to a pipe that may be given up: one whose reader stands
// still must not hold up the writer, and with it the command on the other side.
//
// The caveat: only Linux lets us open a pipe anew, with a file status of its
// own. Elsewhere a write waits for as long as the reader likes.
package sluice
