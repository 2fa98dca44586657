package asm

// Op is an instruction's mnemonic, or one of its forms where they differ in operands: VCMPPS gives a vector mask
// (VEX), VCMPPSK an opmask (EVEX); VPSLLDI shifts by an immediate, VPSLLD by the low quadword of a register.
type Op uint16

// row is what the table knows of one Op.
type row struct {
	name  string // Intel mnemonic
	vname string // mnemonic of the VEX form where it differs: vpand for VPANDD
	d     desc
	store uint8 // opcode of the form whose destination is memory, 0 for none or the same

	load, stored layout // derived: where operands stand, as a load and as a store
	usual        usual  // derived, too
}

// desc is a packed description of one opcode: its bytes, its operands and what may be asked of it.
//
//	0-7 opcode    8-10 map         11-12 prefix   13-15 W         16-17 encodings  18-22 form
//	23-26 digit   27-38 operands   39-42 memory   43-44 broadcast 45-62 traits
type desc uint64

// Opcode maps: 0 is the one-byte map of general instructions.
const (
	x0F   desc = 1 << 8
	x0F38 desc = 2 << 8
	x0F3A desc = 3 << 8
)

// Mandatory prefixes.
const (
	np  desc = 0
	p66 desc = 1 << 11
	pF3 desc = 2 << 11
	pF2 desc = 3 << 11
)

// The W bit: set in the VEX form, in the EVEX form, or by the width of a general register.
const (
	vw1  desc = 1 << 13
	ew1  desc = 1 << 14
	w1        = vw1 | ew1
	wReg desc = 1 << 15
)

// Encodings that the instruction has.
const (
	vex  desc = 1 << 16
	evex desc = 1 << 17
	both      = vex | evex
)

// Forms: which operand goes into which field. Letters: R ModRM.reg, M ModRM.rm, V VEX.vvvv, 4 the immediate's top.
const (
	fNone desc = iota << 18
	fRM
	fMR
	fRVM
	fMVR
	fVM
	fRMV
	fRVM4
	fM
	fR
	fGather  // VEX: R, VSIB, V. EVEX: R, VSIB under a mask
	fScatter // VSIB, R under a mask
	gALU     // general instructions from here on
	gTest
	gMov
	gShift
	gUnary
	gRM
	gExchange
	gCmov
	gSet
	gJcc
	gJmp
	gFixed
	gMem
	formMask desc = 31 << 18
)

// fieldPlaces gives the operand number of each field, -1 where the form lacks it, and the number of operands.
var fieldPlaces = [...]struct{ reg, vvvv, rm, is4, n int8 }{
	fNone >> 18:    {-1, -1, -1, -1, 0},
	fRM >> 18:      {0, -1, 1, -1, 2},
	fMR >> 18:      {1, -1, 0, -1, 2},
	fRVM >> 18:     {0, 1, 2, -1, 3},
	fMVR >> 18:     {2, 1, 0, -1, 3},
	fVM >> 18:      {-1, 0, 1, -1, 2},
	fRMV >> 18:     {0, 2, 1, -1, 3},
	fRVM4 >> 18:    {0, 1, 2, 3, 4},
	fM >> 18:       {-1, -1, 0, -1, 1},
	fR >> 18:       {0, -1, -1, -1, 1},
	fGather >> 18:  {0, 2, 1, -1, 3},
	fScatter >> 18: {1, -1, 0, -1, 2},
}

// digit is the opcode extension in ModRM.reg.
func (d desc) digit() (uint8, bool) { return uint8(d>>23&15) - 1, d>>23&15 != 0 }

const (
	d0 desc = (iota + 1) << 23
	d1
	d2
	d3
	d4
	d5
	d6
	d7
)

// Kind is what an operand is.
type Kind uint8

// Kinds of operands. The size of a vector is the instruction's, or a part of it (never below 128 bits).
const (
	NoOperand Kind = iota
	Full           // vector of the instruction's size
	Half           // vector of half that size
	Quarter
	Eighth
	Xmm
	Ymm
	Opmask
	GP32
	GP64
	GP // general register of the instruction's size
	TileReg
)

// Operands in the fields reg (names with r), vvvv (v) and rm (m).
const (
	rV, rH, rQ, rE, rX, rY = desc(Full) << 27, desc(Half) << 27, desc(Quarter) << 27, desc(Eighth) << 27,
		desc(Xmm) << 27, desc(Ymm) << 27
	rK, rD, rG, rT         = desc(Opmask) << 27, desc(GP32) << 27, desc(GP) << 27, desc(TileReg) << 27
	vV, vX, vK, vG, vT, vH = desc(Full) << 31, desc(Xmm) << 31, desc(Opmask) << 31, desc(GP) << 31,
		desc(TileReg) << 31, desc(Half) << 31
	mV, mH, mQ, mE, mX, mY = desc(Full) << 35, desc(Half) << 35, desc(Quarter) << 35, desc(Eighth) << 35,
		desc(Xmm) << 35, desc(Ymm) << 35
	mK, mD, mR64, mG, mT = desc(Opmask) << 35, desc(GP32) << 35, desc(GP64) << 35, desc(GP) << 35,
		desc(TileReg) << 35
)

// Memory operand: its size in bytes or as a part of the vector. Under EVEX this is also what an 8-bit displacement
// is scaled by; c1..c8 are full vectors of which only packed elements of that size are touched.
const (
	memFull desc = (iota + 1) << 39
	memHalf
	memQuarter
	memEighth
	mem1
	mem2
	mem4
	mem8
	mem16
	mem32
	mem64
	memC1
	memC2
	memC4
	memC8
	memMask desc = 15 << 39
)

// Element size of an embedded broadcast.
const (
	b32 desc = 2 << 43
	b64 desc = 3 << 43
)

// Traits.
const (
	imm8     desc = 1 << (45 + iota)
	rc            // takes embedded rounding
	sae           // takes exception suppression
	lig           // scalar: the vector length is ignored
	noMask        // no opmask
	needMask      // an opmask other than k0 must be given
	memOnly       // the rm operand is memory
	regOnly       // the rm operand is a register
	noZero        // merging masks only
	accum         // the destination is read too
	min256        // vectors of at least 256 bits
	only512
	imm4 // the VEX form takes immediates below 16 only
	l1   // VEX.L is 1 though no operand is 256 bits wide
	lock // LOCK prefix
)

func (d desc) form() desc      { return d & formMask }
func (d desc) reg() Kind       { return Kind(d >> 27 & 15) }
func (d desc) vvvv() Kind      { return Kind(d >> 31 & 15) }
func (d desc) rm() Kind        { return Kind(d >> 35 & 15) }
func (d desc) bcst() uint      { return uint(d >> 43 & 3) }
func (d desc) has(x desc) bool { return d&x != 0 }

// memBytes returns the size of the memory operand for a vector of size bits; full is its size in the text.
func (d desc) memBytes(size Size) (scale, full int) {
	v := int(size) / 8
	switch m := d & memMask; {
	case m == 0:
		return 1, 0
	case m <= memEighth:
		n := v >> (m>>39 - 1)
		return n, n
	case m <= mem64:
		n := 1 << ((m - mem1) >> 39)
		return n, n
	default:
		return 1 << ((m - memC1) >> 39), v
	}
}

// bytes returns the size of a register operand of this kind.
func (k Kind) bytes(size Size) int {
	v := int(size) / 8
	switch k {
	case Full:
		return v
	case Half:
		return max(v/2, 16)
	case Quarter:
		return max(v/4, 16)
	case Eighth, Xmm:
		return 16
	case Ymm:
		return 32
	case GP32:
		return 4
	case GP64, Opmask:
		return 8
	}
	return v
}
