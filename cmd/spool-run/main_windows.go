// Spool-run says that it does not run here: what it needs to supervise a command,
// process groups and pipes that can be handed on, is another thing on Windows.
package main

import (
	"io"
	"os"

	"spool/internal/cmdline"
)

// exitSetup is the status of a failure before a command was started.
const exitSetup = 125

func main() {
	os.Exit(run(os.Stderr))
}

func run(stderr io.Writer) int {
	cmdline.Message(stderr, "spool-run", "a command cannot be supervised on windows\n"+
		"hint: COMMAND | spool-redact | spool-tee FILE | spool-preview keeps and shows one stream")
	return exitSetup
}
