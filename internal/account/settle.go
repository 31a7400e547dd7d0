package account

import (
	"errors"
	"fmt"
	"os"
	"unicode/utf8"

	"spool/internal/capture"
	"spool/internal/frames"
	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// ErrWriting says that a stream has a writer: the capture cannot be final yet.
var ErrWriting = errors.New("is being written")

// compressions are the forms in which a stream may be stored.
var compressions = []format.Opt[format.Compression]{format.None[format.Compression](), format.Some(format.Zstd)}

// Settle gives every stream that a writer has left its final name, and sees to
// it that the file is whole: of a compressed one, whole frames and their table.
// With sync content and names are durable before it returns. [ErrWriting] if a
// stream has a writer; then nothing of that stream is touched. One that gave up
// a write is none: it has reported and does no more, and if that write comes
// back it finds the file under its final name. Settle may be repeated, also
// after a death in the middle, and by several at once.
func Settle(c *capture.Capture, streams []string, sync bool) error {
	for _, stream := range streams {
		for _, comp := range compressions {
			if err := settle(c, stream, comp, sync); err != nil {
				return err
			}
		}
	}
	if sync {
		return c.Root().Sync()
	}
	return nil
}

// settle finishes one file, if it is there.
func settle(c *capture.Capture, stream string, comp format.Opt[format.Compression], sync bool) (err error) {
	f, err := c.Root().OpenRW(capture.LiveName(stream, comp))
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// S1. The writer's lock: nobody writes, and nobody else settles.
	if err := fsafe.FlockFile(f, fsafe.LockExclusive); err != nil {
		if errors.Is(err, fsafe.ErrLocked) && hasGivenUp(c, stream) {
			return settled(c.FinishStream(stream, comp, false))
		}
		if errors.Is(err, fsafe.ErrLocked) {
			return fmt.Errorf("stream %q %w", c.Ref(stream), ErrWriting)
		}
		return err
	}
	// S2. The file whole.
	if comp.IsSet() {
		err = frames.Finish(f)
	} else {
		err = trimTorn(c, f, stream)
	}
	if err != nil && !errors.Is(err, frames.ErrDamaged) { // damage is told as it is found
		return fmt.Errorf("stream %q: %w", c.Ref(stream), err)
	}
	// S3. Content durable, S4. the final name.
	if sync {
		if err := f.Sync(); err != nil {
			return fmt.Errorf("stream %q: %w", c.Ref(stream), err)
		}
	}
	return settled(c.FinishStream(stream, comp, false))
}

// settled takes an error away that says that another one settled the stream
// before we had the lock.
func settled(err error) error {
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return nil
	}
	return err
}

func hasGivenUp(c *capture.Capture, stream string) bool {
	tee, err := c.Tee(stream)
	return err == nil && StreamFacts{Tee: tee}.givenUp()
}

// trimTorn cuts off a character that a writer's death tore: readers were not
// shown it. Of bytes that are not known to be text nothing is cut.
func trimTorn(c *capture.Capture, f *os.File, stream string) error {
	r, err := c.Redact(stream)
	if err != nil || r.Kind == format.KindBinary {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	tail := make([]byte, min(info.Size(), utf8.UTFMax))
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return err
	}
	if n := tornTail(tail); n > 0 {
		return f.Truncate(info.Size() - int64(n))
	}
	return nil
}
