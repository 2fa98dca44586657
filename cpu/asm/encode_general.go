package asm

import (
	"fmt"
	"math"
)

// emitGeneral appends an instruction on general registers.
func (a *Assembler) emitGeneral(in *Inst, r *row) {
	if err := in.checkGeneral(r); err != nil {
		a.fail(in, "%w", err)
		return
	}
	g := general{opcode: uint8(r.d), digitOr: in.Reg[0], rm: in.Reg[1], wide: uint8(1)}
	if digit, ok := r.d.digit(); ok {
		g.digitOr = digit
	}
	if in.Size == W8 {
		g.wide = 0
	}
	generalForms[(r.d.form()-gALU)>>18](a, in, r, g)
}

// general holds the parts of a general instruction while its form completes them.
type general struct {
	opcode  uint8
	digitOr uint8 // ModRM.reg: register or digit
	rm      uint8
	wide    uint8 // 1 unless 8 bits wide; the low bit of many opcodes
}

var generalForms = [...]func(*Assembler, *Inst, *row, general){
	0:                        (*Assembler).alu, // gALU itself
	(gTest - gALU) >> 18:     (*Assembler).test,
	(gMov - gALU) >> 18:      (*Assembler).mov,
	(gShift - gALU) >> 18:    (*Assembler).shift,
	(gUnary - gALU) >> 18:    (*Assembler).unary,
	(gRM - gALU) >> 18:       (*Assembler).regRM,
	(gExchange - gALU) >> 18: (*Assembler).exchange,
	(gCmov - gALU) >> 18:     (*Assembler).cmov,
	(gSet - gALU) >> 18:      (*Assembler).set,
	(gJcc - gALU) >> 18:      (*Assembler).jump,
	(gJmp - gALU) >> 18:      (*Assembler).jump,
	(gFixed - gALU) >> 18:    (*Assembler).fixed,
	(gMem - gALU) >> 18:      (*Assembler).memOnly,
}

// alu is ADD and its kin: r/m,r  r,r/m  r/m,imm.
func (a *Assembler) alu(in *Inst, r *row, g general) {
	base := uint8(r.d)
	switch {
	case in.HasImm:
		n := in.immBytes()
		op := 0x80 | g.wide
		if n == 1 && g.wide == 1 {
			op = 0x83
		}
		a.legacy(in, r, op, g.digitOr, in.Reg[0], n)
		a.imm(in.Imm, n)
	case in.Place == InLoad:
		a.legacy(in, r, base|2|g.wide, in.Reg[0], 0, 0)
	default:
		a.legacy(in, r, base|g.wide, in.Reg[1], in.Reg[0], 0)
	}
}

func (a *Assembler) test(in *Inst, r *row, g general) {
	if in.HasImm {
		n := min(int(in.Size)/8, 4)
		a.legacy(in, r, 0xF6|g.wide, 0, in.Reg[0], n)
		a.imm(in.Imm, n)
		return
	}
	if in.Place == InLoad { // TEST is symmetric
		a.legacy(in, r, 0x84|g.wide, in.Reg[0], 0, 0)
		return
	}
	a.legacy(in, r, 0x84|g.wide, in.Reg[1], in.Reg[0], 0)
}

func (a *Assembler) mov(in *Inst, r *row, g general) {
	switch {
	case in.HasImm && in.Place == InReg:
		a.movImm(in, r)
	case in.HasImm:
		n := min(int(in.Size)/8, 4)
		a.legacy(in, r, 0xC6|g.wide, 0, 0, n)
		a.imm(in.Imm, n)
	case in.Place == InLoad:
		a.legacy(in, r, 0x8A|g.wide, in.Reg[0], 0, 0)
	default:
		a.legacy(in, r, 0x88|g.wide, in.Reg[1], in.Reg[0], 0)
	}
}

// movImm picks the shortest move of a constant: 32 bits extended by zeros, 32 bits extended by the sign, 64 bits.
func (a *Assembler) movImm(in *Inst, r *row) {
	d := in.Reg[0]
	switch v := in.Imm; {
	case in.Size == W32 || in.Size == W64 && v >= 0 && v <= math.MaxUint32:
		if d >= 8 {
			a.code = append(a.code, 0x41)
		}
		a.code = append(a.code, 0xB8|d&7)
		a.u32(uint32(v))
	case in.Size == W64 && v == int64(int32(v)):
		a.legacy(in, r, 0xC7, 0, d, 4)
		a.u32(uint32(v))
	case in.Size == W64:
		a.code = append(a.code, 0x48|d>>3, 0xB8|d&7)
		a.imm(v, 8)
	default:
		n := int(in.Size) / 8
		a.legacy(in, r, 0xC6|uint8(n-1), 0, d, n)
		a.imm(v, n)
	}
}

func (a *Assembler) shift(in *Inst, r *row, g general) {
	a.legacy(in, r, 0xC0|g.wide, g.digitOr, in.Reg[0], 1)
	a.imm(in.Imm, 1)
}

func (a *Assembler) unary(in *Inst, r *row, g general) {
	a.legacy(in, r, g.opcode|g.wide, g.digitOr, in.Reg[0], 0)
}

func (a *Assembler) regRM(in *Inst, r *row, g general) {
	if in.HasImm { // IMUL
		n := in.immBytes()
		op := uint8(0x69)
		if n == 1 {
			op = 0x6B
		}
		one := *r
		one.d &^= x0F
		a.legacy(in, &one, op, in.Reg[0], in.Reg[1], n)
		a.imm(in.Imm, n)
		return
	}
	a.legacy(in, r, g.opcode, in.Reg[0], in.Reg[1], 0)
}

func (a *Assembler) exchange(in *Inst, r *row, g general) {
	a.legacy(in, r, g.opcode|g.wide, in.Reg[1], in.Reg[0], 0)
}

func (a *Assembler) cmov(in *Inst, r *row, g general) {
	a.legacy(in, r, g.opcode|uint8(in.Cond), in.Reg[0], in.Reg[1], 0)
}

func (a *Assembler) set(in *Inst, r *row, g general) {
	a.legacy(in, r, g.opcode|uint8(in.Cond), 0, in.Reg[0], 0)
}

func (a *Assembler) memOnly(in *Inst, r *row, g general) { a.legacy(in, r, g.opcode, g.digitOr, 0, 0) }

func (a *Assembler) fixed(in *Inst, r *row, g general) {
	switch {
	case r.d.has(pF3):
		a.code = append(a.code, 0xF3)
	case r.d.has(wReg) && in.Size == W64:
		a.code = append(a.code, 0x48)
	case r.d.has(x0F):
		a.code = append(a.code, 0x0F)
	}
	a.code = append(a.code, g.opcode)
	if digit, ok := r.d.digit(); ok {
		a.code = append(a.code, 0xC0|digit<<3)
	}
}

func (a *Assembler) jump(in *Inst, r *row, g general) {
	if r.d.form() == gJcc {
		a.code = append(a.code, 0x0F)
	}
	a.code = append(a.code, g.opcode|uint8(in.Cond))
	at := int32(len(a.code))
	a.fixes = append(a.fixes, fix{at, at + 4, 0, in.Label})
	a.u32(0)
}

// legacy appends prefixes, opcode and operands; tail is the number of bytes of the immediate that follows.
func (a *Assembler) legacy(in *Inst, r *row, opcode, reg, rm uint8, tail int) {
	d := r.d
	if d.has(lock) {
		a.code = append(a.code, 0xF0)
	}
	if in.Size == W16 {
		a.code = append(a.code, 0x66)
	}
	if p := d >> 11 & 3; p != 0 {
		a.code = append(a.code, [4]uint8{0, 0x66, 0xF3, 0xF2}[p])
	}
	x, b := in.highBits(rm)
	x &= ^b2u(in.Place == InReg)
	rex := x<<1 | b | reg>>3<<2
	if in.Size == W64 && in.Op != JMPR && d.form() != gMem {
		rex |= 8
	}
	if rex != 0 || in.byteRegister(reg, rm) {
		a.code = append(a.code, 0x40|rex)
	}
	if d&x0F != 0 {
		a.code = append(a.code, 0x0F)
	}
	a.code = append(a.code, opcode)
	if in.Place == InReg {
		a.code = append(a.code, 0xC0|reg&7<<3|rm&7)
		return
	}
	a.modrmMem(reg, in.Mem, 1, int32(tail), false)
}

func b2u(b bool) uint8 {
	if b {
		return 0xFF
	}
	return 0
}

// byteRegister reports whether SPL, BPL, SIL or DIL stands in the instruction: without REX they would be AH..BH.
func (in *Inst) byteRegister(reg, rm uint8) bool {
	byteOp := in.Op == SET || in.Op == MOVZX8 || in.Op == MOVSX8
	inRM := in.Place == InReg && rm >= 4 && rm < 8
	if in.Size == W8 {
		return inRM || in.N == 2 && reg >= 4 && reg < 8
	}
	return byteOp && inRM
}

// immBytes returns the bytes of an immediate that an instruction extends by the sign.
func (in *Inst) immBytes() int {
	switch {
	case in.Size == W8 || in.Imm == int64(int8(in.Imm)):
		return 1
	case in.Size == W16:
		return 2
	}
	return 4
}

func (a *Assembler) imm(v int64, n int) {
	for range n {
		a.code = append(a.code, uint8(v))
		v >>= 8
	}
}

func (in *Inst) checkGeneral(r *row) error {
	for i := range int(in.N) {
		if i != in.MemAt() && in.Reg[i] > 15 {
			return fmt.Errorf("operand %d: register %d is not below 16", i, in.Reg[i])
		}
	}
	f := r.d.form()
	if in.Place != InReg {
		if err := in.checkMem(false); err != nil {
			return err
		}
	}
	switch {
	case (f == gJcc || f == gJmp) && (in.Label <= 0):
		return fmt.Errorf("expected a label")
	case r.d.has(memOnly) && in.Place == InReg:
		return fmt.Errorf("expected a memory operand")
	case f < gJcc && in.Size != W8 && in.Size != W16 && in.Size != W32 && in.Size != W64:
		return fmt.Errorf("size: expected 8, 16, 32 or 64, got %d", in.Size)
	case in.HasImm && f == gShift && (in.Imm < 0 || in.Imm >= int64(in.Size)):
		return fmt.Errorf("shift by %d of %d bits", in.Imm, in.Size)
	case in.HasImm && in.Op != MOV && in.Imm != int64(int32(in.Imm)),
		in.HasImm && in.Op == MOV && in.Place != InReg && in.Imm != int64(int32(in.Imm)):
		return fmt.Errorf("immediate %d does not fit 32 bits", in.Imm)
	}
	return in.checkGeneralForm(f)
}

// generalOperands gives, for each form, the operands that it takes without and with an immediate (-1: not at all).
var generalOperands = [...][2]int8{
	0:                        {2, 1}, // gALU itself
	(gTest - gALU) >> 18:     {2, 1},
	(gMov - gALU) >> 18:      {2, 1},
	(gShift - gALU) >> 18:    {-1, 1},
	(gUnary - gALU) >> 18:    {1, -1},
	(gRM - gALU) >> 18:       {2, 2},
	(gExchange - gALU) >> 18: {2, -1},
	(gCmov - gALU) >> 18:     {2, -1},
	(gSet - gALU) >> 18:      {1, -1},
	(gJcc - gALU) >> 18:      {0, -1},
	(gJmp - gALU) >> 18:      {0, -1},
	(gFixed - gALU) >> 18:    {0, -1},
	(gMem - gALU) >> 18:      {1, -1},
}

func (in *Inst) checkGeneralForm(f desc) error {
	want := generalOperands[(f-gALU)>>18]
	i := 0
	if in.HasImm {
		i = 1
	}
	if int8(in.N) != want[i] || in.HasImm && f == gRM && in.Op != IMUL {
		return fmt.Errorf("%d operands, immediate %t: no such form", in.N, in.HasImm)
	}
	if in.Place == InStore && (f == gRM || f == gCmov) || in.Place == InLoad && f == gExchange {
		return fmt.Errorf("has no such direction between memory and register")
	}
	if in.Size == W8 && (f == gRM || f == gCmov) {
		return fmt.Errorf("has no form of 8 bits")
	}
	return nil
}
