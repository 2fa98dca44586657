package asm

import (
	"encoding/binary"
	"fmt"
	"sync"
)

// Decode reads the first instruction of code and returns it with its length. It knows what Assembler emits. Jumps
// come back with the displacement from the end of the instruction in Imm, operands relative to RIP with it in
// Mem.Disp. VEX forms whose mnemonic has no element size come back as the 32-bit one: vpand as VPANDD.
func Decode(code []byte) (Inst, int, error) {
	r := reader{code: code}
	in := r.decode()
	if r.err != nil {
		return Inst{}, 0, fmt.Errorf("asm: decode % x: %w", code[:min(len(code), 15)], r.err)
	}
	return in, r.pos, nil
}

// reader walks over the bytes of one instruction.
type reader struct {
	code []byte
	pos  int
	err  error

	pp, w, l, mmap   uint8
	rexR, rexX, rexB uint8 // high bits: register up to 31, index, base
	vvvv             uint8
	evex             bool
	b, z             bool
	aaa              uint8
	lock             bool
	rex, data16      bool
	opcode           uint8
	modrm            uint8
}

func (r *reader) byte() uint8 {
	if r.pos >= len(r.code) {
		r.fail("code ends within an instruction")
		return 0
	}
	r.pos++
	return r.code[r.pos-1]
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) int(n int) int64 {
	if r.pos+n > len(r.code) {
		r.fail("code ends within an instruction")
		return 0
	}
	b := r.code[r.pos : r.pos+n]
	r.pos += n
	switch n {
	case 1:
		return int64(int8(b[0]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

func (r *reader) decode() Inst {
	first := r.byte()
	switch first {
	case 0xC5, 0xC4:
		r.readVEX(first == 0xC4)
	case 0x62:
		r.readEVEX()
	default:
		r.pos = 0
		return r.general()
	}
	r.opcode = r.byte()
	if r.opcode == 0x77 && r.mmap == 1 && !r.evex {
		return Inst{Op: VZEROUPPER, Size: VL128 << (r.l & 1), VEX: true}
	}
	r.modrm = r.byte()
	return r.vector()
}

func (r *reader) readVEX(three bool) {
	p := r.byte()
	r.rexR = ^p >> 7 & 1
	r.mmap = 1
	if three {
		r.rexX, r.rexB, r.mmap = ^p>>6&1, ^p>>5&1, p&31
		p = r.byte()
		r.w = p >> 7
	}
	r.vvvv, r.l, r.pp = ^p>>3&15, p>>2&1, p&3
}

func (r *reader) readEVEX() {
	p0, p1, p2 := r.byte(), r.byte(), r.byte()
	r.evex = true
	r.rexR, r.rexX, r.rexB = ^p0>>7&1|(^p0>>4&1)<<1, ^p0>>6&1, ^p0>>5&1
	r.mmap, r.w, r.pp = p0&7, p1>>7, p1&3
	r.vvvv = ^p1>>3&15 | (^p2>>3&1)<<4
	r.z, r.l, r.b, r.aaa = p2>>7 == 1, p2>>5&3, p2>>4&1 == 1, p2&7
}

// candidate is one way to read an opcode: an Op, in its load or store form.
type candidate struct {
	op    Op
	store bool
}

// key of the index: encoding, map, prefix, opcode.
func decodeKey(evex bool, m, pp, opcode uint8) uint32 {
	k := uint32(m)<<16 | uint32(pp)<<8 | uint32(opcode)
	if evex {
		k |= 1 << 24
	}
	return k
}

// vectorIndex lists the candidates of each opcode in the order of the table.
var vectorIndex = sync.OnceValue(func() map[uint32][]candidate {
	index := map[uint32][]candidate{}
	for i := 1; i < len(table); i++ {
		r := &table[i]
		if r.d.form() >= gALU {
			continue
		}
		for _, enc := range []desc{vex, evex} {
			if !r.d.has(enc) {
				continue
			}
			k := decodeKey(enc == evex, uint8(r.d>>8&7), uint8(r.d>>11&3), uint8(r.d))
			index[k] = append(index[k], candidate{Op(i), false})
			if r.store != 0 {
				k = k&^0xFF | uint32(r.store)
				index[k] = append(index[k], candidate{Op(i), true})
			}
		}
	}
	return index
})

func (r *reader) vector() Inst {
	for _, c := range vectorIndex()[decodeKey(r.evex, r.mmap, r.pp, r.opcode)] {
		start := r.pos
		if in, ok := r.match(c); ok && r.err == nil && in.plausible() {
			return in
		}
		r.pos = start
	}
	r.fail("unknown opcode %#x of map %d, prefix %d", r.opcode, r.mmap, r.pp)
	return Inst{}
}

// match tries to read the instruction as c.
func (r *reader) match(c candidate) (Inst, bool) {
	row := c.op.row()
	d := row.d
	reg := r.modrm >> 3 & 7
	isMem := r.modrm < 0xC0
	w := r.w == 1
	wantW := d.has(vw1)
	if r.evex {
		wantW = d.has(ew1)
	}
	digit, hasDigit := d.digit()
	switch {
	case d.has(wReg):
	case w != wantW:
		return Inst{}, false
	}
	if !isMem && c.store && !(d.rm() >= GP32 && d.rm() <= GP) { // never emitted
		return Inst{}, false
	}
	if hasDigit && digit != reg || isMem && (d.has(regOnly) || d&memMask == 0) || !isMem && d.has(memOnly) {
		return Inst{}, false
	}
	return r.operands(c, row, isMem), true
}

// plausible reports whether the table allows what was read.
func (in Inst) plausible() bool {
	if in.hasMem() && in.Mem.Base == RIP {
		in.Mem.Label = 1 // stands for the place that the displacement gives
	}
	return in.Size <= VL512 && in.check(in.Op.row()) == nil
}

func (r *reader) operands(c candidate, row *row, isMem bool) Inst {
	d := row.d
	in := Inst{Op: c.op, VEX: !r.evex, Size: r.size(d, isMem)}
	switch {
	case isMem && (c.store || d.form() == fMR || d.form() == fScatter):
		in.Place = InStore
	case isMem:
		in.Place = InLoad
	case c.store:
		in.Place = toReg
	}
	if r.evex {
		in.Opt = r.options(d, isMem)
	}
	p := *in.layout(row)
	in.N = p.n
	if d.form() == fGather && r.evex {
		in.N, p.vvvv = 2, -1
	}
	put := func(at int8, n uint8) {
		if at >= 0 {
			in.Reg[at] = n
		}
	}
	put(p.reg, r.modrm>>3&7|r.rexR<<3)
	put(p.vvvv, r.vvvv)
	if isMem {
		r.memory(&in, row)
	} else {
		put(p.rm, r.modrm&7|r.rexB<<3|r.rexX<<4)
	}
	switch {
	case p.is4 >= 0:
		in.Reg[p.is4] = r.byte() >> 4
	case d.has(imm8):
		in.Imm, in.HasImm = int64(r.byte()), true
	}
	return in
}

func (r *reader) size(d desc, isMem bool) Size {
	switch {
	case d.has(wReg):
		return W32 << r.w
	case d.has(lig):
		return VL128
	case r.evex && r.b && !isMem:
		return VL512
	}
	return VL128 << r.l
}

func (r *reader) options(d desc, isMem bool) Opt {
	o := Opt(r.aaa)
	if r.z {
		o |= Zero
	}
	switch {
	case r.b && isMem:
		o |= Bcst
	case r.b && d.has(rc):
		o |= RN | Opt(r.l)<<7
	case r.b:
		o |= SAE
	}
	return o
}

func (r *reader) memory(in *Inst, row *row) {
	scale := int32(1)
	if r.evex {
		n, _ := row.d.memBytes(in.Size)
		scale = int32(n)
		if in.Opt&Bcst != 0 {
			scale = int32(row.elem())
		}
	}
	in.Mem = r.readMem(scale)
	if in.indexed(row) {
		in.Mem.Index |= Reg(r.vvvv & 16)
		if !r.evex {
			in.Mem.Index &= 15
		}
	}
}

// readMem reads SIB and displacement behind ModRM.
func (r *reader) readMem(scale int32) (m Mem) {
	mod, base := r.modrm>>6, r.modrm&7
	if base == 4 {
		sib := r.byte()
		base = sib & 7
		m.Index = Reg(sib>>3&7 | r.rexX<<3)
		m.Scale = 1 << (sib >> 6)
		if m.Index == RSP && !r.vsib() {
			m.Index, m.Scale = 0, 0
		}
		if base == 5 && mod == 0 {
			m.Base, m.Disp = NoReg, int32(r.int(4))
			return m
		}
	} else if base == 5 && mod == 0 {
		m.Base, m.Disp = RIP, int32(r.int(4))
		return m
	}
	m.Base = Reg(base | r.rexB<<3)
	switch mod {
	case 1:
		m.Disp = int32(r.int(1)) * scale
	case 2:
		m.Disp = int32(r.int(4))
	}
	return m
}

// vsib reports whether the opcode takes a vector index: the gathers and scatters, 90..93 and A0..A3 of map 0F38.
func (r *reader) vsib() bool {
	return r.mmap == 2 && (r.opcode&0xFC == 0x90 || r.opcode&0xFC == 0xA0) && r.pp == 1
}
