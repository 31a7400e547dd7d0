package preview

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"spool/internal/capture"
	"spool/internal/receipt"
	"spool/internal/redact"
	"spool/internal/spool"
	"spool/pkg/format"
)

// made is how a capture of a test is made.
type made struct {
	exit     int64
	compress spool.Compress
	max      format.Size // 0: unlimited
	raw      bool
	rest     bool // spool-tee passes on only what it does not keep
	pending  bool // the stages are done, the receipt is not published
	label    string
}

func (m made) from() Forward {
	if m.rest {
		return ForwardRest
	}
	return ForwardAll
}

// fatal is what testing.TB and rapid.T have in common.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// namespaceIn makes a namespace below dir.
func namespaceIn(t fatal, dir string) *capture.Namespace {
	t.Helper()
	ns, err := capture.CreateNamespace(filepath.Join(dir, "ns"))
	if err != nil {
		t.Fatal(err)
	}
	return ns
}

// captured makes a capture by the stages themselves.
func captured(t fatal, ns *capture.Namespace, m made, streams map[string][]byte) *capture.Capture {
	t.Helper()
	tool := format.Tool{Name: "test", Version: "1"}
	limits := format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: format.Unlimited}
	if m.max > 0 {
		limits.CaptureBytes = m.max
	}
	var names []string
	for _, n := range []string{"stdout", "stderr", "output"} {
		if _, ok := streams[n]; ok {
			names = append(names, n)
		}
	}
	c, err := receipt.Begin(ns, receipt.BeginOptions{Label: m.label, Streams: names, Limits: limits, Tool: tool})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, name := range names {
		var clean, kept, shown bytes.Buffer
		err := redact.Run(ctx, redact.StageOptions{Capture: c.Path(), Stream: name, Tool: tool, Raw: m.raw}, bytes.NewReader(streams[name]), &clean)
		if err == nil {
			so := spool.Options{Capture: c.Path(), Stream: name, Limits: limits, Stall: spool.DefaultStall, Compress: m.compress, Sync: spool.SyncNone, Forward: spool.Forward(m.from()), Tool: tool}
			err = spool.Run(ctx, so, &clean, &kept)
			if m.max > 0 {
				err = nil // it tells that the quota was met
			}
		}
		if err == nil {
			fo := FilterOptions{Head: DefaultHead, Tail: DefaultTail, Stream: name, Tool: tool}
			err = Stage(ctx, c.Path(), m.from(), fo, &kept, &shown)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if m.pending {
		return c
	}
	if err := receipt.Process(ctx, c, receipt.ProcessOptions{Exit: format.Some(m.exit)}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := receipt.Finish(ctx, c, receipt.FinishOptions{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	return c
}

// said collects what an answer prints and notes.
type said struct {
	bytes.Buffer
	notes []string
}

func (s *said) output() Output {
	return Output{W: s, Note: func(text string) { s.notes = append(s.notes, text) }}
}

func (s *said) note() string { return strings.Join(s.notes, "\n") }

// forms are the ways in which a stream may be stored.
var forms = map[string]made{
	"plain": {}, "compressed": {compress: spool.CompressZstd},
	"plain pending": {pending: true}, "compressed pending": {compress: spool.CompressZstd, pending: true},
}
