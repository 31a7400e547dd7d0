package spool

import (
	"errors"
	"io"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// resident returns how many of the file's bytes in [start, end) lie in the page
// cache (mincore(2)).
func resident(t *testing.T, f *os.File, start, end int64) int64 {
	t.Helper()
	m, err := unix.Mmap(int(f.Fd()), start, int(end-start), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(m)
	page := int64(os.Getpagesize())
	vec := make([]byte, (end-start+page-1)/page)
	_, _, errno := unix.Syscall(unix.SYS_MINCORE,
		uintptr(unsafe.Pointer(&m[0])), uintptr(len(m)), uintptr(unsafe.Pointer(&vec[0])))
	if errno != 0 {
		t.Fatal(errno)
	}
	n := int64(0)
	for _, b := range vec {
		n += int64(b&1) * page
	}
	return n
}

// cacheable returns a directory on a file system that can drop a page.
func cacheable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(dir + "/probe")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const size = 1 << 20
	_, err = f.Write(make([]byte, size))
	if err := errors.Join(err, f.Sync()); err != nil {
		t.Fatal(err)
	}
	fsafe.DropCached(f, 0, size)
	if n := resident(t, f, 0, size); n > size/2 {
		t.Skipf("SKIPPED: needs a file system whose pages can be dropped: %d of %d bytes stay", n, size)
	}
	return dir
}

// TestLongStreamLeavesThePageCache keeps more than stays there, and a file that
// does stay.
func TestLongStreamLeavesThePageCache(t *testing.T) {
	dir := cacheable(t)
	const long = cachedHead + 5*cachedTail
	for _, c := range []struct {
		size, least, most int64 // bytes of the file; of them in the cache
	}{
		{cachedHead, cachedHead / 2, cachedHead},
		{long, cachedHead / 2, cachedHead + 3*cachedTail},
	} {
		o := options(dir)
		o.Limits.CaptureBytes, o.Sync = format.Unlimited, SyncEnd
		if err := Run(t.Context(), o, io.LimitReader(endless{}, c.size), io.Discard); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(o.File)
		if err != nil {
			t.Fatal(err)
		}
		if n := resident(t, f, 0, c.size); n < c.least || n > c.most {
			t.Errorf("%d of %d bytes are in the page cache; want %d to %d", n, c.size, c.least, c.most)
		}
		if err := errors.Join(f.Close(), os.Remove(o.File), os.Remove(o.Report)); err != nil {
			t.Fatal(err)
		}
	}
}
