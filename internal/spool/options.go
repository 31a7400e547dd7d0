package spool

import (
	"time"

	"spool/pkg/format"
)

// Sync tells when the file is made durable.
type Sync string

// The moments: never, once when it is final, after each write.
const (
	SyncNone   Sync = "none"
	SyncEnd    Sync = "end"
	SyncAlways Sync = "always"
)

// Forward tells what is passed on.
type Forward string

// All of the input, or only what was not retained: whoever can read the file
// needs no second copy of what lies in it.
const (
	ForwardAll  Forward = "all"
	ForwardRest Forward = "rest"
)

// Compress tells in which form the bytes lie in the file.
type Compress string

// The forms: as they are, or zstd's seekable format.
const (
	CompressNone Compress = "none"
	CompressZstd Compress = "zstd"
)

// DefaultStall is the bound on what the reader waits for the writer, in all.
const DefaultStall = 2 * time.Second

// Options says where the stream goes. Either File is set, or Capture and Stream.
type Options struct {
	File    string // path of a file that must not exist
	Report  string // path of a file for the report; empty: none. With File only
	Capture string // a capture's directory; the report goes there
	Stream  string // a stream of the capture

	Limits   format.Limits // of bytes of the representation; with File only the first counts
	Stall    time.Duration // how long the reader waits for the writer, in all
	Sync     Sync
	Compress Compress
	Forward  Forward
	Tool     format.Tool // who reports
}
