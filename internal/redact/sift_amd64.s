#include "textflag.h"

// func usualLen(b []byte) int
//
// A byte is printable ASCII if it is greater than 0x1f, as a signed number, and
// not 0x7f; it is white space if it is at most 4 when 9 is taken from it.
TEXT ·usualLen(SB), NOSPLIT, $0-32
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	XORQ AX, AX
	SUBQ $16, CX
	JLT  done

	MOVQ       $0x1f1f1f1f1f1f1f1f, DX
	MOVQ       DX, X0
	PUNPCKLQDQ X0, X0
	MOVQ       $0x0909090909090909, DX
	MOVQ       DX, X1
	PUNPCKLQDQ X1, X1
	MOVQ       $0x0404040404040404, DX
	MOVQ       DX, X2
	PUNPCKLQDQ X2, X2
	MOVQ       $0x7f7f7f7f7f7f7f7f, DX
	MOVQ       DX, X3
	PUNPCKLQDQ X3, X3

loop:
	MOVOU    (SI)(AX*1), X4
	MOVO     X4, X5
	PCMPGTB  X0, X5
	MOVO     X4, X6
	PSUBB    X1, X6
	MOVO     X6, X7
	PMINUB   X2, X7
	PCMPEQB  X6, X7
	PCMPEQB  X3, X4
	POR      X7, X5
	PANDN    X5, X4
	PMOVMSKB X4, DX
	CMPL     DX, $0xffff
	JNE      stop
	ADDQ     $16, AX
	CMPQ     AX, CX
	JLE      loop

done:
	MOVQ AX, ret+24(FP)
	RET

stop:
	NOTL DX
	BSFL DX, DX
	ADDQ DX, AX
	MOVQ AX, ret+24(FP)
	RET

// BLOCK looks up the four hashes at from(R9), and writes down the block that is
// that much further than R8.
#define BLOCK(from, further) \
	MOVWLZX (from+0)(R9), R10; \
	MOVWLZX (from+2)(R9), R11; \
	MOVWLZX (from+4)(R9), R12; \
	MOVWLZX (from+6)(R9), R13; \
	MOVBLZX (DX)(R10*1), R10; \
	MOVBLZX (DX)(R11*1), R11; \
	MOVBLZX (DX)(R12*1), R12; \
	MOVBLZX (DX)(R13*1), R13; \
	LEAL    (R10)(R11*4), R10; \
	LEAL    (R12)(R13*4), R12; \
	SHLL    $4, R12; \
	ADDL    R12, R10; \
	LEAL    further(R10)(R8*1), R11; \
	MOVL    R11, (DI)(AX*4); \
	CMPL    R10, $1; \
	SBBQ    $-1, AX

// func siftWhole(t *[1 << 16]uint8, b []byte, found *blocks) (n, i int)
//
// The hash of a triple is made of its two pairs, multiplied: lanes of two bytes
// hold one of them for each even position. R8 is 256 times the position, AX how
// many blocks are found; each is written, and counted if its mask is not zero.
TEXT ·siftWhole(SB), NOSPLIT, $32-56
	MOVQ t+0(FP), DX
	MOVQ b_base+8(FP), SI
	MOVQ b_len+16(FP), CX
	MOVQ found+32(FP), DI
	LEAQ 15(SP), R9
	ANDQ $~15, R9
	XORQ AX, AX
	XORQ BX, BX
	SUBQ $24, CX        // what must come from two blocks' beginning on
	CMPQ CX, $(2048-16) // sieveSize, less the two blocks
	JLE  short
	MOVQ $(2048-16), CX

short:
	MOVQ       $0x2020202020202020, R8 // foldMask
	MOVQ       R8, X4
	PUNPCKLQDQ X4, X4
	MOVQ       $0xb2c5b2c5b2c5b2c5, R8 // mul01
	MOVQ       R8, X5
	PUNPCKLQDQ X5, X5
	MOVQ       $0x8a958a958a958a95, R8 // mul12
	MOVQ       R8, X6
	PUNPCKLQDQ X6, X6
	XORQ       R8, R8
	CMPQ       BX, CX
	JGT        end

next:
	MOVOU  (SI)(BX*1), X0
	MOVOU  1(SI)(BX*1), X1
	POR    X4, X0
	POR    X4, X1
	PMULLW X5, X0
	PMULLW X6, X1
	PADDW  X1, X0
	MOVO   X0, (R9)

	BLOCK(0, 0)
	BLOCK(8, 2048)
	ADDQ $16, BX
	ADDL $4096, R8
	CMPQ BX, CX
	JLE  next

end:
	MOVQ AX, n+40(FP)
	MOVQ BX, i+48(FP)
	RET
