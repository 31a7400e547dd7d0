package capture

import (
	"errors"
	"fmt"
	"os"
	"time"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// beginTries bounds how often Begin starts anew: when its ID is taken, or when
// a collector was at its temporary before its lock was.
const beginTries = 8

// Begin makes a capture and returns it with its liveness lock held shared.
// Missing facts of b are filled in: the schema, the ID, the time, the boot and
// the owner. Nothing is left behind on an error. The name is durable only after
// [Capture.Sync].
func (n *Namespace) Begin(b format.Begin) (*Capture, error) {
	drawn := b.ID == ""
	b.Schema = format.BeginSchema
	if !b.CreatedAt.IsKnown() {
		b.CreatedAt = format.At(time.Now())
	}
	if !b.BootID.IsSet() {
		b.BootID = format.SomeText(bootID())
	}
	if !b.Owner.IsKnown() {
		b.Owner = owner()
	}
	n.ensureAllowance()
	for try := 1; ; try++ {
		if drawn {
			id, err := format.NewID(b.CreatedAt.Time(), n.random)
			if err != nil {
				return nil, err
			}
			b.ID = id
		}
		c, err := n.begin(&b)
		if err == nil {
			return c, nil
		}
		kind := fsafe.KindOf(err)
		again := kind == fsafe.KindExist && drawn || kind == fsafe.KindNotExist || kind == fsafe.KindLocked
		if !again || try == beginTries {
			return nil, err
		}
	}
}

// begin makes one attempt, and clears up after it.
func (n *Namespace) begin(b *format.Begin) (*Capture, error) {
	facts, err := format.EncodeBegin(b)
	if err != nil {
		return nil, err
	}
	// B1. A private directory under a temporary name, which no reference finds.
	dir, err := n.dir.Mkdir(PendingName(b.ID))
	if err != nil {
		return nil, err
	}
	c := &Capture{ns: n, id: b.ID, dir: dir}
	if err := c.appear(facts, b.Streams); err != nil {
		c.abandon()
		return nil, err
	}
	// Errors are to name the capture by its own name from here on.
	c.dir, err = n.dir.OpenDir(string(b.ID))
	if err != nil {
		c.dir = dir
		return nil, errors.Join(err, c.Close())
	}
	return c, dir.Close()
}

// appear is the one place that knows the order in which a capture comes to be.
func (c *Capture) appear(facts []byte, streams []string) error {
	// B2. The liveness lock's file, B3. held shared: from here on a collector
	// leaves the directory alone.
	if err := c.createLock(); err != nil {
		return err
	}
	// B4. The launch facts.
	if err := c.dir.Publish(beginFile, facts, false); err != nil {
		return err
	}
	// B5. Space and inode of everything that must be told at the end.
	if err := c.reserve(streams); err != nil {
		return err
	}
	// B6. The name. The capture exists.
	return c.ns.dir.Rename(PendingName(c.id), string(c.id))
}

func (c *Capture) createLock() error {
	f, err := c.dir.Create(lockFile)
	if err != nil {
		return err
	}
	c.lock, err = c.dir.Adopt(f, lockFile, fsafe.LockShared)
	return err
}

// abandon removes a capture whose beginning failed. What cannot be removed is a
// collector's.
func (c *Capture) abandon() {
	_ = c.removeAll(PendingName(c.id)) // the first error is the one that tells
	_ = c.Close()
}

// reserve sets aside the space of the receipt, of process.json and of each
// report.
func (c *Capture) reserve(streams []string) error {
	// Where the disk is nearly full, what is left is better used by the streams.
	preview := int64(previewRoom)
	if free, known := c.dir.Free(); known && free < slack+int64(len(streams))*previewRoom {
		preview = reportRoom
	}
	var err error
	set := func(name string, size int64) {
		if err == nil {
			err = c.dir.Reserve(reservedName(name), size)
		}
	}
	set(receiptFile, receiptRoom)
	set(processFile, reportRoom)
	for _, s := range streams {
		set(s+redactSuffix, reportRoom)
		set(s+teeSuffix, reportRoom)
		set(s+previewSuffix, preview)
	}
	return err
}

// Begin returns the launch facts. An error of kind not-exist says that there
// are none: the capture died before it was one.
func (c *Capture) Begin() (*format.Begin, error) {
	b, err := read(c, beginFile, format.ParseBegin)
	if err == nil && b.ID != c.id {
		err = fmt.Errorf("capture %s: begin.json is that of %s: %w", c.id, b.ID, ErrCorrupt)
	}
	return b, err
}

// owner is the user who works here; unknown on Windows.
func owner() format.Count {
	if uid := os.Geteuid(); uid >= 0 {
		return format.Known(int64(uid))
	}
	return format.Unknown()
}

// OfPastBoot tells whether b is of a boot that is over, so that nobody can be at
// work on it any more. Where boots cannot be told apart it is not.
func OfPastBoot(b *format.Begin) bool {
	then, known := b.BootID.Get()
	now := bootID()
	return known && now != "" && then != now
}
