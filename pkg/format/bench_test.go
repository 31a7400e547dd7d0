package format

import "testing"

// BenchmarkParseReceipt is what a list over many captures pays for each.
func BenchmarkParseReceipt(b *testing.B) {
	data, err := EncodeReceipt(sample())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseReceipt(data); err != nil {
			b.Fatal(err)
		}
	}
}
