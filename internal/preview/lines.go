package preview

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"spool/internal/capture"
	"spool/pkg/format"
)

// Lines prints the lines Low to High of a stream, counted from 1, both
// included, as far as the limit allows.
func Lines(c *capture.Capture, stream string, r RangeOptions) error {
	o, err := openFor(c, stream, limitOf(r.Limit, r.Output), r.Output)
	if err != nil {
		return err
	}
	defer o.Close() //nolint:errcheck // nothing was written
	first := max(r.Range.Low, 1)
	from, before, err := skipLines(o, 0, o.size, first-1)
	if err != nil {
		return err
	}
	if from == o.size && first > 1 {
		if from > 0 && !o.endsWithNewline() {
			before++
		}
		return o.located(fmt.Errorf("line %d is not there: it has %d; %s", first, before, o.end()))
	}
	to := o.size
	if r.Range.High < math.MaxInt64 {
		end, n, err := skipLines(o, from, o.size, r.Range.High-first+1)
		if err != nil {
			return err
		}
		if to = end; n < r.Range.High-first+1 {
			to = o.size
			o.out.Note("lines end before: " + o.end())
		}
	}
	return o.bytes(from, to, false, format.Known(first))
}

func (o *reading) endsWithNewline() bool {
	last, err := o.section(o.size-1, o.size)
	return err == nil && endsLine(last)
}

// skipLines returns the position behind the n-th newline in [from, to) of src;
// to if there are fewer, and how many there are.
func skipLines(src io.ReaderAt, from, to, n int64) (at, skipped int64, err error) {
	at = from
	if n == 0 {
		return at, 0, nil
	}
	err = eachBlock(src, from, to, 0, func(start int64, b []byte) bool {
		count := int64(bytes.Count(b, []byte("\n")))
		if skipped+count < n {
			skipped += count
			at = start + int64(len(b))
			return true
		}
		for p := 0; skipped < n; skipped++ {
			p += bytes.IndexByte(b[p:], '\n') + 1
			at = start + int64(p)
		}
		return false
	})
	return at, skipped, err
}
