package capture

import (
	"errors"
	"testing"

	"spool/pkg/format"
)

func BenchmarkBeginAndDiscard(b *testing.B) {
	ns, err := CreateNamespace(b.TempDir() + "/ns")
	if err != nil {
		b.Fatal(err)
	}
	defer ns.Close()
	for b.Loop() {
		c, err := ns.Begin(launch())
		if err == nil {
			err = errors.Join(c.Discard(b.Context()), c.Close())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBeginAndPublish(b *testing.B) {
	ns, err := CreateNamespace(b.TempDir() + "/ns")
	if err != nil {
		b.Fatal(err)
	}
	defer ns.Close()
	for b.Loop() {
		c, err := ns.Begin(launch())
		if err == nil {
			err = errors.Join(c.Publish(b.Context(), partial(c), false), c.Close())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReserve(b *testing.B) {
	ns, err := CreateNamespace(b.TempDir() + "/ns")
	if err != nil {
		b.Fatal(err)
	}
	defer ns.Close()
	c, err := ns.Begin(launch())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	q := c.Quota(format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: format.Unlimited})
	for b.Loop() {
		if _, err := q.Reserve(b.Context(), 1); err != nil {
			b.Fatal(err)
		}
	}
}
