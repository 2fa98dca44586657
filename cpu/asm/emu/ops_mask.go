package emu

import (
	"math/bits"

	"github.com/goxla/xla/cpu/asm"
)

func (t *ops) masks() {
	for i := range 4 {
		w := 1 << i
		o := asm.Op(i)
		t[asm.KMOVB+o] = func(m *Machine, in *inst) { m.moveMask(in, w) }
		t.mask3(asm.KANDB+o, w, func(a, b uint64) uint64 { return a & b })
		t.mask3(asm.KANDNB+o, w, func(a, b uint64) uint64 { return ^a & b })
		t.mask3(asm.KORB+o, w, func(a, b uint64) uint64 { return a | b })
		t.mask3(asm.KXNORB+o, w, func(a, b uint64) uint64 { return ^(a ^ b) })
		t.mask3(asm.KXORB+o, w, func(a, b uint64) uint64 { return a ^ b })
		t.mask3(asm.KADDB+o, w, func(a, b uint64) uint64 { return a + b })
		t[asm.KNOTB+o] = func(m *Machine, in *inst) { m.k[in.Reg[0]] = ^m.k[in.Reg[1]] & ones(w) }
		t[asm.KSHIFTRB+o] = func(m *Machine, in *inst) {
			m.k[in.Reg[0]] = shr(m.k[in.Reg[1]]&ones(w), uint64(in.Imm), w)
		}
		t[asm.KSHIFTLB+o] = func(m *Machine, in *inst) {
			m.k[in.Reg[0]] = shl(m.k[in.Reg[1]], uint64(in.Imm), w) & ones(w)
		}
		t[asm.KORTESTB+o] = func(m *Machine, in *inst) {
			x := (m.k[in.Reg[0]] | m.k[in.Reg[1]]) & ones(w)
			m.f = flags{zf: x == 0, cf: x == ones(w)}
		}
		t[asm.KTESTB+o] = func(m *Machine, in *inst) {
			a, b := m.k[in.Reg[0]], m.k[in.Reg[1]]
			m.f = flags{zf: a&b&ones(w) == 0, cf: ^a&b&ones(w) == 0}
		}
	}
	for i, op := range []asm.Op{asm.KUNPCKBW, asm.KUNPCKWD, asm.KUNPCKDQ} {
		half := 1 << i
		t[op] = func(m *Machine, in *inst) {
			m.k[in.Reg[0]] = m.k[in.Reg[1]]&ones(half)<<(8*half) | m.k[in.Reg[2]]&ones(half)
		}
	}
	for i, k := range [][2]asm.Op{{asm.KMOVBKR, asm.KMOVBRK}, {asm.KMOVWKR, asm.KMOVWRK}, {asm.KMOVDKR, asm.KMOVDRK},
		{asm.KMOVQKR, asm.KMOVQRK}} {
		w := 1 << i
		t[k[0]] = func(m *Machine, in *inst) { m.k[in.Reg[0]] = m.gp[in.Reg[1]] & ones(w) }
		t[k[1]] = func(m *Machine, in *inst) { m.gp[in.Reg[0]] = m.k[in.Reg[1]] & ones(w) }
	}
}

func (t *ops) mask3(op asm.Op, w int, fn func(a, b uint64) uint64) {
	t[op] = func(m *Machine, in *inst) { m.k[in.Reg[0]] = fn(m.k[in.Reg[1]], m.k[in.Reg[2]]) & ones(w) }
}

func (m *Machine) moveMask(in *inst, w int) {
	switch in.memAt {
	case 0:
		m.store(m.address(in), w, m.k[in.Reg[1]])
	case 1:
		m.k[in.Reg[0]] = m.load(m.address(in), w)
	default:
		m.k[in.Reg[0]] = m.k[in.Reg[1]] & ones(w)
	}
}

// bits are BMI1 and BMI2 on general registers.
func (t *ops) bits() {
	for op, fn := range map[asm.Op]func(a, b uint64, w int) uint64{
		asm.ANDN:  func(a, b uint64, _ int) uint64 { return ^a & b },
		asm.PDEP:  func(a, b uint64, _ int) uint64 { return deposit(a, b) },
		asm.PEXT:  func(a, b uint64, _ int) uint64 { return extractBits(a, b) },
		asm.BEXTR: func(a, b uint64, w int) uint64 { return shr(a, b&255, w) & ^(^uint64(0) << min(b>>8&255, 64)) },
		asm.BZHI:  func(a, b uint64, w int) uint64 { return a & ^(^uint64(0) << min(b&255, 64)) },
		asm.SHLX:  func(a, b uint64, w int) uint64 { return a << (b & uint64(8*w-1)) },
		asm.SHRX:  func(a, b uint64, w int) uint64 { return a >> (b & uint64(8*w-1)) },
		asm.SARX:  func(a, b uint64, w int) uint64 { return uint64(signed(a, w) >> (b & uint64(8*w-1))) },
	} {
		t[op] = func(m *Machine, in *inst) {
			w := int(in.Size) / 8
			a, b := m.read(in, 1, w), m.read(in, 2, w)
			r := fn(a, b, w) & ones(w)
			m.gp[in.Reg[0]] = r
			switch in.Op {
			case asm.ANDN, asm.BZHI, asm.BEXTR:
				m.f = flags{zf: r == 0, sf: in.Op != asm.BEXTR && r>>(8*w-1) == 1,
					cf: in.Op == asm.BZHI && b&255 >= uint64(8*w)}
			}
		}
	}
	t[asm.RORX] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		m.gp[in.Reg[0]] = ror(m.read(in, 1, w), uint64(in.Imm), w)
	}
	t[asm.MULX] = func(m *Machine, in *inst) {
		w := int(in.Size) / 8
		hi, lo := bits.Mul64(m.gp[asm.RDX]&ones(w), m.read(in, 2, w))
		if w == 4 {
			hi, lo = lo>>32, lo&ones(4)
		}
		m.gp[in.Reg[1]] = lo
		m.gp[in.Reg[0]] = hi
	}
	for op, fn := range map[asm.Op]func(x uint64) uint64{
		asm.BLSR:   func(x uint64) uint64 { return x & (x - 1) },
		asm.BLSMSK: func(x uint64) uint64 { return x ^ (x - 1) },
		asm.BLSI:   func(x uint64) uint64 { return x & -x },
	} {
		t[op] = func(m *Machine, in *inst) {
			w := int(in.Size) / 8
			x := m.read(in, 1, w)
			r := fn(x) & ones(w)
			m.gp[in.Reg[0]] = r
			m.f = flags{zf: r == 0, sf: r>>(8*w-1) == 1, cf: (x == 0) != (in.Op == asm.BLSI)}
		}
	}
}

// deposit puts the low bits of x where mask has ones; extractBits is the reverse.
func deposit(x, mask uint64) (r uint64) {
	for ; mask != 0; mask &= mask - 1 {
		if x&1 == 1 {
			r |= mask & -mask
		}
		x >>= 1
	}
	return r
}

func extractBits(x, mask uint64) (r uint64) {
	for i := 0; mask != 0; mask &= mask - 1 {
		if x&mask&-mask != 0 {
			r |= 1 << i
		}
		i++
	}
	return r
}
