// Package receipt is the account of a capture, from launch facts to the final
// sidecar: begin it, record how the command ended, fold the stages' reports and
// publish, and read what was published.
//
// [Begin], [Fold], [Finish], [Inline] and [Show] print nothing and read nothing
// but the capture's directory, so that a driver can call them in its own
// process; spool-receipt calls the same ones.
//
// The package knows no secret and no rule about secrets. Text for people (the
// label, ids, notes) passes a function that the caller brings; see
// [BeginOptions.Sanitize].
//
// The caveat: [Finish] believes a report that fits the file's size. Whether the
// bytes are those that the report speaks of, [Verify] finds out.
package receipt
