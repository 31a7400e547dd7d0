package pipeline

import (
	"os"

	"spool/pkg/format"
)

// supervisor names this process so that its number, used again, is not taken
// for it.
func supervisor() format.Opt[format.Supervisor] {
	p, ok := readProcess(os.Getpid())
	if !ok {
		return format.None[format.Supervisor]()
	}
	return format.Some(format.Supervisor{PID: int64(p.pid), StartTime: p.start})
}
