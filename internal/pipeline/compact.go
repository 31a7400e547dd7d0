package pipeline

import (
	"bytes"
	"errors"

	"golang.org/x/sys/unix"

	"spool/internal/preview"
	"spool/internal/redact"
	"spool/pkg/format"
)

// inlined is a whole stream, sanitised in this process.
type inlined struct {
	name  string
	text  []byte
	stats redact.Stats
}

// compact takes a small result out of the pipes and sanitises it. Where what
// comes of it does not fit the preview, the stages get it after all.
func (r *run) compact(size int) {
	raw := make([][]byte, len(r.streams))
	for i, s := range r.streams {
		data, err := readAll(s.in, size)
		if err != nil { // not a pipe any more: cannot happen
			panic("pipeline: read a pipe: " + err.Error())
		}
		raw[i] = data
		r.watch.remove(s.in)
		closeFD(&s.in)
		s.phase = ended
	}
	inline, err := r.sanitise(raw)
	if parts := inlineParts(inline); err == nil && !isLossy(parts) && preview.Fits(r.o.Budget, r.failed(), parts) {
		r.inline = inline
		return
	}
	for i, s := range r.streams {
		if len(raw[i]) > 0 {
			r.refill(s, raw[i])
		}
	}
}

// sanitise redacts whole streams.
func (r *run) sanitise(raw [][]byte) ([]inlined, error) {
	var inline []inlined
	for i, s := range r.streams {
		in := inlined{name: s.name}
		if len(raw[i]) > 0 || r.o.WantReceipt {
			set, err := r.set.get()
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			w := set.NewWriter(&b)
			_, err = w.Write(raw[i])
			if err := errors.Join(err, w.Close()); err != nil {
				return nil, err
			}
			in.text, in.stats = b.Bytes(), w.Stats()
		}
		inline = append(inline, in)
	}
	return inline, nil
}

// refill starts the stages of s on a fresh pipe that holds data.
func (r *run) refill(s *stream, data []byte) {
	in, err := r.feed(data)
	if err != nil {
		r.lose(s, err.Error())
		return
	}
	s.in = in
	r.flow(s)
}

func inlineParts(inline []inlined) []preview.Part {
	parts := make([]preview.Part, len(inline))
	for i, in := range inline {
		parts[i] = preview.Whole(in.name, in.text)
	}
	return parts
}

// mustKeep tells whether the result has to be captured, however small it is.
func (r *run) mustKeep() bool {
	switch {
	case r.o.Keep == KeepNever:
		return false
	case r.o.Keep == KeepAlways || r.o.Keep == KeepFailed && r.failed():
		return true
	}
	return r.o.Facts.Upstream.State == format.UpstreamTruncated
}

// failed tells whether the command was unsuccessful.
func (r *run) failed() bool {
	return r.failure != nil || r.ending.state != "" || r.cmd.child == nil || r.cmd.status.Signaled() || r.cmd.status.ExitStatus() != 0
}

// feed returns the read end of a pipe that data comes out of.
func (r *run) feed(data []byte) (int, error) {
	in, out, err := pipe()
	if err != nil {
		return -1, err
	}
	go func() {
		_ = writeAll(out, data) // a reader that has gone is seen by its end
		_ = unix.Close(out)
	}()
	return in, nil
}
