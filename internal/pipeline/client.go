package pipeline

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// SupervisorName is what a detached supervisor finds in place of its own path
// as its first argument.
const SupervisorName = "spool-run: supervisor"

// channelFD is where a detached supervisor finds the channel to its client.
const channelFD = 3

// message is the one line that a detached supervisor tells its client.
type message struct {
	Failed   string  `json:"failed,omitempty"` // a failure of spool's own; why
	Code     int     `json:"code,omitempty"`   // exit status of a failure
	Promoted *Result `json:"promoted,omitempty"`
	Ended    *Result `json:"ended,omitempty"`
}

// ExitPromoted is the exit status of a call that returned while its command
// runs on.
const ExitPromoted = 75

// Detach starts executable, this program, anew with args as the supervisor of
// a run: in a session of its own, with nothing of this process but the working
// directory, the environment and, for promotion, stdin. It returns what the
// supervisor tells first: at once with the reference for a background run, else
// the end of the command or its promotion. Until then signals are passed on.
func Detach(o Options, executable string, args []string) (*Result, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, &SetupError{fmt.Errorf("make a channel: %w", err)}
	}
	unix.CloseOnExec(pair[0])
	unix.CloseOnExec(pair[1])
	ours := os.NewFile(uintptr(pair[0]), "channel")
	defer ours.Close() //nolint:errcheck // nothing is left to be said on it
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &SetupError{fmt.Errorf("open %q: %w", os.DevNull, err)}
	}
	defer closeFD(&null)
	in := uintptr(null)
	if !o.Background && o.Input == StdinInherit {
		in = o.Stdin.Fd()
	}
	attr := &syscall.ProcAttr{
		Env:   o.Env,
		Files: []uintptr{in, uintptr(null), uintptr(null), uintptr(pair[1])},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	}
	sealDescriptors()
	_, err = syscall.ForkExec(executable, append([]string{SupervisorName}, args...), attr)
	_ = unix.Close(pair[1])
	if err != nil {
		return nil, &SetupError{fmt.Errorf("start the supervisor %q: %w", executable, err)}
	}
	stop := relay(ours)
	defer stop()
	if o.Secrets != nil {
		handed := binary.BigEndian.AppendUint32(nil, uint32(len(o.Secrets))) //nolint:gosec // bounded where it was read
		_, _ = ours.Write(append(handed, o.Secrets...))                      // a supervisor that has gone is seen by attend
	}
	return attend(ours)
}

// relay passes signals to this process on to the supervisor, a byte each.
func relay(to io.Writer) (stop func()) {
	ch := make(chan os.Signal, 16)
	list := []os.Signal{syscall.SIGPIPE}
	for _, sig := range forwarded {
		if !signal.Ignored(sig) {
			list = append(list, sig)
		}
	}
	signal.Notify(ch, list...)
	go func() {
		for sig := range ch {
			if n, ok := sig.(syscall.Signal); ok && n != syscall.SIGPIPE {
				_, _ = to.Write([]byte{byte(n)}) // a supervisor that has gone is seen by attend
			}
		}
	}()
	return func() {
		signal.Ignore(syscall.SIGPIPE) // a closed stdout is an error of the print to come, not the end
		signal.Stop(ch)
		close(ch)
	}
}

// attend waits for what the supervisor has to tell.
func attend(from io.Reader) (*Result, error) {
	line, err := bufio.NewReader(from).ReadBytes('\n')
	if err != nil {
		return nil, &SetupError{errors.New("the supervisor was lost; what it has captured is published by spool-gc")}
	}
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, &SetupError{fmt.Errorf("read the supervisor's word: %w", err)}
	}
	switch {
	case m.Promoted != nil:
		return m.Promoted, nil
	case m.Ended != nil:
		return m.Ended, nil
	}
	return nil, &startFailure{m.Failed, m.Code}
}

// startFailure is a failure that the supervisor met.
type startFailure struct {
	text string
	code int
}

func (e *startFailure) Error() string { return e.text }

// ExitCode returns the exit status.
func (e *startFailure) ExitCode() int { return e.code }
