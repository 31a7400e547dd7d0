package receipt

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"spool/pkg/format"
)

// Table is a list for people: a line for each capture.
type Table struct {
	Width  int       // of the terminal, in columns; 0: as wide as need be
	Colour bool      // states in colour
	Now    time.Time // for ages
	Prefix int       // characters of an ID that tell it from all others; 0: all
}

// Columns before the label, behind the ID: age, process, exit, capture and bytes
// kept; on a narrow terminal age and outcome.
const (
	tableColumns  = "%-*s  %4s  %-11s %-9s %-11s %7s"
	narrowColumns = "%-*s  %4s  %-11s"
	minLabel      = 12 // columns of a label that are worth more than the wide ones
)

// Head returns the line above the table.
func (t Table) Head() string {
	head := fmt.Sprintf(narrowColumns, t.idWidth(), "ID", "AGE", "OUTCOME")
	if !t.isNarrow() {
		head = fmt.Sprintf(tableColumns, t.idWidth(), "ID", "AGE", "PROCESS", "EXIT", "CAPTURE", "KEPT")
	}
	return t.line(head, "LABEL", "", "")
}

// Row returns one capture's line. A label that does not fit is cut.
func (t Table) Row(r *format.Receipt) string {
	id, age := r.ID[:t.idWidth()], age(t.Now.Sub(r.CreatedAt.Time()))
	coloured := fmt.Sprintf("%-11s", outcome(r.Process))
	row := fmt.Sprintf(narrowColumns, t.idWidth(), id, age, coloured)
	if !t.isNarrow() {
		coloured = fmt.Sprintf("%-11s", r.Capture.State)
		row = fmt.Sprintf(tableColumns, t.idWidth(), id, age, r.Process.State, exit(r.Process), coloured, kept(r))
	}
	return t.line(row, r.Label.Or(""), coloured, colour(r.Capture.State))
}

// isNarrow tells whether the terminal has no room for all columns.
func (t Table) isNarrow() bool {
	wide := len(fmt.Sprintf(tableColumns, t.idWidth(), "", "", "", "", "", ""))
	return t.Width > 0 && t.Width < wide+2+minLabel
}

// line puts a label behind columns, which are ASCII, within the width.
func (t Table) line(columns, label, coloured, sequence string) string {
	switch {
	case t.Width > 0 && len(columns)+2 > t.Width:
		return strings.TrimRight(fit(strings.TrimRight(columns, " "), t.Width), " ") + "\n"
	case t.Width > 0:
		label = fit(label, t.Width-len(columns)-2)
	}
	if t.Colour && coloured != "" {
		columns = strings.Replace(columns, coloured, sequence+coloured+"\x1b[0m", 1)
	}
	return strings.TrimRight(columns+"  "+label, " ") + "\n"
}

func (t Table) idWidth() int {
	if t.Prefix == 0 {
		return format.IDLen
	}
	return t.Prefix
}

// UniquePrefix returns how many characters tell each of ids, which are sorted,
// from all others: at least 10, the time.
func UniquePrefix(ids []format.ID) int {
	n := 10
	for i := 1; i < len(ids); i++ {
		a, b := ids[i-1], ids[i]
		for n < format.IDLen && a[:n] == b[:n] {
			n++
		}
	}
	return n
}

// age is a duration in its largest unit.
func age(d time.Duration) string {
	for _, u := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if d >= u.size {
			return strconv.Itoa(int(d/u.size)) + u.name
		}
	}
	return strconv.Itoa(int(max(d, 0)/time.Second)) + "s"
}

// exit is the exit code or the signal.
func exit(p format.Process) string {
	if code, ok := p.ExitCode.Get(); ok {
		return strconv.FormatInt(code, 10)
	}
	return p.Signal.Or("-")
}

// outcome is the exit of a process that ended of its own, else its state.
func outcome(p format.Process) string {
	if p.State == format.ProcessExited {
		return exit(p)
	}
	return string(p.State)
}

// kept is what the streams hold together.
func kept(r *format.Receipt) string {
	sum := format.Known(0)
	for _, s := range r.Streams {
		sum = sum.Add(s.Representation.Committed)
	}
	n, known := sum.Value()
	if !known {
		return "-"
	}
	return Bytes(n)
}

// Bytes returns a number of bytes for people, in at most six characters: 512,
// 3.4K, 120M.
func Bytes(n int64) string {
	if n < 1<<10 {
		return strconv.FormatInt(n, 10)
	}
	v, unit := float64(n)/(1<<10), 0
	for v >= 1000 && unit < len("KMGTP")-1 {
		v, unit = v/(1<<10), unit+1
	}
	if v < 9.95 {
		return fmt.Sprintf("%.1f%c", v, "KMGTP"[unit])
	}
	return fmt.Sprintf("%.0f%c", v, "KMGTP"[unit])
}

// colour returns the escape sequence of a state.
func colour(s format.CaptureState) string {
	switch s {
	case format.CaptureComplete:
		return "\x1b[32m"
	case format.CapturePartial, format.CapturePending:
		return "\x1b[33m"
	case format.CaptureFailed, format.CaptureUnavailable:
		return "\x1b[31m"
	default:
		return "\x1b[2m"
	}
}

// fit cuts s to so many columns, at whole grapheme clusters.
func fit(s string, columns int) string {
	if uniseg.StringWidth(s) <= columns {
		return s
	}
	var b strings.Builder
	used := 0
	for g := uniseg.NewGraphemes(s); g.Next(); used += g.Width() {
		if used+g.Width() > columns-1 {
			break
		}
		b.WriteString(g.Str())
	}
	if columns < 1 {
		return ""
	}
	return b.String() + "…"
}
