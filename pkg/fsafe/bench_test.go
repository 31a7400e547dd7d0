package fsafe_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"spool/pkg/fsafe"
)

func BenchmarkOpenRoot(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a", "b", "ns")
	for b.Loop() {
		d, _, err := fsafe.CreateRoot(path)
		if err != nil {
			b.Fatal(err)
		}
		_ = d.Close()
	}
}

func BenchmarkPublish(b *testing.B) {
	for _, sync := range []bool{false, true} {
		b.Run(fmt.Sprint("sync=", sync), func(b *testing.B) {
			d, _, err := fsafe.CreateRoot(filepath.Join(b.TempDir(), "ns"))
			if err != nil {
				b.Fatal(err)
			}
			defer d.Close()
			data := make([]byte, 2000)
			for b.Loop() {
				if err := d.Publish("a", data, sync); err != nil {
					b.Fatal(err)
				}
				if err := d.Remove("a"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLock(b *testing.B) {
	d, _, err := fsafe.CreateRoot(filepath.Join(b.TempDir(), "ns"))
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	for b.Loop() {
		l, err := d.TryLock("lock", fsafe.LockExclusive, true)
		if err != nil {
			b.Fatal(err)
		}
		_ = l.Unlock()
	}
}
