package e2e

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// memoryBound is what any one process of spool may take, whatever passes it.
const memoryBound = 64 << 20

// watched runs a tool to its end and fails where a process of spool took more
// memory than the bound.
func (p *place) watched(args ...string) result {
	p.t.Helper()
	var out, errs bytes.Buffer
	cmd := p.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	peaks := watchMemory(cmd.Process.Pid)
	code := p.status(cmd.Wait())
	for name, peak := range peaks() {
		if strings.HasPrefix(name, "spool-") && peak > memoryBound {
			p.t.Errorf("%s took %d MiB of memory in %q", name, peak>>20, args)
		}
	}
	return result{code, out.Bytes(), errs.Bytes()}
}

// TestOneEndlessLineTakesConstantMemory: it is kept, counted, shown at both ends
// and searched, and nobody holds it.
func TestOneEndlessLineTakesConstantMemory(t *testing.T) {
	size := int64(4) << 30
	if testing.Short() {
		size = 64 << 20
	}
	for _, compress := range []string{"zstd", "none"} {
		if compress == "none" && !testing.Short() {
			continue // the disk is not the subject
		}
		t.Run(compress, func(t *testing.T) {
			p := newPlace(t)
			const head, tail = "<BEGIN>", "<END> error: the cause"
			script := fmt.Sprintf("printf '%s'; head -c %d /dev/zero | tr '\\0' x; printf '%s'; exit 3", head, size, tail)
			shown := p.watched("spool-run", "--compress", compress, "--max-bytes", "unlimited", "--max-namespace", "unlimited", "--", "sh", "-c", script)
			if shown.code != 3 || !bytes.HasPrefix(shown.stdout, []byte(head)) || !bytes.HasSuffix(shown.stdout, []byte(tail)) || len(shown.stdout) > 16<<10 {
				t.Errorf("status %d, %d bytes shown: %.60q", shown.code, len(shown.stdout), shown.stdout)
			}
			total := size + int64(len(head)+len(tail))
			r, _ := p.latest()
			s := r.Streams["stdout"]
			if r.Capture.State != "complete" || *s.Raw.Observed != total || *s.Representation.Committed != total || *s.Lines != 0 {
				t.Errorf("%+v, %+v", r.Capture, s)
			}
			at := strconv.FormatInt(total-int64(len(tail)), 10)
			for _, call := range []struct {
				args []string
				want string
			}{
				{[]string{"--bytes-range", at + ":"}, tail},
				{[]string{"--lines", "1:1", "--limit", "16"}, head + "xxxxxxxxx"},
				{[]string{"--match", "<END>"}, "[spool: line 1, bytes " + at},
				{[]string{"--from", "1:" + at}, tail},
				{nil, tail},
			} {
				if got := p.watched(append(append([]string{"spool-preview"}, call.args...), r.ID+"/stdout")...); got.code != 0 || !bytes.Contains(got.stdout, []byte(call.want)) {
					t.Errorf("%q: status %d, %.200q, %s", call.args, got.code, got.stdout, got.stderr)
				}
			}
			p.watched("spool-receipt", "verify", "latest")
		})
	}
}
