package pipeline

import (
	"slices"
	"time"
)

// alarms are what the loop is to do at a time. They run on the loop.
type alarms struct {
	list []*alarm
	now  func() time.Time
}

type alarm struct {
	at time.Time
	do func()
}

// in sets do to run after d. Any alarm may be passed to cancel, also one that
// has rung, and nil.
func (a *alarms) in(d time.Duration, do func()) *alarm {
	x := &alarm{at: a.now().Add(d), do: do}
	a.list = append(a.list, x)
	return x
}

func (a *alarms) cancel(x *alarm) {
	a.list = slices.DeleteFunc(a.list, func(y *alarm) bool { return x == y })
}

// next returns how long it is until the first alarm; negative for none.
func (a *alarms) next() time.Duration {
	if len(a.list) == 0 {
		return -1
	}
	first := slices.MinFunc(a.list, func(x, y *alarm) int { return x.at.Compare(y.at) })
	return max(0, first.at.Sub(a.now()))
}

// ring runs what is due, the earliest first.
func (a *alarms) ring() {
	for {
		due := slices.DeleteFunc(slices.Clone(a.list), func(x *alarm) bool { return x.at.After(a.now()) })
		if len(due) == 0 {
			return
		}
		first := slices.MinFunc(due, func(x, y *alarm) int { return x.at.Compare(y.at) })
		a.cancel(first)
		first.do()
	}
}
