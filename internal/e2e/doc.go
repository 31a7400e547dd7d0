// Package e2e runs the real binaries: it builds the six tools once and plays
// the scripts in testdata/script against them.
//
// A script is a txtar archive in the language of
// github.com/rogpeppe/go-internal/testscript. It runs in a directory of its
// own, $WORK, with the tools first on PATH, HOME=$WORK/home and
// SPOOL_DIR=$WORK/ns, both not there yet; no other SPOOL_ variable is set.
// Beyond the language's own commands there are:
//
//	status N COMMAND [ARG...]   runs it; the exit status has to be N
//	let NAME FILE               sets the variable to FILE's text, trimmed
//	mode FILE... OCTAL          every FILE has these permission bits
//	private DIR                 DIR and directories in it are 0700, files 0600,
//	                            nothing is anything else
//	[!] json FILE PATH WANT     the value at PATH (".streams.stdout.lines",
//	                            ".a[0]") is WANT: a string as it is, else JSON
//	jsonlet NAME FILE PATH      sets the variable to the value at PATH
//	[!] within FILE TEXT        FILE, or some file under the directory FILE,
//	                            holds TEXT: bytes, not a pattern
//
// FILE may be stdout or stderr: what the last command printed. On PATH, for
// use behind exec and status, are:
//
//	with-umask OCTAL COMMAND [ARG...]
//	with-closed N COMMAND [ARG...]     descriptor N (0 to 2) closed
//
// Conditions: [root], [strace] (it is there and may trace), [tmux].
//
// The caveat: scripts run side by side on a shared machine. Wait on a pipe or
// a lock, never for a time.
package e2e
