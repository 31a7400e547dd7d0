package pipeline

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// client is the other end of the channel, as the supervisor sees it. The zero
// client is none: a run in the foreground.
type client struct {
	channel *os.File // nil: none, or gone
}

// tell sends m. A client that has gone is not waited for.
func (c *client) tell(m message) {
	if c.channel == nil {
		return
	}
	line, err := json.Marshal(m)
	if err == nil {
		_, err = c.channel.Write(append(line, '\n'))
	}
	if err != nil {
		c.leave()
	}
}

// leave closes the channel.
func (c *client) leave() {
	if c.channel != nil {
		_ = c.channel.Close() // said or not
		c.channel = nil
	}
}

// listenTo posts the signals that the client relays, and in the end that it
// has gone.
func (r *run) listenTo(channel *os.File) {
	go func() {
		var b [1]byte
		for {
			if _, err := channel.Read(b[:]); err != nil {
				r.box.post(func() {
					r.given = true // nobody has seen what it printed
					r.client.leave()
				})
				return
			}
			sig := syscall.Signal(b[0])
			r.box.post(func() { r.signalled(sig) })
		}
	}()
}

// Supervise is the run of a detached supervisor: what came of it is told to
// the client, as long as there is one.
func Supervise(o Options) {
	syscall.CloseOnExec(channelFD)
	channel := os.NewFile(channelFD, "channel")
	c := &client{channel: channel}
	res, err := supervise(o, c)
	if err != nil {
		code := 125
		var coded interface{ ExitCode() int }
		if errors.As(err, &coded) {
			code = coded.ExitCode()
		}
		c.tell(message{Failed: err.Error(), Code: code})
		c.leave()
		return
	}
	c.tell(message{Ended: res})
	c.leave()
}

// HandedSecrets returns, in a detached supervisor, what the client has read as
// secrets: the descriptor that held them was the client's alone.
func HandedSecrets() ([]byte, error) {
	channel := rawReader(channelFD)
	var size [4]byte
	if _, err := io.ReadFull(channel, size[:]); err != nil {
		return nil, fmt.Errorf("read the secrets' length from the caller: %w", err)
	}
	data := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(channel, data); err != nil {
		return nil, fmt.Errorf("read the secrets from the caller: %w", err)
	}
	return data, nil
}

// rawReader reads a descriptor that is not its own to close.
type rawReader int

// Read implements [io.Reader].
func (fd rawReader) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(int(fd), p)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return 0, err
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}
