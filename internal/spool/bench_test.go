package spool

import (
	"bytes"
	"io"
	"os"
	"testing"

	"spool/pkg/format"
)

func BenchmarkRun(b *testing.B) {
	data := bytes.Repeat([]byte("an ordinary line of a log\n"), 16<<20/26)
	for name, change := range map[string]func(*Options){
		"plain":     func(*Options) {},
		"zstd":      func(o *Options) { o.Compress = CompressZstd },
		"no room":   func(o *Options) { o.Limits.CaptureBytes = 0 },
		"unlimited": func(o *Options) { o.Limits.CaptureBytes = format.Unlimited },
	} {
		b.Run(name, func(b *testing.B) {
			o := options(b.TempDir())
			o.Report = ""
			change(&o)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				err := Run(b.Context(), o, bytes.NewReader(data), io.Discard)
				if err != nil && name != "no room" {
					b.Fatal(err)
				}
				for _, file := range []string{o.File, o.File + ".zst"} {
					_ = os.Remove(file) // one of the two
				}
			}
		})
	}
}
