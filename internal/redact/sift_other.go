//go:build !amd64

package redact

// siftWhole finds, among the first sieveSize bytes of b, the blocks that are
// followed by enough text to take two at once. It returns how many were found, and
// up to where it has looked.
func siftWhole(t *[1 << 16]uint8, b []byte, found *blocks) (n, i int) {
	return siftWholeGeneric(t, b, found)
}

// usualLen returns how many bytes at the beginning of b are printable ASCII or
// white space, or fewer: it may leave out up to 15 of them.
func usualLen(b []byte) int { return usualLenGeneric(b) }
