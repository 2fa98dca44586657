package emu

import (
	"math/bits"

	"github.com/goxla/xla/cpu/asm"
)

// read returns operand i, w bytes wide.
func (m *Machine) read(in *inst, i, w int) uint64 {
	if i == in.memAt {
		return m.load(m.address(in), w)
	}
	return m.gp[in.Reg[i]] & ones(w)
}

// write stores operand i: 32 bits clear the upper half of a register, fewer keep it.
func (m *Machine) write(in *inst, i, w int, x uint64) {
	if m.err != nil {
		return
	}
	if i == in.memAt {
		m.store(m.address(in), w, x)
		return
	}
	m.setReg(asm.Reg(in.Reg[i]), w, x)
}

func (m *Machine) setReg(r asm.Reg, w int, x uint64) {
	if w >= 4 {
		m.gp[r] = x & ones(w)
		return
	}
	m.gp[r] = m.gp[r]&^ones(w) | x&ones(w)
}

// setResult sets the flags that depend on a result alone.
func (m *Machine) setResult(r uint64, w int) {
	r &= ones(w)
	m.f.zf, m.f.sf = r == 0, r>>(8*w-1) == 1
	m.f.pf = bits.OnesCount8(uint8(r))&1 == 0
}

// cond evaluates a condition.
func (m *Machine) cond(c asm.Cond) bool {
	f := &m.f
	var r bool
	switch c &^ 1 {
	case asm.O:
		r = f.of
	case asm.B:
		r = f.cf
	case asm.E:
		r = f.zf
	case asm.BE:
		r = f.cf || f.zf
	case asm.S:
		r = f.sf
	case asm.P:
		r = f.pf
	case asm.L:
		r = f.sf != f.of
	case asm.LE:
		r = f.zf || f.sf != f.of
	}
	return r != (c&1 == 1)
}

func (t *ops) general() {
	t[asm.MOV] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		if in.HasImm {
			m.write(in, 0, w, uint64(in.Imm))
			return
		}
		m.write(in, 0, w, m.read(in, 1, w))
	}
	t[asm.LEA] = func(m *Machine, in *inst) { m.write(in, 0, int(in.Size)/8, m.address(in)) }
	for op, sw := range map[asm.Op]int{asm.MOVZX8: 1, asm.MOVZX16: 2} {
		t[op] = func(m *Machine, in *inst) { m.write(in, 0, int(in.Size)/8, m.read(in, 1, sw)) }
	}
	for op, sw := range map[asm.Op]int{asm.MOVSX8: 1, asm.MOVSX16: 2, asm.MOVSXD: 4} {
		t[op] = func(m *Machine, in *inst) { m.write(in, 0, int(in.Size)/8, uint64(signed(m.read(in, 1, sw), sw))) }
	}
	t[asm.CMOV] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		x := m.read(in, 1, w)
		if !m.cond(in.Cond) {
			x = m.gp[in.Reg[0]]
		}
		m.write(in, 0, w, x)
	}
	t[asm.SET] = func(m *Machine, in *inst) {
		x := uint64(0)
		if m.cond(in.Cond) {
			x = 1
		}
		m.write(in, 0, 1, x)
	}
	t[asm.JMP] = func(m *Machine, in *inst) { m.pc += int(in.Imm) }
	t[asm.JCC] = func(m *Machine, in *inst) {
		if m.cond(in.Cond) {
			m.pc += int(in.Imm)
		}
	}
	t[asm.JMPR] = func(m *Machine, in *inst) { m.pc = int(int64(m.read(in, 0, 8) - m.origin)) }
	t[asm.XCHG] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		a, b := m.read(in, 0, w), m.read(in, 1, w)
		m.write(in, 0, w, b) // first: the address may depend on the register
		m.write(in, 1, w, a)
	}
	t[asm.CQO] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		m.setReg(asm.RDX, w, uint64(signed(m.gp[asm.RAX], w)>>63))
	}
	for _, op := range []asm.Op{asm.NOP, asm.PAUSE, asm.SFENCE, asm.PREFETCHNTA, asm.PREFETCHT0, asm.PREFETCHT1,
		asm.PREFETCHT2, asm.PREFETCHW} {
		t[op] = func(*Machine, *inst) {}
	}
	t[asm.RET] = func(*Machine, *inst) {}
	t[asm.UD2] = func(m *Machine, _ *inst) { m.fail("reached") }
}
