package fsafe_test

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"spool/pkg/fsafe"
)

// Descriptors must be closed where an error returns, not by the collector.
func TestRefusalsLeaveNoDescriptorOpen(t *testing.T) {
	base := t.TempDir()
	must(t, "sh", "-ec", "cd "+base+"; umask 077; mkdir ns ns/open; chmod 755 ns/open; mkfifo ns/pipe; touch ns/file; ln ns/file ns/hard; ln -s file ns/link; ln -s ns way; mkdir -m 777 pub")
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	before := descriptors(t)
	d, err := fsafe.OpenRoot(base + "/way/../ns")
	ok(t, err)
	for _, path := range []string{"ns/open", "ns/pipe", "way", "way/absent", "way/file/x", "pub/x", "way/link", "ns/../ns/pipe"} {
		if _, err := fsafe.OpenRoot(base + "/" + path); err == nil {
			t.Error("opened", path)
		}
	}
	for _, name := range []string{"open", "pipe", "file", "hard", "link", "a/b"} {
		for op, do := range namedOps(d) {
			switch op {
			case "open", "open dir", "read", "reserved", "to", "lock", "adopt", "stat":
				_ = do(name) // refused or not
			}
		}
	}
	for range d.All() {
		break
	}
	ok(t, d.Close())
	if after := descriptors(t); after != before {
		t.Fatalf("left open:\n%s\nbefore:\n%s", after, before)
	}
}

func descriptors(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	ok(t, err)
	var list []string
	for _, e := range entries {
		to, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil {
			list = append(list, e.Name()+" "+to)
		}
	}
	return strings.Join(list, "\n")
}
