package asm

import "sync"

// generalIndex finds the row of a legacy opcode: key is the map (0 or 1), the mandatory prefix, the opcode.
var generalIndex = sync.OnceValue(func() map[uint32][]Op {
	index := map[uint32][]Op{}
	add := func(op Op, d desc, opcode uint8) {
		m := uint8(0)
		if d&x0F != 0 {
			m = 1
		}
		k := decodeKey(false, m, uint8(d>>11&3), opcode)
		index[k] = append(index[k], op)
	}
	for i := int(opGeneral); i < len(table); i++ {
		for _, opcode := range generalOpcodes(&table[i]) {
			add(Op(i), table[i].d, opcode)
		}
	}
	for _, opcode := range []uint8{0x69, 0x6B} {
		add(IMUL, 0, opcode)
	}
	return index
})

// generalOpcodes lists the opcode bytes that an instruction of the table may have.
func generalOpcodes(r *row) (list []uint8) {
	op := uint8(r.d)
	switch r.d.form() {
	case gALU:
		return []uint8{op, op + 1, op + 2, op + 3, 0x80, 0x81, 0x83}
	case gTest:
		return []uint8{0x84, 0x85, 0xF6, 0xF7}
	case gMov:
		list = []uint8{0x88, 0x89, 0x8A, 0x8B, 0xC6, 0xC7}
		for i := range uint8(8) {
			list = append(list, 0xB8+i)
		}
		return list
	case gShift, gUnary, gExchange:
		return []uint8{op, op + 1}
	case gCmov, gSet, gJcc:
		for i := range uint8(16) {
			list = append(list, op+i)
		}
		return list
	}
	return []uint8{op}
}

func (r *reader) general() Inst {
	r.legacyPrefixes()
	r.opcode = r.byte()
	if r.opcode == 0x0F {
		r.mmap = 1
		r.opcode = r.byte()
	}
	if r.mmap == 1 && r.opcode == 0x1F { // long NOP
		r.modrm = r.byte()
		r.readMem(1)
		return Inst{Op: NOP}
	}
	ops := generalIndex()[decodeKey(false, r.mmap, r.pp, r.opcode)]
	for _, op := range ops {
		start := r.pos
		if in, ok := r.generalAs(op); ok {
			return in
		}
		r.pos = start
	}
	r.fail("unknown opcode %#x of map %d, prefix %d", r.opcode, r.mmap, r.pp)
	return Inst{}
}

func (r *reader) legacyPrefixes() {
	for {
		switch p := r.byte(); {
		case p == 0x66:
			r.data16 = true
		case p == 0xF2:
			r.pp = 3
		case p == 0xF3:
			r.pp = 2
		case p == 0xF0:
			r.lock = true
		case p&0xF0 == 0x40:
			r.rex, r.w, r.rexR, r.rexX, r.rexB = true, p>>3&1, p>>2&1, p>>1&1, p&1
		case r.err != nil:
			return
		default:
			r.pos--
			return
		}
	}
}

// width returns the operand size that the prefixes and the opcode's low bit give.
func (r *reader) width(lowBit bool) Size {
	switch {
	case lowBit && r.opcode&1 == 0:
		return W8
	case r.w == 1:
		return W64
	case r.data16:
		return W16
	}
	return W32
}

// generalAs reads the instruction as op; false if the digit does not fit.
func (r *reader) generalAs(op Op) (Inst, bool) {
	row := op.row()
	d := row.d
	in := Inst{Op: op, VEX: true}
	switch d.form() {
	case gFixed:
		in.Size = r.width(false)
		if op != CQO {
			in.Size = 0
		}
		digit, ok := d.digit()
		return in, !ok || r.byte() == 0xC0|digit<<3
	case gJcc, gJmp:
		in.Cond = Cond(r.opcode & 15)
		if op == JMP {
			in.Cond = 0
		}
		in.Imm = r.int(4)
		return in, true
	}
	if op == MOV && r.opcode&0xF8 == 0xB8 {
		return r.movImm(), true
	}
	r.modrm = r.byte()
	if digit, ok := d.digit(); ok && r.usesDigit(d) && r.modrm>>3&7 != digit {
		return in, false
	}
	return r.generalOperands(in, d), true
}

// usesDigit reports whether ModRM.reg is part of the opcode in this form.
func (r *reader) usesDigit(d desc) bool {
	switch d.form() {
	case gALU:
		return r.opcode&0xFC == 0x80
	case gTest:
		return r.opcode >= 0xF6
	case gMov:
		return r.opcode >= 0xC6
	}
	return true
}

func (r *reader) movImm() Inst {
	in := Inst{Op: MOV, VEX: true, Size: W32, N: 1, HasImm: true}
	in.Reg[0] = r.opcode&7 | r.rexB<<3
	if r.w == 1 {
		in.Size, in.Imm = W64, r.int(8)
		return in
	}
	in.Imm = int64(uint32(r.int(4)))
	return in
}

// generalOperands reads the operands behind ModRM.
func (r *reader) generalOperands(in Inst, d desc) Inst {
	reg, rm := r.modrm>>3&7|r.rexR<<3, r.modrm&7|r.rexB<<3
	isMem := r.modrm < 0xC0
	immBytes := 0
	regFirst := false // ModRM.reg is the destination
	in.N = 2
	in.Size = r.width(true)
	switch d.form() {
	case gALU:
		immBytes, regFirst = r.aluImm(in.Size), r.opcode&2 != 0 && r.opcode < 0x40
	case gTest, gMov:
		regFirst = r.opcode == 0x8A || r.opcode == 0x8B
		if r.opcode >= 0xC0 {
			immBytes = min(int(in.Size)/8, 4)
		}
	case gShift:
		immBytes = 1
	case gUnary, gMem:
		in.N = 1
	case gSet:
		in.N, in.Size, in.Cond = 1, W8, Cond(r.opcode&15)
	case gCmov:
		regFirst, in.Size, in.Cond = true, r.width(false), Cond(r.opcode&15)
	case gRM:
		regFirst, in.Size = true, r.width(false)
		if r.mmap == 0 && in.Op == IMUL {
			immBytes = r.imulImm(in.Size)
		}
	}
	if in.Op == JMPR {
		in.Size = W64
	}
	r.placeGeneral(&in, reg, rm, isMem, regFirst)
	if immBytes > 0 {
		in.Imm, in.HasImm = r.int(immBytes), true
		if d.form() != gRM {
			in.N, in.Reg[1] = 1, 0
		}
	}
	if d.form() == gShift {
		in.Imm &= 0xFF
	}
	return in
}

func (r *reader) placeGeneral(in *Inst, reg, rm uint8, isMem, regFirst bool) {
	if isMem {
		in.Mem = r.readMem(1)
		in.Place = InStore
		if regFirst || in.Op.row().d.form() == gMem {
			in.Place = InLoad
		}
	}
	in.Reg[0], in.Reg[1] = rm, reg
	if regFirst {
		in.Reg[0], in.Reg[1] = reg, rm
	}
	if at := in.MemAt(); at >= 0 {
		in.Reg[at] = 0
	}
	if in.N == 1 {
		in.Reg[1] = 0
	}
}

func (r *reader) aluImm(s Size) int {
	switch r.opcode {
	case 0x80, 0x83:
		return 1
	case 0x81:
		return min(int(s)/8, 4)
	}
	return 0
}

func (r *reader) imulImm(s Size) int {
	if r.opcode == 0x6B {
		return 1
	}
	return min(int(s)/8, 4)
}
