package capture

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// cursorHead begins the file of a cursor.
const cursorHead = "spool.cursor/v1"

// maxCursor bounds the file of a cursor in bytes.
const maxCursor = 4 << 10

// Position is how far a stream has been read.
type Position struct {
	Generation int64 // of the capture, at least 1
	Offset     int64 // bytes of the representation, at least 0
}

// Cursor is a consumer's read position in each stream of a capture, locked for
// as long as it is open.
type Cursor struct {
	lock *fsafe.Lock
	at   map[string]Position // by stream
	size int64               // of the file
}

// Cursor opens and locks the cursor of a consumer, and makes it if need be. It
// waits for another who polls for the same consumer, to the end of ctx and at
// most four seconds ([ErrLockStalled]). [ErrCorrupt] if it does not hold what
// was written.
func (c *Capture) Cursor(ctx context.Context, consumer string) (*Cursor, error) {
	if err := format.CheckName(consumer); err != nil {
		return nil, fmt.Errorf("consumer %w", err)
	}
	dir, err := c.cursors()
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }() // nothing was written
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, err := dir.Lock(ctx, consumer, fsafe.LockExclusive, true)
	if err != nil {
		return nil, stalled(err)
	}
	k := &Cursor{lock: l}
	data, err := dir.ReadFile(consumer, maxCursor)
	if err == nil {
		k.at, err = parseCursor(data)
	}
	if err != nil {
		_ = l.Unlock() // the first error is the one that tells
		return nil, fmt.Errorf("cursor %q of capture %s: %w", consumer, c.id, err)
	}
	k.size = int64(len(data))
	return k, nil
}

// cursors opens the directory of cursors, and makes it if need be.
func (c *Capture) cursors() (*fsafe.Dir, error) {
	dir, err := c.dir.OpenDir(cursorsDir)
	if fsafe.KindOf(err) != fsafe.KindNotExist {
		return dir, err
	}
	dir, err = c.dir.Mkdir(cursorsDir)
	if fsafe.KindOf(err) == fsafe.KindExist {
		return c.dir.OpenDir(cursorsDir) // someone else made it just now
	}
	return dir, err
}

// Position returns how far the stream has been read: nothing at first.
func (k *Cursor) Position(stream string) (p Position, moved bool) {
	p, moved = k.at[stream]
	return p, moved
}

// Move sets the position in a stream. It is in the file when Move returns.
func (k *Cursor) Move(stream string, p Position) error {
	if format.CheckStreams([]string{stream}) != nil || p.Generation < 1 || p.Offset < 0 {
		panic("capture: move a cursor to no position")
	}
	k.at[stream] = p
	data := encodeCursor(k.at)
	f := k.lock.File()
	if _, err := f.WriteAt(data, 0); err != nil {
		return err
	}
	if n := int64(len(data)); n < k.size {
		if err := f.Truncate(n); err != nil {
			return err
		}
	}
	k.size = int64(len(data))
	return nil
}

// Close lets the next one poll.
func (k *Cursor) Close() error { return k.lock.Unlock() }

func encodeCursor(at map[string]Position) []byte {
	var body bytes.Buffer
	for _, stream := range slices.Sorted(maps.Keys(at)) {
		fmt.Fprintf(&body, "%s %d %d\n", stream, at[stream].Generation, at[stream].Offset)
	}
	head := fmt.Sprintf("%s %08x\n", cursorHead, crc32.ChecksumIEEE(body.Bytes()))
	return append([]byte(head), body.Bytes()...)
}

// parseCursor reads what encodeCursor has written; an empty file is a cursor
// that has not moved. Every error wraps [ErrCorrupt].
func parseCursor(data []byte) (map[string]Position, error) {
	at := map[string]Position{}
	if len(data) == 0 {
		return at, nil
	}
	head, body, _ := strings.Cut(string(data), "\n")
	if head != fmt.Sprintf("%s %08x", cursorHead, crc32.ChecksumIEEE([]byte(body))) {
		return nil, fmt.Errorf("head or checksum: %w", ErrCorrupt)
	}
	for line := range strings.Lines(body) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(f) != 3 || format.CheckStreams(f[:1]) != nil {
			return nil, fmt.Errorf("position: %w", ErrCorrupt)
		}
		gen, okGen := parseBytes(f[1])
		off, okOff := parseBytes(f[2])
		if _, twice := at[f[0]]; twice || !okGen || !okOff || gen < 1 || !strings.HasSuffix(line, "\n") {
			return nil, fmt.Errorf("position: %w", ErrCorrupt)
		}
		at[f[0]] = Position{Generation: gen, Offset: off}
	}
	return at, nil
}
