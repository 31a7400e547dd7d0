// Package spool is the tee stage: it keeps what it reads in one private file, up
// to an allowance, and passes everything on.
//
// Three parties share the work. The pump reads the input and hands it to the
// outlet (standard output) and to the queue. The keeper takes it out of the
// queue, asks for its share of the allowance, writes and hashes it. The pump
// waits for the keeper only while the queue is full, and no longer than the
// stall bound in all; whatever becomes of file or output, the input is read to
// its end, so that the command on the other side of the pipe never notices.
//
// Retention ends once, for one reason, at a whole character. What was retained
// is always a prefix of the input, and the report tells its exact length.
//
// The caveat: a write that never returns cannot be undone. Its stream is left
// under its live name, with a report that does not claim to know its length.
package spool
