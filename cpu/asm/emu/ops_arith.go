package emu

import (
	"math/bits"

	"github.com/goxla/xla/cpu/asm"
)

// arithmetic on general registers, with flags. Where the manual leaves a flag undefined, it is cleared.
func (t *ops) arithmetic() {
	for op, k := range map[asm.Op]alu{
		asm.ADD: {fn: (*Machine).addFlags}, asm.ADC: {fn: (*Machine).addFlags, carry: true},
		asm.SUB: {fn: (*Machine).subFlags}, asm.SBB: {fn: (*Machine).subFlags, carry: true},
		asm.CMP:  {fn: (*Machine).subFlags, discard: true},
		asm.AND:  {fn: func(m *Machine, a, b, _ uint64, w int) uint64 { return m.logicFlags(a&b, w) }},
		asm.OR:   {fn: func(m *Machine, a, b, _ uint64, w int) uint64 { return m.logicFlags(a|b, w) }},
		asm.XOR:  {fn: func(m *Machine, a, b, _ uint64, w int) uint64 { return m.logicFlags(a^b, w) }},
		asm.TEST: {fn: func(m *Machine, a, b, _ uint64, w int) uint64 { return m.logicFlags(a&b, w) }, discard: true},
	} {
		t[op] = func(m *Machine, in *inst) { m.alu(in, k) }
	}
	t.shiftsGeneral()
	t[asm.INC] = func(m *Machine, in *inst) { m.increment(in, (*Machine).addFlags) }
	t[asm.DEC] = func(m *Machine, in *inst) { m.increment(in, (*Machine).subFlags) }
	t[asm.NOT] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		m.write(in, 0, w, ^m.read(in, 0, w))
	}
	t[asm.NEG] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		m.write(in, 0, w, m.subFlags(0, m.read(in, 0, w), 0, w))
	}
	t[asm.XADD] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		a, b := m.read(in, 0, w), m.read(in, 1, w)
		r := m.addFlags(a, b, 0, w)
		m.write(in, 0, w, r)
		m.write(in, 1, w, a)
	}
	t[asm.CMPXCHG] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		a := m.read(in, 0, w)
		m.subFlags(m.gp[asm.RAX]&ones(w), a, 0, w)
		if m.f.zf {
			m.write(in, 0, w, m.read(in, 1, w))
		} else {
			m.setReg(asm.RAX, w, a)
		}
	}
	t.multiplyDivide()
	t.counts()
}

// alu is an operation on two operands: whether it takes the carry in, and keeps only the flags.
type alu struct {
	fn             func(m *Machine, a, b, c uint64, w int) uint64
	carry, discard bool
}

func (m *Machine) alu(in *inst, k alu) {
	w := int(in.Size) / 8
	a, b := m.read(in, 0, w), uint64(0)
	if in.HasImm {
		b = uint64(in.Imm) & ones(w)
	} else {
		b = m.read(in, 1, w)
	}
	c := uint64(0)
	if k.carry && m.f.cf {
		c = 1
	}
	r := k.fn(m, a, b, c, w)
	if !k.discard {
		m.write(in, 0, w, r)
	}
}

func (m *Machine) addFlags(a, b, c uint64, w int) uint64 {
	r := (a + b + c) & ones(w)
	m.setResult(r, w)
	m.f.cf = r < a || c == 1 && r == a
	m.f.of = (a^r)&(b^r)>>(8*w-1)&1 == 1
	return r
}

func (m *Machine) subFlags(a, b, c uint64, w int) uint64 {
	r := (a - b - c) & ones(w)
	m.setResult(r, w)
	m.f.cf = a < b || c == 1 && a == b
	m.f.of = (a^b)&(a^r)>>(8*w-1)&1 == 1
	return r
}

func (m *Machine) logicFlags(r uint64, w int) uint64 {
	m.setResult(r, w)
	m.f.cf, m.f.of = false, false
	return r
}

func (m *Machine) increment(in *inst, fn func(m *Machine, a, b, c uint64, w int) uint64) {
	w := int(in.Size) / 8
	carry := m.f.cf
	r := fn(m, m.read(in, 0, w), 1, 0, w)
	m.f.cf = carry
	m.write(in, 0, w, r)
}

func (t *ops) shiftsGeneral() {
	for _, k := range []struct {
		imm, cl asm.Op
		fn      func(m *Machine, x uint64, n uint, w int) uint64
	}{
		{asm.SHL, asm.SHLCL, func(m *Machine, x uint64, n uint, w int) uint64 {
			m.f.cf = n <= uint(8*w) && x>>(uint(8*w)-n)&1 == 1
			return m.shifted(shl(x, uint64(n), w), w)
		}},
		{asm.SHR, asm.SHRCL, func(m *Machine, x uint64, n uint, w int) uint64 {
			m.f.cf = x>>(n-1)&1 == 1
			return m.shifted(x>>n, w)
		}},
		{asm.SAR, asm.SARCL, func(m *Machine, x uint64, n uint, w int) uint64 {
			m.f.cf = signed(x, w)>>(n-1)&1 == 1
			return m.shifted(uint64(signed(x, w)>>n), w)
		}},
		{asm.ROL, asm.ROLCL, func(m *Machine, x uint64, n uint, w int) uint64 {
			r := rotate(x, n, w)
			m.f.cf = r&1 == 1
			return r
		}},
		{asm.ROR, asm.RORCL, func(m *Machine, x uint64, n uint, w int) uint64 {
			r := rotate(x, uint(8*w)-n%uint(8*w), w)
			m.f.cf = r>>(8*w-1) == 1
			return r
		}},
	} {
		t[k.imm] = func(m *Machine, in *inst) { m.shiftBy(in, uint(in.Imm), k.fn) }
		t[k.cl] = func(m *Machine, in *inst) { m.shiftBy(in, uint(m.gp[asm.RCX]), k.fn) }
	}
}

// shifted sets the flags of a shift; overflow is defined for a shift by one only.
func (m *Machine) shifted(r uint64, w int) uint64 {
	m.setResult(r, w)
	m.f.of = false
	return r
}

func rotate(x uint64, n uint, w int) uint64 {
	n %= uint(8 * w)
	return (x<<n | x>>(uint(8*w)-n)) & ones(w)
}

func (m *Machine) shiftBy(in *inst, n uint, fn func(m *Machine, x uint64, n uint, w int) uint64) {
	w := int(in.Size) / 8
	n &= 31
	if w == 8 {
		n = uint(in.Imm) & 63
		if !in.HasImm {
			n = uint(m.gp[asm.RCX]) & 63
		}
	}
	x := m.read(in, 0, w)
	if n != 0 {
		x = fn(m, x, n, w)
	}
	m.write(in, 0, w, x)
}

func (t *ops) multiplyDivide() {
	t[asm.IMUL] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		a, b := m.read(in, 0, w), m.read(in, 1, w)
		if in.HasImm {
			a = uint64(in.Imm)
		}
		m.write(in, 0, w, a*b)
		hi, lo := mulSigned(a, b, w)
		m.f = flags{cf: hi != uint64(signed(lo, w)>>63)&ones(w)}
		m.f.of = m.f.cf
	}
	t[asm.MUL] = func(m *Machine, in *inst) { m.wide(in, mulUnsigned) }
	t[asm.IMUL1] = func(m *Machine, in *inst) { m.wide(in, mulSigned) }
	t[asm.DIV] = func(m *Machine, in *inst) { m.divide(in, divUnsigned) }
	t[asm.IDIV] = func(m *Machine, in *inst) { m.divide(in, divSigned) }
}

func mulUnsigned(a, b uint64, w int) (hi, lo uint64) {
	hi, lo = bits.Mul64(a, b)
	if w < 8 {
		hi, lo = lo>>(8*w)&ones(w), lo&ones(w)
	}
	return hi, lo
}

func mulSigned(a, b uint64, w int) (hi, lo uint64) {
	x, y := signed(a, w), signed(b, w)
	hi, lo = bits.Mul64(uint64(x), uint64(y))
	hi -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x)
	if w < 8 {
		hi, lo = lo>>(8*w)&ones(w), lo&ones(w)
	}
	return hi, lo
}

// wide multiplies RAX into RDX:RAX; bytes into AX.
func (m *Machine) wide(in *inst, fn func(a, b uint64, w int) (hi, lo uint64)) {
	w := int(in.Size) / 8
	hi, lo := fn(m.gp[asm.RAX]&ones(w), m.read(in, 0, w), w)
	if m.err != nil {
		return
	}
	m.f = flags{cf: hi != 0}
	if in.Op == asm.IMUL1 {
		m.f.cf = hi != uint64(signed(lo, w)>>63)&ones(w)
	}
	m.f.of = m.f.cf
	if w == 1 {
		m.setReg(asm.RAX, 2, hi<<8|lo)
		return
	}
	m.setReg(asm.RAX, w, lo)
	m.setReg(asm.RDX, w, hi)
}

// divide divides RDX:RAX, or AX by a byte.
func (m *Machine) divide(in *inst, fn func(hi, lo, d uint64, w int) (q, r uint64, ok bool)) {
	w := int(in.Size) / 8
	hi, lo, d := m.gp[asm.RDX]&ones(w), m.gp[asm.RAX]&ones(w), m.read(in, 0, w)
	if w == 1 {
		hi = m.gp[asm.RAX] >> 8 & 255
	}
	q, r, ok := fn(hi, lo, d, w)
	if m.err != nil {
		return
	}
	if !ok {
		m.fail("division of %#x:%#x by %#x overflows", hi, lo, d)
		return
	}
	if w == 1 {
		m.setReg(asm.RAX, 2, r<<8|q&255)
		return
	}
	m.setReg(asm.RAX, w, q)
	m.setReg(asm.RDX, w, r)
}

func divUnsigned(hi, lo, d uint64, w int) (q, r uint64, ok bool) {
	if hi >= d {
		return 0, 0, false
	}
	if w < 8 {
		x := hi<<(8*w) | lo
		return x / d, x % d, true
	}
	q, r = bits.Div64(hi, lo, d)
	return q, r, true
}

func divSigned(hi, lo, d uint64, w int) (q, r uint64, ok bool) {
	negN, negD := hi>>(8*w-1)&1 == 1, d>>(8*w-1)&1 == 1
	if negN { // negate the double width
		lo = -lo & ones(w)
		hi = ^hi & ones(w)
		if lo == 0 {
			hi = (hi + 1) & ones(w)
		}
	}
	if negD {
		d = -d & ones(w)
	}
	q, r, ok = divUnsigned(hi, lo, d, w)
	limit := uint64(1) << (8*w - 1)
	if negN != negD {
		limit++
		q = -q
	}
	if !ok || negN != negD && -q >= limit || negN == negD && q >= limit {
		return 0, 0, false
	}
	if negN {
		r = -r
	}
	return q, r & ones(w), true
}

func (t *ops) counts() {
	t[asm.POPCNT] = func(m *Machine, in *inst) {
		x := m.read(in, 1, int(in.Size)/8)
		m.f = flags{zf: x == 0}
		m.write(in, 0, int(in.Size)/8, uint64(bits.OnesCount64(x)))
	}
	count := func(fn func(x uint64, w int) uint64, bsf bool) exec {
		return func(m *Machine, in *inst) {
			w := int(in.Size) / 8
			x := m.read(in, 1, w)
			if bsf {
				m.f = flags{zf: x == 0}
				if x == 0 { // the destination stays
					return
				}
			}
			r := fn(x, w)
			if !bsf {
				m.f = flags{zf: r == 0, cf: x == 0}
			}
			m.write(in, 0, w, r)
		}
	}
	trailing := func(x uint64, w int) uint64 { return uint64(min(bits.TrailingZeros64(x), 8*w)) }
	t[asm.TZCNT] = count(trailing, false)
	t[asm.LZCNT] = count(func(x uint64, w int) uint64 { return uint64(bits.LeadingZeros64(x) - 64 + 8*w) }, false)
	t[asm.BSF] = count(trailing, true)
	t[asm.BSR] = count(func(x uint64, _ int) uint64 { return uint64(bits.Len64(x) - 1) }, true)
}
