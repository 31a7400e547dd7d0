package preview

import "spool/pkg/format"

// Budgets unless others are given.
const (
	DefaultStdoutChars = 8000
	DefaultStderrChars = 2000
	DefaultBytes       = 16 << 10
)

// Budget bounds what is shown of all streams of a capture together, omission
// lines and highlights included. The zero Budget stands for the defaults.
type Budget struct {
	StdoutChars int // of stdout, and of a merged stream
	StderrChars int // of stderr; the sum of both is shared
	Bytes       int // over all streams; 0 is [DefaultBytes]
}

func (b Budget) orDefault() Budget {
	if b.StdoutChars == 0 && b.StderrChars == 0 {
		b.StdoutChars, b.StderrChars = DefaultStdoutChars, DefaultStderrChars
	}
	if b.Bytes == 0 {
		b.Bytes = DefaultBytes
	}
	return b
}

// sum is the bound on everything.
func (b Budget) sum() span { return span{b.StdoutChars + b.StderrChars, b.Bytes} }

// most returns how many characters one stream may get at best.
func (b Budget) most(stream string, failed bool) int {
	switch {
	case stream != format.Stderr:
		return b.StdoutChars
	case failed:
		return max(b.StdoutChars, b.StderrChars)
	}
	return b.StdoutChars + b.StderrChars
}

// order returns the parts' indices in the order in which they are served.
func order(parts []Part, failed bool) []int {
	var first, last []int
	for i, p := range parts {
		if (p.Name == format.Stderr) == failed {
			first = append(first, i)
		} else {
			last = append(last, i)
		}
	}
	return append(first, last...)
}

// share returns what the part at order[k] may take of left. Those behind it keep
// the bytes that go with the characters they are sure of, as far as they need
// them.
func (b Budget) share(parts []Part, order []int, k int, failed bool, left span) span {
	sum := b.sum()
	most := b.most(parts[order[k]].Name, failed)
	sure := sum.part(max(sum.chars-most, 0), sum.chars).bytes
	kept := 0
	for _, i := range order[k+1:] {
		kept += min(parts[i].wants(sure), sure)
	}
	return span{chars: min(most, left.chars), bytes: max(left.bytes-kept, 0)}
}
