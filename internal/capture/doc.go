// Package capture is a capture's directory as an object: the names in it, the
// locks on it, the reports and streams that stages leave there, and the
// allowance that all captures of a namespace share.
//
// It knows where things lie and in which order they appear, so that a crash
// between any two system calls leaves something that can be told from what is
// whole. It knows nothing of what a stage does.
//
// A namespace is found and made by [OpenNamespace] and [CreateNamespace]. A
// capture is made by [Namespace.Begin], found by [Namespace.Open] and
// [OpenPath], and made final by [Capture.Publish]. Whoever works on one holds
// its liveness lock shared ([Capture.Hold]); only a collector takes it alone
// ([Capture.Seize]). Writers of streams ask [Quota.Reserve] before they write.
//
// Errors about files are those of package fsafe and name the file; the
// sentinels of this package tell what a caller may want to decide by.
//
// The caveat: locks are flocks. On a filesystem that does not keep them
// (see [fsafe.Dir.Locality]) a capture that is cared for may look orphaned.
package capture
