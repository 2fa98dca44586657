package asm

import "math/bits"

// Reg is a general register. Its width is chosen by the instruction.
type Reg uint8

// General registers, in the order of their numbers.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	RIP   Reg = 16   // base of an operand that is addressed relative to the code
	NoReg Reg = 0xFF // no base
)

// Vec is a vector register: 0..15 in the VEX tier, 0..31 with EVEX.
type Vec uint8

// K is an opmask register, 0..7; k0 as a mask means none.
type K uint8

// Tile is an AMX tile register, 0..7.
type Tile uint8

// Size is the length of a vector or the width of a general register, in bits.
type Size uint16

// Widths of general registers and lengths of vectors.
const (
	W8    Size = 8
	W16   Size = 16
	W32   Size = 32
	W64   Size = 64
	VL128 Size = 128
	VL256 Size = 256
	VL512 Size = 512
)

// l returns the value of the fields VEX.L and EVEX.L'L.
func (s Size) l() uint8 {
	if s < VL128 {
		return 0
	}
	return uint8(bits.TrailingZeros16(uint16(s)) - 7)
}

// Mem is a memory operand: Base + Index*Scale + Disp. Without an index Scale is 0. With Base RIP it is the place of
// Label plus Disp. In a gather or scatter Index is the number of a vector register.
type Mem struct {
	Base  Reg
	Index Reg
	Scale uint8 // 0 (no index), 1, 2, 4 or 8
	Disp  int32
	Label Label
}

// M is [base + disp].
func M(base Reg, disp int32) Mem { return Mem{Base: base, Disp: disp} }

// MX is [base + index*scale + disp]. RSP cannot be an index.
func MX(base, index Reg, scale uint8, disp int32) Mem { return Mem{base, index, scale, disp, 0} }

// MV is the operand of a gather or scatter: one address base + index[i]*scale + disp for each lane.
func MV(base Reg, index Vec, scale uint8, disp int32) Mem {
	return Mem{base, Reg(index), scale, disp, 0}
}

// At is the place of a label, plus disp, addressed relative to the code.
func At(l Label, disp int32) Mem { return Mem{Base: RIP, Label: l, Disp: disp} }

// Add returns m moved by disp bytes.
func (m Mem) Add(disp int32) Mem {
	m.Disp += disp
	return m
}

// Opt adds to an EVEX instruction: an opmask, zeroing, broadcast of a memory element, rounding. Options combine by |.
type Opt uint16

// Options. The zero Opt asks for none.
const (
	Zero  Opt = 1 << 3 // lanes that the mask leaves out become zero; else they keep the destination's value
	Bcst  Opt = 1 << 4 // the memory operand is one element, given to each lane
	SAE   Opt = 1 << 5 // no floating-point exceptions
	RN    Opt = 1 << 6 // round to nearest even whatever MXCSR says, no exceptions; 512 bits or scalar
	RD    Opt = RN | 1<<7
	RU    Opt = RN | 2<<7
	RZ    Opt = RN | 3<<7
	optRC     = RN | 3<<7
)

// Mask selects the lanes in which k has a bit; the others are left alone.
func Mask(k K) Opt { return Opt(k & 7) }

// MaskZ selects the lanes in which k has a bit; the others become zero.
func MaskZ(k K) Opt { return Opt(k&7) | Zero }

// K returns the opmask of o, 0 for none.
func (o Opt) K() K { return K(o & 7) }

// Cond is a condition of Jcc, CMOV and SET.
type Cond uint8

// Conditions in the order of their codes.
const (
	O  Cond = iota // overflow
	NO             // no overflow
	B              // below: unsigned <, carry
	AE             // above or equal: unsigned >=, no carry
	E              // equal, zero
	NE             // not equal, not zero
	BE             // unsigned <=
	A              // unsigned >
	S              // negative
	NS             // not negative
	P              // parity: unordered after a float compare
	NP             // no parity
	L              // signed <
	GE             // signed >=
	LE             // signed <=
	G              // signed >
)

// Predicates of VCMPPS and its kin. The first letter of the suffix is O for false, U for true with a NaN.
const (
	CmpEQ_OQ, CmpLT_OS, CmpLE_OS, CmpUNORD_Q    = 0x00, 0x01, 0x02, 0x03
	CmpNEQ_UQ, CmpNLT_US, CmpNLE_US, CmpORD_Q   = 0x04, 0x05, 0x06, 0x07
	CmpEQ_UQ, CmpNGE_US, CmpNGT_US, CmpFALSE_OQ = 0x08, 0x09, 0x0A, 0x0B
	CmpNEQ_OQ, CmpGE_OS, CmpGT_OS, CmpTRUE_UQ   = 0x0C, 0x0D, 0x0E, 0x0F
	CmpLT_OQ, CmpLE_OQ, CmpNLT_UQ, CmpNLE_UQ    = 0x11, 0x12, 0x15, 0x16
	CmpGE_OQ, CmpGT_OQ, CmpNGE_UQ, CmpNGT_UQ    = 0x1D, 0x1E, 0x19, 0x1A
)

// Predicates of VPCMPD and its kin.
const (
	CmpEQ, CmpLT, CmpLE, CmpNE, CmpGE, CmpGT = 0, 1, 2, 4, 5, 6
)

// Rounding immediates of VRNDSCALE, inexact exceptions suppressed.
const (
	RoundNearest, RoundDown, RoundUp, RoundZero = 8, 9, 10, 11
)
