package asm

import (
	"fmt"
	"math/bits"
)

// Emit appends in; an instruction that the table does not allow is an error.
//
//go:noinline
func (a *Assembler) Emit(in Inst) {
	a.cur = in
	a.emit(&a.cur)
}

func (a *Assembler) emit(in *Inst) {
	r := in.Op.row()
	if a.isUsual(in, r) {
		a.emitUsual(&r.usual, in.Reg[0], in.Reg[1], in.Reg[2])
		return
	}
	if r.d.form() >= gALU {
		a.emitGeneral(in, r)
		return
	}
	if in.hasMem() && in.Op.valid() && a.emitInMemory(in) {
		return
	}
	if err := in.check(r); err != nil {
		a.fail(in, "%w", err)
		return
	}
	a.emitVector(in, r)
}

// operands of one vector instruction by field.
type fieldsOf struct {
	reg, vvvv, rm, is4 uint8
	hasIs4             bool
}

func (in *Inst) split(l *layout) (f fieldsOf) {
	if l.reg >= 0 {
		f.reg = in.Reg[l.reg&3]
	}
	if l.vvvv >= 0 {
		f.vvvv = in.Reg[l.vvvv&3]
	}
	if l.rm >= 0 && !in.hasMem() {
		f.rm = in.Reg[l.rm&3]
	}
	if l.is4 >= 0 {
		f.is4, f.hasIs4 = in.Reg[l.is4&3], true
	}
	return f
}

func (a *Assembler) emitVector(in *Inst, r *row) {
	f := in.split(in.layout(r))
	opcode := uint8(r.d)
	if in.Place >= InStore && r.store != 0 {
		opcode = r.store
	}
	if digit, ok := r.d.digit(); ok {
		f.reg = digit
	}
	switch {
	case in.fitsVEX(r):
		a.vexPrefix(in, r, opcode, f)
		a.notePast(in.Op)
		a.operandBytes(in, r, f, 1)
	case !r.d.has(evex):
		a.fail(in, "has no EVEX form, which %s needs", in.String())
	case a.VEXOnly:
		a.fail(in, "needs EVEX, which this tier lacks: %s", in.String())
	default:
		a.evexPrefix(in, r, opcode, f)
		a.notePast(in.Op)
		n, _ := r.d.memBytes(in.Size)
		if in.Opt&Bcst != 0 {
			n = r.elem()
		}
		a.operandBytes(in, r, f, int32(n))
	}
}

// fitsVEX reports whether in has a VEX encoding, which is then chosen.
func (in *Inst) fitsVEX(r *row) bool {
	if !r.d.has(vex) || in.Size > VL256 || in.Opt != 0 || r.d.has(imm4) && uint64(in.Imm) > 15 {
		return false
	}
	high := in.Reg[0] | in.Reg[1] | in.Reg[2] | in.Reg[3]
	if in.indexed(r) {
		high |= uint8(in.Mem.Index)
	}
	shiftOfMemory := r.d.form() == fVM && r.d.vvvv() == Full && in.hasMem()
	return high < 16 && !shiftOfMemory
}

// indexed reports whether the index of the memory operand is a vector.
func (in *Inst) indexed(r *row) bool {
	return in.hasMem() && (r.d.form() == fGather || r.d.form() == fScatter)
}

// operandBytes appends ModRM, SIB, displacement and immediate.
func (a *Assembler) operandBytes(in *Inst, r *row, f fieldsOf, scale int32) {
	tail := int32(0)
	if r.d.has(imm8) || f.hasIs4 {
		tail = 1
	}
	if !in.hasMem() {
		if r.d.form() == fNone && uint8(r.d) == 0x77 { // VZEROUPPER has no ModRM
			return
		}
		a.code = append(a.code, 0xC0|f.reg&7<<3|f.rm&7)
	} else {
		sib := in.indexed(r) || r.d.rm() == TileReg
		a.modrmMem(f.reg, in.Mem, scale, tail, sib)
	}
	switch {
	case f.hasIs4:
		a.code = append(a.code, f.is4<<4)
	case r.d.has(imm8):
		a.code = append(a.code, uint8(in.Imm))
	}
}

// highBits returns the bits that extend the index and base (or the register) of the rm operand.
func (in *Inst) highBits(rm uint8) (x, b uint8) {
	if !in.hasMem() {
		return rm >> 4 & 1, rm >> 3 & 1
	}
	if in.Mem.Base < RIP {
		b = uint8(in.Mem.Base) >> 3 & 1
	}
	if in.Mem.Scale != 0 {
		x = uint8(in.Mem.Index) >> 3 & 1
	}
	return x, b
}

func (in *Inst) wBit(d, bit desc) uint8 {
	if d.has(bit) || d.has(wReg) && in.Size == W64 {
		return 1
	}
	return 0
}

func (in *Inst) lBits(d desc) uint8 {
	switch {
	case d.has(l1):
		return 1
	case d.has(lig):
		return 0
	}
	return in.Size.l()
}

func (a *Assembler) vexPrefix(in *Inst, r *row, opcode uint8, f fieldsOf) {
	x, b := in.highBits(f.rm)
	pp, w, l := uint8(r.d>>11&3), in.wBit(r.d, vw1), in.lBits(r.d)
	m := uint8(r.d >> 8 & 7)
	if m == 1 && w == 0 && x == 0 && b == 0 {
		a.code = append(a.code, 0xC5, (^f.reg>>3&1)<<7|(^f.vvvv&15)<<3|l<<2|pp, opcode)
		return
	}
	a.code = append(a.code, 0xC4, (^f.reg>>3&1)<<7|(^x&1)<<6|(^b&1)<<5|m, w<<7|(^f.vvvv&15)<<3|l<<2|pp, opcode)
}

func (a *Assembler) evexPrefix(in *Inst, r *row, opcode uint8, f fieldsOf) {
	x, b := in.highBits(f.rm)
	v4 := f.vvvv >> 4 & 1
	if in.indexed(r) {
		v4 = uint8(in.Mem.Index) >> 4 & 1
	}
	p0 := uint8(r.d>>8&7) | (^f.reg>>3&1)<<7 | (^x&1)<<6 | (^b&1)<<5 | (^f.reg>>4&1)<<4
	p1 := in.wBit(r.d, ew1)<<7 | (^f.vvvv&15)<<3 | 4 | uint8(r.d>>11&3)
	l := in.lBits(r.d)
	p2 := (^v4&1)<<3 | uint8(in.Opt&7)
	if in.Opt&(Bcst|SAE|RN) != 0 {
		p2 |= 0x10
	}
	if in.Opt&RN != 0 {
		l = uint8(in.Opt >> 7 & 3)
	}
	if in.Opt&Zero != 0 {
		p2 |= 0x80
	}
	a.code = append(a.code, 0x62, p0, p1, p2|l<<5, opcode)
}

// modrmMem appends the bytes of a memory operand. An 8-bit displacement counts in units of scale; tail is the number
// of bytes that follow the displacement; sib asks for the long form always.
func (a *Assembler) modrmMem(reg uint8, m Mem, scale, tail int32, sib bool) {
	reg = reg & 7 << 3
	if m.Base == RIP {
		a.code = append(a.code, reg|5)
		at := int32(len(a.code))
		a.fixes = append(a.fixes, fix{at, at + 4 + tail, m.Disp, m.Label})
		a.u32(0)
		return
	}
	mod, short := dispMode(m, scale)
	base := uint8(m.Base & 7)
	if m.Base == NoReg {
		mod, base, sib = 0, 5, true
	}
	if sib || m.Scale != 0 || base == 4 {
		a.code = append(a.code, mod|reg|4, sibByte(m, base))
	} else {
		a.code = append(a.code, mod|reg|base)
	}
	switch {
	case short:
		a.code = append(a.code, uint8(m.Disp>>bits.TrailingZeros32(uint32(scale))))
	case mod == 0x80 || m.Base == NoReg:
		a.u32(uint32(m.Disp))
	}
}

// dispMode returns ModRM.mod, and whether the displacement takes one byte. scale is a power of two.
func dispMode(m Mem, scale int32) (mod uint8, short bool) {
	switch {
	case m.Base == NoReg:
		return 0, false
	case m.Disp == 0 && m.Base&7 != RBP:
		return 0, false
	case m.Disp&(scale-1) == 0 && m.Disp >= -128*scale && m.Disp <= 127*scale:
		return 0x40, true
	}
	return 0x80, false
}

func sibByte(m Mem, base uint8) uint8 {
	if m.Scale == 0 {
		return 4<<3 | base
	}
	ss := uint8(0)
	for s := m.Scale; s > 1; s >>= 1 {
		ss++
	}
	return ss<<6 | uint8(m.Index&7)<<3 | base
}

// checkMem reports what is wrong with a memory operand.
func (in *Inst) checkMem(vsib bool) error {
	m := in.Mem
	switch {
	case m.Base > RIP && m.Base != NoReg:
		return fmt.Errorf("base: expected a general register, got %d", m.Base)
	case m.Base == RIP && (m.Scale != 0 || m.Label <= 0):
		return fmt.Errorf("RIP-relative operand: expected a label and no index")
	case m.Scale != 0 && m.Scale != 1 && m.Scale != 2 && m.Scale != 4 && m.Scale != 8:
		return fmt.Errorf("scale: expected 1, 2, 4 or 8, got %d", m.Scale)
	case vsib && (m.Scale == 0 || m.Index > 31):
		return fmt.Errorf("expected a vector index")
	case !vsib && m.Scale != 0 && (m.Index == RSP || m.Index > R15):
		return fmt.Errorf("index: expected a general register other than RSP, got %d", m.Index)
	}
	return nil
}
