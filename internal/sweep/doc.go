// Package sweep turns what a crash left behind into honest, partial captures,
// and removes what was only ever of a moment: spool-gc.
//
// Whether somebody is at work on a capture its liveness lock tells, never a
// process number. In a line that was made by hand nobody holds the lock between
// two parts, so that a capture is also left alone while anything in it changed
// within a grace period; a boot that is over waives the grace, never the lock.
// Everything may be repeated, by many at once, and cut off at any moment: each
// step leaves something that the next sweep understands.
//
// A capture that is cleared up is never complete. What spool did not make is
// left where it is, and told. [Delete] and [Prune] are the only things that
// remove a final capture, and only when called.
//
// The caveat: where a filesystem does not keep locks that can be depended on,
// nothing is reclaimed ([UndependableError]).
package sweep
