// Package retention is the options of what is kept and how, for every tool that
// takes them.
package retention

import (
	"spool/internal/cmdline"
	"spool/internal/spool"
	"spool/pkg/format"
)

// DefaultLimits returns the bounds unless others are given.
func DefaultLimits() format.Limits {
	return format.Limits{CaptureBytes: 32 << 20, NamespaceBytes: 128 << 20}
}

// Limits is the table of the bounds on what is kept.
func Limits(l *format.Limits) []cmdline.Option {
	return []cmdline.Option{
		cmdline.Parsed(&l.CaptureBytes, format.ParseSize, "max-bytes", "SIZE", "keep at most this much, over all streams of the capture"),
		cmdline.Parsed(&l.NamespaceBytes, format.ParseSize, "max-namespace", "SIZE", "keep at most this much, over all captures of the namespace"),
	}
}

// Writing is the table of how files are written.
func Writing(o *spool.Options) []cmdline.Option {
	return []cmdline.Option{
		cmdline.Duration(&o.Stall, "stall", "D", "wait at most this long for the disk, in all"),
		cmdline.Choice(&o.Compress, []spool.Compress{spool.CompressNone, spool.CompressZstd}, "compress", "the files' form"),
		cmdline.Choice(&o.Sync, []spool.Sync{spool.SyncNone, spool.SyncEnd, spool.SyncAlways}, "sync", "when what is kept is made durable"),
	}
}

// Defaults returns the options of a writer before the table has filled them.
func Defaults() spool.Options {
	return spool.Options{
		Limits: DefaultLimits(), Stall: spool.DefaultStall, Compress: spool.CompressNone, Sync: spool.SyncEnd, Forward: spool.ForwardAll,
	}
}
