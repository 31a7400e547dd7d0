package preview

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"spool/internal/receipt"
	"spool/pkg/format"
)

func TestConsumersSeeEachByteOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "spool-preview-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		ns := namespaceIn(t, dir)
		c, err := receipt.Begin(ns, receipt.BeginOptions{Streams: []string{"stdout"}, Tool: format.Tool{Name: "t", Version: "1"}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var file *os.File
		var written []byte
		seen := map[string]*bytes.Buffer{"a": {}, "b": {}}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "write") {
				if file == nil {
					if file, err = c.CreateStream("stdout", format.None[format.Compression]()); err != nil {
						t.Fatal(err)
					}
					defer file.Close()
				}
				data := bytes.ToValidUTF8(streams().Draw(t, "data"), []byte("?"))
				if _, err := file.Write(data); err != nil {
					t.Fatal(err)
				}
				written = append(written, data...)
				continue
			}
			name := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "consumer")
			limit := int64(rapid.IntRange(4, 3000).Draw(t, "limit"))
			if rapid.IntRange(0, 4).Draw(t, "broken") == 0 {
				o := Output{W: brokenWriter{io.ErrClosedPipe}, Note: func(string) {}}
				if err := Poll(context.Background(), c, "", PollOptions{Consumer: name, Limit: limit, Output: o}); err == nil && seen[name].Len() < len(written) {
					t.Fatal("a lost answer is not told")
				}
				continue
			}
			var s said
			if err := Poll(context.Background(), c, "", PollOptions{Consumer: name, Limit: limit, Output: s.output()}); err != nil {
				t.Fatal(err)
			}
			if int64(s.Len()) > limit || !utf8.Valid(s.Bytes()) {
				t.Fatalf("%d bytes of at most %d", s.Len(), limit)
			}
			seen[name].Write(s.Bytes())
		}
		for name, got := range seen {
			for got.Len() < len(written) {
				var s said
				if err := Poll(context.Background(), c, "", PollOptions{Consumer: name, Output: s.output()}); err != nil || s.Len() == 0 {
					t.Fatalf("poll: %v, %d bytes", err, s.Len())
				}
				got.Write(s.Bytes())
			}
			if !bytes.Equal(got.Bytes(), written) {
				t.Fatalf("consumer %s has seen something else", name)
			}
		}
	})
}

func TestPollsOfOneConsumerAtOnceShareTheStream(t *testing.T) {
	data := []byte(strings.Repeat("é0123456789\n", 500))
	c := captured(t, namespaceIn(t, t.TempDir()), made{}, map[string][]byte{"stdout": data})
	defer c.Close()
	pieces := make(chan Piece, len(data))
	var polls sync.WaitGroup
	for range 4 {
		polls.Go(func() {
			for {
				var s said
				o := s.output()
				o.JSON = true
				if err := Poll(t.Context(), c, "", PollOptions{Consumer: "x", Limit: 100, Output: o}); err != nil {
					t.Error(err)
					return
				}
				var p Piece
				if err := json.Unmarshal(s.Bytes(), &p); err != nil || p.Start == p.End {
					return
				}
				pieces <- p
			}
		})
	}
	polls.Wait()
	close(pieces)
	seen := make([]byte, len(data))
	n := int64(0)
	for p := range pieces {
		copy(seen[p.Start:], p.Data)
		n += p.End - p.Start
	}
	if n != int64(len(data)) || !bytes.Equal(seen, data) {
		t.Errorf("%d of %d bytes were seen", n, len(data))
	}
}

func TestFollowEndsWhenTheStreamIsFinal(t *testing.T) {
	c := captured(t, namespaceIn(t, t.TempDir()), made{pending: true}, map[string][]byte{"stdout": []byte("one\ntwo\n")})
	defer c.Close()
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		o := Output{W: w, Note: func(string) {}}
		done <- Poll(context.Background(), c, "stdout", PollOptions{Follow: true, Output: o})
		w.Close()
	}()
	first := make([]byte, 8)
	if _, err := io.ReadFull(r, first); err != nil || string(first) != "one\ntwo\n" {
		t.Fatalf("%q, %v", first, err)
	}
	if _, _, err := receipt.Finish(t.Context(), c, receipt.FinishOptions{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(r)
	if err := errors.Join(err, <-done); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}
