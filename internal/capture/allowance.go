package capture

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"spool/pkg/format"
)

// allowanceHead begins the file of the allowance.
const allowanceHead = "spool.allowance/v1"

// maxAllowance bounds the file of the allowance in bytes: some hundred thousand
// open captures.
const maxAllowance = 8 << 20

// record is what one open capture holds of the allowance.
type record struct {
	bytes   int64 // granted to its writers and not given back; ≥ what its files hold
	writers int64 // that have not given back; 0: bytes is what its files hold
}

// allowance is the file of that name: what final captures hold, and a record
// for each open one. It is a cache of what the files say. It is read, changed
// and written under the namespace's lock, in place, so that a full disk does
// not keep anyone from giving back.
type allowance struct {
	boot    string // the boot that it is of; after another nothing in it is trusted
	final   int64  // bytes that final captures hold
	records map[format.ID]record

	fresh bool     // counted from the files just now
	file  *os.File // open for writing
	size  int64    // of file
}

// total returns what is taken: final captures and all records.
func (a *allowance) total() int64 {
	sum := a.final
	for _, r := range a.records {
		sum = add(sum, r.bytes)
	}
	return sum
}

// add adds two counts of bytes; at the greatest number it stays there.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// encode writes the allowance: a line of the whole with the checksum of what
// follows, then a line for each record.
func (a *allowance) encode() []byte {
	var body bytes.Buffer
	fmt.Fprintf(&body, "%s %d\n", cmp.Or(a.boot, "-"), a.final)
	for _, id := range slices.Sorted(maps.Keys(a.records)) {
		r := a.records[id]
		fmt.Fprintf(&body, "%s %d %d\n", id, r.bytes, r.writers)
	}
	head := fmt.Sprintf("%s %08x\n", allowanceHead, crc32.ChecksumIEEE(body.Bytes()))
	return append([]byte(head), body.Bytes()...)
}

// parseAllowance reads what encode has written, or says what is wrong: every
// error wraps [ErrCorrupt].
func parseAllowance(data []byte) (*allowance, error) {
	fault := func(what string) error { return fmt.Errorf("allowance: %s: %w", what, ErrCorrupt) }
	head, body, _ := strings.Cut(string(data), "\n")
	if head != fmt.Sprintf("%s %08x", allowanceHead, crc32.ChecksumIEEE([]byte(body))) {
		return nil, fault("head or checksum")
	}
	if !strings.HasSuffix(body, "\n") {
		return nil, fault("no end")
	}
	first, rest, _ := strings.Cut(body, "\n")
	boot, final, _ := strings.Cut(first, " ")
	a := &allowance{boot: boot, records: map[format.ID]record{}}
	var ok bool
	if a.final, ok = parseBytes(final); !ok {
		return nil, fault("sum of final captures")
	}
	if boot == "-" {
		a.boot = ""
	}
	for line := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(f) != 3 {
			return nil, fault("record")
		}
		id, err := format.ParseID(f[0])
		n, okBytes := parseBytes(f[1])
		w, okWriters := parseBytes(f[2])
		if _, twice := a.records[id]; err != nil || twice || !okBytes || !okWriters {
			return nil, fault("record")
		}
		a.records[id] = record{bytes: n, writers: w}
	}
	return a, nil
}

// parseBytes reads a canonical whole number of at least 0.
func parseBytes(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && strconv.FormatInt(n, 10) == s
}

// write puts the allowance into its file. A death in the middle leaves a
// checksum that does not fit, and the next one counts from the files.
func (a *allowance) write() error {
	data := a.encode()
	if _, err := a.file.WriteAt(data, 0); err != nil {
		return err
	}
	if n := int64(len(data)); n < a.size {
		if err := a.file.Truncate(n); err != nil {
			return err
		}
	}
	a.size = int64(len(data))
	return nil
}
