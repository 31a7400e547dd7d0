package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"spool/pkg/format"
)

// maxSummary is the longest summary line in bytes, with "spool-run: " before it
// and the newline behind.
const maxSummary = 110

// summary returns one line that names state, sizes and reference.
func summary(got *format.Receipt, ref string) string {
	if got == nil {
		return ""
	}
	const frame = len("spool-run: \n")
	sizes := summarySizes(got)
	state, reasons := string(got.Capture.State), ""
	if len(got.Capture.Reasons) > 0 {
		reasons = " (" + string(got.Capture.Reasons[0].Code()) + ")"
	}
	for _, parts := range [][]string{
		{processWord(got.Process), state + reasons, sizes, ref},
		{processWord(got.Process), state, sizes, ref},
		{string(got.Process.State), state, sizes, ref},
	} {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		if line := strings.Join(parts, ", "); len(line)+frame <= maxSummary {
			return line
		}
	}
	return strings.Join([]string{state, ref}, ", ")
}

// hasNoRoom tells whether the namespace's allowance ended what is kept.
func hasNoRoom(got *format.Receipt) bool {
	return got != nil && slices.ContainsFunc(got.Capture.Reasons, func(r format.Reason) bool {
		return r.Code() == format.ReasonQuotaNamespace
	})
}

// processWord returns how the command ended: "exited 2", "timeout SIGKILL".
func processWord(p format.Process) string {
	word := string(p.State)
	if code, ok := p.ExitCode.Get(); ok {
		word += " " + strconv.FormatInt(code, 10)
	}
	if signal, ok := p.Signal.Get(); ok {
		word += " " + signal
	}
	return word
}

// summarySizes returns how much came on each stream.
func summarySizes(got *format.Receipt) string {
	var list []string
	for _, name := range []string{format.Stdout, format.Stderr, format.Output} {
		if s, ok := got.Streams[name]; ok {
			list = append(list, name+" "+humanSize(s.Representation.Emitted))
		}
	}
	return strings.Join(list, " ")
}

// humanSize returns a count in at most six characters.
func humanSize(c format.Count) string {
	n, known := c.Value()
	if !known {
		return "?"
	}
	units := []string{"", "K", "M", "G", "T", "P", "E"}
	x, unit := float64(n), 0
	for x >= 1000 && unit < len(units)-1 {
		x /= 1024
		unit++
	}
	if unit == 0 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%.1f%s", x, units[unit])
}
