package pipeline

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// forwarded are the signals that are passed on to the command.
var forwarded = []syscall.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
}

// attended are the other signals that matter. Each one asked for costs two
// turns of threads in the Go runtime, so that a command which has ended before
// any of them can matter goes without.
var attended = []os.Signal{syscall.SIGCHLD, syscall.SIGPIPE, syscall.SIGTSTP, syscall.SIGCONT, cancelSignal}

// signals receives what is sent to this process and posts it to the loop.
type signals struct {
	ch       chan os.Signal
	done     chan struct{} // closed when every forwarded signal is being received
	attended bool          // the others are received as well
}

// listen begins to receive the forwarded signals while the caller goes on;
// ready waits for it. A signal that was ignored at the start stays ignored,
// here and in the command: it is never asked for, because asking would undo it.
// The Go runtime tells this of SIGINT and SIGHUP alone; the others have their
// default in the command, whatever the caller had set.
func listen(box *inbox, receive func(syscall.Signal)) *signals {
	s := &signals{ch: make(chan os.Signal, 64), done: make(chan struct{})}
	var list []os.Signal
	for _, sig := range forwarded {
		if !signal.Ignored(sig) {
			list = append(list, sig)
		}
	}
	go func() {
		signal.Notify(s.ch, list...)
		close(s.done)
		for sig := range s.ch {
			if n, ok := sig.(syscall.Signal); ok {
				box.post(func() { receive(n) })
			}
		}
	}()
	return s
}

// ready waits until no forwarded signal can be missed.
func (s *signals) ready() { <-s.done }

// attend receives the other signals, too: before the capture can be found and
// cancelled, and as soon as there is a child whose end no descriptor tells of,
// a terminal, or a stage that may be stopped. SIGPIPE is asked for so that a
// write to a closed stdout is an error and not the end.
func (s *signals) attend() {
	if !s.attended {
		s.attended = true
		signal.Notify(s.ch, attended...)
	}
}

// stop ends the receiving; what comes later has its default effect. SIGPIPE has
// none from here on: what is printed at the end may meet a closed stdout, and
// that must not cost the command's status. Nothing is started any more that
// could inherit it. The caller goes on meanwhile: mostly it has next to nothing
// to print.
func (s *signals) stop() {
	s.ready()
	signal.Ignore(syscall.SIGPIPE)
	go func() {
		signal.Stop(s.ch)
		close(s.ch)
	}()
}

// signalName returns the name of a signal: SIGKILL, or SIGRTMIN+3 for one that
// has none.
func signalName(sig syscall.Signal) string {
	if name := unix.SignalName(sig); name != "" {
		return name
	}
	const rtmin = 34 // signal(7), as the C library counts
	if sig >= rtmin {
		return "SIGRTMIN+" + strconv.Itoa(int(sig)-rtmin)
	}
	return "SIG" + strconv.Itoa(int(sig))
}
