// Package account makes a receipt of what is known of one capture: the launch
// facts, the process's end, the reports of the stages and what the stream files
// really hold.
//
// [Fold] is a pure function: the same facts give the same receipt. It claims
// nothing that no fact supports. What the stages say is held against each other
// (what redact emitted is what tee observed) and against the files, and where
// they differ the file is right: a receipt describes the bytes that are there.
// A report that is missing or unreadable leaves its counts unknown and makes
// the capture partial; nothing is filled in from a neighbour, but for the bytes
// that arrived at tee when nobody says what was sent.
//
// Both who finishes a capture in good order and who clears up after a crash
// come here, so that one set of rules decides what may be called complete.
//
// The caveat: with a report of tee that fits the file's size, its hash and line
// count are believed and the bytes are not read again; that is for verify.
package account
