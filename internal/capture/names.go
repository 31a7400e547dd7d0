package capture

import (
	"strings"

	"spool/pkg/format"
)

// Names in a namespace, beside the captures' IDs.
const (
	lockFile      = "lock" // also in a capture
	allowanceFile = "allowance"

	pendingPrefix = ".new-" // before an ID: a capture that is being begun
	deletedPrefix = ".del-" // before an ID: a capture that is being removed
)

// Names in a capture.
const (
	beginFile     = "begin.json"
	processFile   = "process.json"
	receiptFile   = "receipt.json"
	deliveredFile = "delivered"
	cursorsDir    = "cursors"

	redactSuffix  = ".redact.json"
	teeSuffix     = ".tee.json"
	previewSuffix = ".preview.json"
	zstdSuffix    = ".zst"
	liveSuffix    = ".live"

	reservedPrefix = ".reserved-" // before a report's name: its space, set aside
)

// Bytes that a capture sets aside for what must be told even on a full disk.
// A report that needs more finds it only where there is space.
const (
	receiptRoom = 8 << 10
	reportRoom  = 4 << 10
	previewRoom = 16 << 10 // the usual head and tail; reportRoom where the disk is nearly full
	slack       = 96 << 10 // what must be free for previewRoom to be taken
)

// A NameKind tells what a name in a namespace or a capture stands for.
type NameKind int

// The kinds. What is of none was not made by spool.
const (
	NameUnknown   NameKind = iota
	NameCapture            // ID
	NamePending            // a capture that is being begun
	NameDeleted            // a capture that is being removed
	NameLock               // a lock, never unlinked while it matters
	NameAllowance          // the allowance
	NameBegin              // begin.json
	NameProcess            // process.json
	NameReceipt            // receipt.json
	NameReport             // STREAM.STAGE.json
	NameStream             // a final stream
	NameLive               // a stream that is being written
	NameDelivered          // the delivery marker
	NameCursors            // the directory of cursors
	NameReserved           // space set aside for a report, process.json or the receipt
)

// KindInNamespace tells what a name in a namespace stands for, and for
// captures the ID in it.
func KindInNamespace(name string) (NameKind, format.ID) {
	switch name {
	case lockFile:
		return NameLock, ""
	case allowanceFile:
		return NameAllowance, ""
	}
	kind, rest := NameCapture, name
	if s, ok := strings.CutPrefix(name, pendingPrefix); ok {
		kind, rest = NamePending, s
	} else if s, ok := strings.CutPrefix(name, deletedPrefix); ok {
		kind, rest = NameDeleted, s
	}
	id, err := format.ParseID(rest)
	if err != nil {
		return NameUnknown, ""
	}
	return kind, id
}

// KindInCapture tells what a name in a capture stands for, and for reports and
// streams the stream's name.
func KindInCapture(name string) (kind NameKind, stream string) {
	switch name {
	case lockFile:
		return NameLock, ""
	case beginFile:
		return NameBegin, ""
	case processFile:
		return NameProcess, ""
	case receiptFile:
		return NameReceipt, ""
	case deliveredFile:
		return NameDelivered, ""
	case cursorsDir:
		return NameCursors, ""
	}
	if of, ok := strings.CutPrefix(name, reservedPrefix); ok {
		kind, stream := KindInCapture(of)
		if kind == NameProcess || kind == NameReceipt || kind == NameReport {
			return NameReserved, stream
		}
		return NameUnknown, ""
	}
	for _, suffix := range []string{redactSuffix, teeSuffix, previewSuffix} {
		if s, ok := strings.CutSuffix(name, suffix); ok && format.CheckStreams([]string{s}) == nil {
			return NameReport, s
		}
	}
	kind = NameStream
	if s, ok := strings.CutSuffix(name, liveSuffix); ok {
		kind, name = NameLive, s
	}
	name = strings.TrimSuffix(name, zstdSuffix)
	if format.CheckStreams([]string{name}) != nil {
		return NameUnknown, ""
	}
	return kind, name
}

// PendingName returns the name of a capture that is being begun.
func PendingName(id format.ID) string { return pendingPrefix + string(id) }

// DeletedName returns the name of a capture that is being removed.
func DeletedName(id format.ID) string { return deletedPrefix + string(id) }

func reservedName(name string) string { return reservedPrefix + name }

// StreamName returns the name of a final stream's file.
func StreamName(stream string, comp format.Opt[format.Compression]) string {
	if comp.IsSet() {
		return stream + zstdSuffix
	}
	return stream
}

// LiveName returns the name of the file of a stream that is being written.
func LiveName(stream string, comp format.Opt[format.Compression]) string {
	return StreamName(stream, comp) + liveSuffix
}
