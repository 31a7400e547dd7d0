package redact

import "encoding/binary"

const foldAll = foldMask<<32 | foldMask

// siftWholeGeneric is siftWhole for every processor.
func siftWholeGeneric(t *[1 << 16]uint8, b []byte, found *blocks) (n, i int) {
	for ; i < sieveSize && len(b) >= 24; i += 16 {
		c := (*[24]byte)(b)
		v0 := binary.LittleEndian.Uint64(c[0:]) | foldAll
		v6 := binary.LittleEndian.Uint64(c[6:]) | foldAll
		v8 := binary.LittleEndian.Uint64(c[8:]) | foldAll
		v14 := binary.LittleEndian.Uint64(c[14:]) | foldAll
		m := mask4(t[slot3(uint32(v0))], t[slot3(uint32(v0>>16))], t[slot3(uint32(v0>>32))], t[slot3(uint32(v6))])
		found[n] = uint32(i)<<8 | m
		if m != 0 {
			n++
		}
		m = mask4(t[slot3(uint32(v8))], t[slot3(uint32(v8>>16))], t[slot3(uint32(v8>>32))], t[slot3(uint32(v14))])
		found[n] = uint32(i+8)<<8 | m
		if m != 0 {
			n++
		}
		b = b[16:]
	}
	return n, i
}

// mask4 joins what is known of a block's four triples. Sums are cheaper here than
// shifts, and no bit is in two of them.
func mask4(a, b, c, d uint8) uint32 {
	return uint32(a) + 4*uint32(b) + 16*(uint32(c)+4*uint32(d))
}

// usualLenGeneric is usualLen for every processor.
func usualLenGeneric(b []byte) int {
	i := 0
	for rest := b; len(rest) >= 16; rest = rest[16:] {
		c := (*[16]byte)(rest)
		if (unusual(binary.LittleEndian.Uint64(c[:8]))|unusual(binary.LittleEndian.Uint64(c[8:])))&highBits != 0 {
			break
		}
		i += 16
	}
	return i
}
