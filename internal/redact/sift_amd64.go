package redact

// These take sixteen bytes at a time with what every amd64 processor has (SSE2).

// siftWhole finds, among the first sieveSize bytes of b, the blocks that are
// followed by enough text to take two at once. It returns how many were found, and
// up to where it has looked.
//
//go:noescape
func siftWhole(t *[1 << 16]uint8, b []byte, found *blocks) (n, i int)

// usualLen returns how many bytes at the beginning of b are printable ASCII or
// white space, or fewer: it may leave out up to 15 of them.
//
//go:noescape
func usualLen(b []byte) int
