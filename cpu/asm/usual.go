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
