// Command peer is the literal replacer of a CI agent as a filter, to be held
// against spool-redact: it replaces each line of a file, whenever it comes up in
// the input. It lives in a module of its own, so that spool does not depend on
// the agent.
//
// usage: peer LITERALS <INPUT >OUTPUT
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/buildkite/agent/v3/internal/replacer"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("want one file of literals, got %q", args)
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	// As spool's stages do: pieces of 64 KiB, and no more writes than these.
	b := bufio.NewWriterSize(out, 64<<10)
	r := replacer.New(b, strings.Fields(string(data)), func([]byte) []byte { return []byte("[REDACTED]") })
	// Without the file's own WriterTo, which would hand over in its own sizes.
	if _, err := io.CopyBuffer(struct{ io.Writer }{r}, struct{ io.Reader }{in}, make([]byte, 64<<10)); err != nil {
		return err
	}
	if err := r.Flush(); err != nil {
		return err
	}
	return b.Flush()
}
