//go:build unix

package fsafe_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"spool/pkg/fsafe"
)

// holder is a process that holds a lock until release.
type holder struct {
	cmd   *exec.Cmd
	stdin io.Closer
}

// hold starts op and returns when it says that it holds the lock.
func startHolder(t *testing.T, op, dir, name string, inherit ...*os.File) *holder {
	t.Helper()
	cmd := child(t, nil, op, dir, name)
	cmd.ExtraFiles = inherit
	stdin, err := cmd.StdinPipe()
	ok(t, err)
	stdout, err := cmd.StdoutPipe()
	ok(t, err)
	ok(t, cmd.Start())
	h := &holder{cmd, stdin}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || line != "held\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return h
}

func (h *holder) release(t *testing.T) {
	t.Helper()
	ok(t, h.stdin.Close())
	ok(t, h.cmd.Wait())
}

func (h *holder) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	ok(t, h.cmd.Process.Signal(sig))
}

// locked reports whether someone holds the lock so that mode is not to be had.
func locked(t *testing.T, d *fsafe.Dir, name string, mode fsafe.LockMode) bool {
	t.Helper()
	l, err := d.TryLock(name, mode, false)
	if errors.Is(err, fsafe.ErrLocked) {
		wantKind(t, err, fsafe.KindLocked)
		return true
	}
	ok(t, err)
	ok(t, l.Unlock())
	return false
}

func TestLockModes(t *testing.T) {
	d := private(t)
	for _, c := range []struct {
		first, second fsafe.LockMode
		refused       bool
	}{
		{fsafe.LockShared, fsafe.LockShared, false},
		{fsafe.LockShared, fsafe.LockExclusive, true},
		{fsafe.LockExclusive, fsafe.LockShared, true},
		{fsafe.LockExclusive, fsafe.LockExclusive, true},
	} {
		l, err := d.TryLock("lock", c.first, true)
		ok(t, err)
		if got := locked(t, d, "lock", c.second); got != c.refused {
			t.Errorf("%v then %v: refused %v", c.first, c.second, got)
		}
		ok(t, l.Unlock())
	}
	wantNames(t, d, "lock")
}

func TestLockDoesNotCreateUnasked(t *testing.T) {
	d := private(t)
	_, err := d.TryLock("lock", fsafe.LockShared, false)
	wantKind(t, err, fsafe.KindNotExist)
	wantNames(t, d)
}

func TestLockKeepsContentOfItsFile(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("lock", []byte("content"), false))
	l, err := d.TryLock("lock", fsafe.LockExclusive, true)
	ok(t, err)
	ok(t, l.Unlock())
	wantContent(t, d, "lock", "content")
}

func TestLockOfStoppedHolderEndsAtDeadline(t *testing.T) {
	d := private(t)
	h := startHolder(t, "hold", d.Path(), "lock")
	h.signal(t, syscall.SIGSTOP)
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err := d.Lock(ctx, "lock", fsafe.LockShared, false)
	if took := time.Since(begun); took < 30*time.Millisecond || took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	wantKind(t, err, fsafe.KindLocked)
	if !errors.Is(err, fsafe.ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	h.signal(t, syscall.SIGCONT)
	h.release(t)
}

func TestLockWaitsForItsHolder(t *testing.T) {
	d := private(t)
	h := startHolder(t, "hold", d.Path(), "lock")
	got := make(chan error)
	go func() {
		l, err := d.Lock(t.Context(), "lock", fsafe.LockExclusive, false)
		if err == nil {
			err = l.Unlock()
		}
		got <- err
	}()
	h.release(t)
	ok(t, <-got)
}

func TestLockEndsWithSIGKILL(t *testing.T) {
	d := private(t)
	h := startHolder(t, "hold", d.Path(), "lock")
	if !locked(t, d, "lock", fsafe.LockShared) {
		t.Fatal("not held")
	}
	h.signal(t, syscall.SIGKILL)
	_ = h.cmd.Wait() // it was killed
	if locked(t, d, "lock", fsafe.LockExclusive) {
		t.Fatal("still held")
	}
}

// A lock on a file that lost its name while we waited protects nothing.
func TestLockIsOnTheFileThatHasTheName(t *testing.T) {
	for _, create := range []bool{true, false} {
		d := private(t)
		h := startHolder(t, "hold", d.Path(), "lock")
		ok(t, d.Remove("lock"))
		if create {
			ok(t, d.Publish("lock", []byte("new"), false))
		}
		l, err := d.TryLock("lock", fsafe.LockExclusive, create)
		if !create {
			wantKind(t, err, fsafe.KindNotExist)
			h.release(t)
			continue
		}
		ok(t, err)
		held, err := fsafe.StatFile(l.File())
		ok(t, err)
		there, err := d.Stat("lock")
		ok(t, err)
		if !held.Same(there) {
			t.Fatal("locked a file without the name")
		}
		ok(t, l.Unlock())
		h.release(t)
	}
}

// Every holder unlinks the lock file when it is done, which it should not. Who
// then gets the lock of the nameless file shares it with no one, and must not
// have it.
func TestLockOfANamelessFileIsNotTaken(t *testing.T) {
	d := private(t)
	var inside, held atomic.Int32
	var wg sync.WaitGroup
	end := time.Now().Add(300 * time.Millisecond)
	for range 4 {
		wg.Go(func() {
			for time.Now().Before(end) {
				l, err := d.TryLock("lock", fsafe.LockExclusive, true)
				if err != nil {
					continue // held, or replaced too often
				}
				held.Add(1)
				if inside.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				runtime.Gosched()
				inside.Add(-1)
				_ = d.Remove("lock")
				if err := l.Unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if held.Load() == 0 {
		t.Fatal("never held")
	}
}

// The lock passes from parent to child without a moment in which it is free.
func TestLockIsHandedOverByInheritance(t *testing.T) {
	d := private(t)
	l, err := d.TryLock("lock", fsafe.LockShared, true)
	ok(t, err)
	h := startHolder(t, "adopt", d.Path(), "lock", l.File())
	ok(t, l.Unlock())
	if !locked(t, d, "lock", fsafe.LockExclusive) {
		t.Fatal("free while the child holds it")
	}
	h.release(t)
	if locked(t, d, "lock", fsafe.LockExclusive) {
		t.Fatal("held after the last copy was closed")
	}
}

func TestLockIsNotInheritedUnasked(t *testing.T) {
	d := private(t)
	l, err := d.TryLock("lock", fsafe.LockShared, true)
	ok(t, err)
	defer l.Unlock()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "ls -l /proc/self/fd /dev/fd 2>/dev/null")
	out, err := cmd.Output()
	if len(out) == 0 {
		t.Skip("SKIPPED: needs /proc or /dev/fd: ", err)
	}
	if strings.Contains(string(out), d.Path()) {
		t.Fatalf("inherited: %s", out)
	}
}

func TestAdoptKeepsTheLockFromFurtherChildren(t *testing.T) {
	d := private(t)
	l, err := d.TryLock("lock", fsafe.LockShared, true)
	ok(t, err)
	defer l.Unlock()
	fd, err := syscall.Dup(int(l.File().Fd())) // without close-on-exec
	ok(t, err)
	adopted, err := d.Adopt(os.NewFile(uintptr(fd), "inherited"), "lock", fsafe.LockShared)
	ok(t, err)
	defer adopted.Unlock()
	flags, err := unix.FcntlInt(adopted.File().Fd(), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Fatalf("flags %x, %v", flags, err)
	}
}

func TestAdoptRefusesAnotherFile(t *testing.T) {
	d := private(t)
	ok(t, d.Publish("lock", nil, false))
	ok(t, d.Publish("other", nil, false))
	f, err := d.OpenRW("other")
	ok(t, err)
	_, err = d.Adopt(f, "lock", fsafe.LockShared)
	wantKind(t, err, fsafe.KindOther)
	if err := f.Close(); err == nil {
		t.Fatal("the refused descriptor was left open")
	}
}

func TestFlockFileLastsUntilClose(t *testing.T) {
	d := private(t)
	f, err := d.Create("stream")
	ok(t, err)
	ok(t, fsafe.FlockFile(f, fsafe.LockExclusive))
	reader, err := d.OpenRW("stream")
	ok(t, err)
	defer reader.Close()
	err = fsafe.FlockFile(reader, fsafe.LockShared)
	wantKind(t, err, fsafe.KindLocked)
	ok(t, f.Close())
	ok(t, fsafe.FlockFile(reader, fsafe.LockShared))
}
