package spool

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spool/pkg/format"
)

// stuck is a target whose writes wait.
type stuck struct {
	target
	f *os.File
}

func (s stuck) file() *os.File            { return s.f }
func (s stuck) share(format.Limits) share { return &lone{left: 1 << 40} }
func (s stuck) finish(bool) error         { return nil }
func (s *slowSink) least() int            { return 1 }
func (s *slowSink) finish() error         { return nil }
func (s *slowSink) put(p []byte) (int, error) {
	<-s.let
	s.got += len(p)
	return len(p), nil
}

type slowSink struct {
	let chan struct{}
	got int
}

func stuckStage(t *testing.T, input io.Reader, out io.Writer) (*stage, *slowSink) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	o := options(t.TempDir())
	o.Stall = 20 * time.Millisecond
	o.Forward = ForwardRest
	s := newStage(o, stuck{f: f}, input, out)
	sink := &slowSink{let: make(chan struct{})}
	s.keeper.sink = sink
	return s, sink
}

func TestWriterThatComesBackIsWaitedForAndTheBoundaryIsExact(t *testing.T) {
	all := bytes.Repeat([]byte("0123456789abcdef"), queueSize/8)
	in, feed := io.Pipe()
	var out bytes.Buffer
	s, sink := stuckStage(t, in, &out)
	go func() {
		_, _ = feed.Write(all) // returns though nothing is written
		close(sink.let)
		feed.Close()
	}()
	s.run(t.Context())
	r := s.report()
	if len(r.Reasons) != 1 || r.Reasons[0].Code() != format.ReasonWriterStalled || !r.EOF {
		t.Errorf("%+v", r)
	}
	if !r.Counts.Committed.Is(int64(sink.got)) || !r.Observed.Is(int64(len(all))) {
		t.Errorf("committed %v, written %d, observed %v", r.Counts.Committed, sink.got, r.Observed)
	}
	if !bytes.Equal(out.Bytes(), all[sink.got:]) {
		t.Errorf("passed on %d bytes, retained %d of %d", out.Len(), sink.got, len(all))
	}
}

func TestWriteThatNeverReturnsIsGivenUpAfterTheInputsEnd(t *testing.T) {
	start := time.Now()
	s, sink := stuckStage(t, strings.NewReader("text"), io.Discard)
	defer close(sink.let)
	s.run(t.Context())
	r := s.report()
	if took := time.Since(start); took > 2*writePatience {
		t.Errorf("took %v", took)
	}
	if !r.EOF || r.Counts.Committed.IsKnown() || r.SHA256.IsSet() || r.Reasons[0].Code() != format.ReasonWriterStalled {
		t.Errorf("%+v", r)
	}
	if err := r.Check(); err != nil {
		t.Error(err)
	}
}
