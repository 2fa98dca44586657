package asm

// Most instructions of a kernel for 512 bits have three whole vectors in registers, and nothing else. They need no
// check but of the numbers of the registers, and have six bytes.

// usual is what is the same in all of an Op's instructions of that kind.
type usual struct {
	is     bool // there are such
	p0, p1 byte // bytes of the EVEX prefix, for registers whose bits are all 0
	opcode byte
}

// usualOf returns what r has.
func (r *row) usualOf() (u usual) {
	const other = imm8 | needMask | memOnly | lig | l1
	d := r.d
	if _, digit := d.digit(); digit || d.form() != fRVM || !d.has(evex) || d.has(other) || r.store != 0 ||
		d.reg() != Full || d.vvvv() != Full || d.rm() != Full {
		return u
	}
	u = usual{is: true, p0: byte(d>>8&7) | 0xF0, p1: 0x7C | byte(d>>11&3), opcode: byte(d)}
	if d.has(ew1) || d.has(wReg) {
		u.p1 |= 0x80
	}
	return u
}

// isUsual reports whether in is of that kind.
func (a *Assembler) isUsual(in *Inst, r *row) bool {
	return r.usual.is && in.Size == VL512 && in.N == 3 && in.Opt == 0 && in.Place == InReg && !in.HasImm &&
		in.Reg[0]|in.Reg[1]|in.Reg[2] < 32 && !a.VEXOnly
}

// emitUsual appends it.
func (a *Assembler) emitUsual(u *usual, dst, src1, src2 uint8) {
	p0 := u.p0 ^ (dst>>3&1<<7 | src2>>4&1<<6 | src2>>3&1<<5 | dst>>4&1<<4)
	p1 := u.p1 ^ src1&15<<3
	p2 := 0x48 ^ src1>>4&1<<3
	a.code = append(a.code, 0x62, p0, p1, p2, u.opcode, 0xC0|dst&7<<3|src2&7)
}

// inMemory is what is the same in all of an Op's instructions on vectors of 512 bits of which one is in memory. They
// are most of the others, and need no check but of the numbers of the registers.
type inMemory struct {
	n          uint8 // operands; 0: there are no such instructions
	reg, other int8  // the numbers of the operands in registers; other is -1 where there is one
	p0, p1     byte  // as in usual
	opcode     byte
	// bytes is the unit of a short displacement, element that of an element which goes to all lanes, or 0.
	bytes, element uint8
}

// inMemories are by Op those that read memory, and those that write it.
var inMemories = inMemoriesOf(table)

func inMemoriesOf(rows []row) [][2]inMemory {
	all := make([][2]inMemory, len(rows))
	for op := range all {
		all[op][0] = rows[op].inMemoryOf(InLoad)
		if !pastCaches(Op(op)) { // the places of these are noted
			all[op][1] = rows[op].inMemoryOf(InStore)
		}
	}
	return all
}

// inMemoryOf returns what r has with memory at p.
func (r *row) inMemoryOf(p Place) (u inMemory) {
	const other = imm8 | needMask | regOnly | lig | l1 | wReg
	in, d := Inst{Place: p}, r.d
	l, f := in.layout(r), d.form()
	if !d.has(evex) {
		return u
	}
	if _, digit := d.digit(); digit || d&other != 0 || d&memMask == 0 || l.rm < 0 || l.is4 >= 0 ||
		f != fRVM && f != fRM && f != fMR || (l.rm == 0) != (p == InStore) || d.reg() != Full ||
		l.vvvv >= 0 && d.vvvv() != Full {
		return u
	}
	bytes, _ := d.memBytes(VL512)
	u = inMemory{n: l.n, reg: l.reg, other: l.vvvv, p0: byte(d>>8&7) | 0xF0, p1: 0x7C | byte(d>>11&3),
		opcode: byte(d), bytes: uint8(bytes), element: uint8(r.elem())}
	if p == InStore && r.store != 0 {
		u.opcode = r.store
	}
	if d.has(ew1) {
		u.p1 |= 0x80
	}
	return u
}

// emitInMemory appends in if it is of that kind, and reports whether it is.
func (a *Assembler) emitInMemory(in *Inst) bool {
	u, m := &inMemories[in.Op][in.Place-InLoad], &in.Mem
	if u.n == 0 || in.N != u.n || in.Size != VL512 || in.HasImm || m.Base >= RIP || a.VEXOnly {
		return false
	}
	p2, scale := byte(0x48), u.bytes
	if in.Opt != 0 {
		if p2, scale = 0x58, u.element; in.Opt != Bcst || scale == 0 {
			return false
		}
	}
	reg, other, x := in.Reg[u.reg], uint8(0), uint8(0)
	if u.other >= 0 {
		other = in.Reg[u.other]
	}
	if m.Scale != 0 {
		if x = uint8(m.Index); m.Index > R15 || m.Index == RSP || m.Scale > 8 || m.Scale&(m.Scale-1) != 0 {
			return false
		}
	}
	if reg|other > 31 {
		return false
	}
	p0 := u.p0 ^ (reg>>3&1<<7 | x>>3&1<<6 | uint8(m.Base)>>3&1<<5 | reg>>4&1<<4)
	a.code = append(a.code, 0x62, p0, u.p1^other&15<<3, p2^other>>4&1<<3, u.opcode)
	a.modrmMem(reg, *m, int32(scale), 0, false)
	return true
}
