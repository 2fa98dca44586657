package asm

// Shapes that many rows of the tables share: form, operands and memory of an instruction.
const (
	rvm      = fRVM | rV | vV | mV | memFull // dst, src1, src2
	rvmX     = fRVM | rX | vX | mX | lig     // the same for scalars
	rm       = fRM | rV | mV | memFull       // dst, src
	pack32   = both | rvm | b32
	pack64   = both | ew1 | rvm | b64
	scalar32 = both | rvmX | mem4
	scalar64 = both | ew1 | rvmX | mem8
	unary32  = both | rm | b32
	unary64  = both | ew1 | rm | b64
	scalar   = fRM | rX | lig

	widen  = fRM | rV | mH | memHalf | b32       // the source has half the size
	narrow = fRM | rH | mV | memFull | ew1 | b64 // the result has half the size
	fromGP = wReg | fRVM | rX | vX | mG | memFull | lig | noMask
	toGP   = wReg | fRM | rG | mX | lig | noMask

	toMask    = fRVM | rK | vV | mV | memFull // compares and tests
	toMaskX   = fRVM | rK | vX | mX | lig
	classify  = fRM | rK | mV | memFull
	classifyX = fRM | rK | mX | lig

	sparse     = memOnly | noZero | needMask // scatters, and gathers where EVEX
	spread     = fRM | rV | mX               // broadcasts from the low part of a register or from memory
	spread128  = spread | mem16 | memOnly | min256
	spread256  = fRM | rV | mY | mem32 | memOnly | only512
	insert128  = fRVM | rV | vV | mX | mem16 | imm8 | min256
	insert256  = fRVM | rV | vV | mY | mem32 | imm8 | only512
	extract128 = fMR | rV | mX | mem16 | imm8 | min256
	extract256 = fMR | rV | mY | mem32 | imm8 | only512
	pinsr      = fRVM | rX | vX | lig | noMask | imm8
	pextr      = fMR | rX | lig | noMask | imm8
)
