package emu

import "github.com/goxla/xla/cpu/asm"

// forms of one operation: packed and scalar of both widths, in the order PS, PD, SS, SD.
type forms [4]asm.Op

func (t *ops) forms(op forms, fn func(f *format) laneFn) {
	for i, o := range op {
		if o == 0 {
			continue
		}
		f := f32
		if i&1 == 1 {
			f = f64
		}
		t.same(o, f.w, f.flushing(fn(f)))
	}
}

// logical sets the packed forms of an operation on bits.
func (t *ops) logical(first asm.Op, fn laneFn) {
	t.same(first, 4, fn)
	t.same(first+1, 8, fn)
}

// seq returns the forms of an operation whose Ops stand in the table one after another.
func seq(first asm.Op) forms { return forms{first, first + 1, first + 2, first + 3} }

func pair(first asm.Op) forms { return forms{first, first + 1} }

func (t *ops) floats() {
	for op, k := range map[asm.Op]kind{asm.VADDPS: add, asm.VSUBPS: sub, asm.VMULPS: mul, asm.VDIVPS: div} {
		t.forms(seq(op), func(f *format) laneFn {
			return func(l *lane) uint64 { return f.arith(k, l.a, l.b, l.round) }
		})
	}
	t.forms(pair(asm.VSQRTPS), func(f *format) laneFn {
		return func(l *lane) uint64 { return f.arith(sqrt, l.a, l.a, l.round) }
	})
	t.forms(forms{2: asm.VSQRTSS, 3: asm.VSQRTSD}, func(f *format) laneFn {
		return func(l *lane) uint64 { return f.arith(sqrt, l.b, l.b, l.round) }
	})
	t.forms(seq(asm.VMINPS), func(f *format) laneFn {
		return func(l *lane) uint64 { return f.pick(l.a, l.b, false) }
	})
	t.forms(seq(asm.VMAXPS), func(f *format) laneFn {
		return func(l *lane) uint64 { return f.pick(l.a, l.b, true) }
	})
	for op, fn := range map[asm.Op]laneFn{
		asm.VANDPS:  func(l *lane) uint64 { return l.a & l.b },
		asm.VANDNPS: func(l *lane) uint64 { return ^l.a & l.b },
		asm.VORPS:   func(l *lane) uint64 { return l.a | l.b },
		asm.VXORPS:  func(l *lane) uint64 { return l.a ^ l.b },
	} {
		t.logical(op, fn)
	}
	t.compares()
	t.fusedAdds()
	t.exponents()
}

// pick is MIN or MAX: the second operand unless the first is beyond it, so also for NaN and for zeros.
func (f *format) pick(a, b uint64, larger bool) uint64 {
	x, y := f.value(a), f.value(b)
	if larger && x > y || !larger && x < y {
		return a
	}
	return b
}

// Outcomes of a comparison as bits, and which of them make each predicate true.
const (
	less = 1 << iota
	equal
	greater
	unordered
)

var predicates = [16]uint8{equal, less, less | equal, unordered, less | greater | unordered,
	equal | greater | unordered, greater | unordered, less | equal | greater, equal | unordered, less | unordered,
	less | equal | unordered, 0, less | greater, greater | equal, greater, 15}

func (f *format) outcome(a, b uint64) uint8 {
	x, y := f.value(a), f.value(b)
	switch {
	case x < y:
		return less
	case x > y:
		return greater
	case x == y:
		return equal
	}
	return unordered
}

// testing is flushing of a function whose result is no number.
func (f *format) testing(fn laneFn) laneFn {
	return func(l *lane) uint64 {
		if l.flush {
			l.a, l.b = f.flush(l.a), f.flush(l.b)
		}
		return fn(l)
	}
}

func (t *ops) compares() {
	t.forms(seq(asm.VCMPPS), func(f *format) laneFn {
		return func(l *lane) uint64 {
			if predicates[l.imm&15]&f.outcome(l.a, l.b) != 0 {
				return ones(f.w)
			}
			return 0
		}
	})
	for i, op := range seq(asm.VCMPPSK) {
		f := []*format{f32, f64}[i&1]
		t.test(op, f.w, f.testing(func(l *lane) uint64 { return uint64(predicates[l.imm&15] & f.outcome(l.a, l.b)) }))
	}
	for i, op := range []asm.Op{asm.VUCOMISS, asm.VUCOMISD, asm.VCOMISS, asm.VCOMISD} {
		f := []*format{f32, f64}[i&1]
		t[op] = func(m *Machine, in *inst) {
			b := m.source(in, 1, f.w, 1, 1)
			x, y := m.v[in.Reg[0]].get(f.w, 0), b.get(f.w, 0)
			if m.flush {
				x, y = f.flush(x), f.flush(y)
			}
			o := f.outcome(x, y)
			m.f = flags{zf: o&(equal|unordered) != 0, pf: o == unordered, cf: o&(less|unordered) != 0}
		}
	}
	for i, op := range seq(asm.VFPCLASSPS) {
		f := []*format{f32, f64}[i&1]
		t.test(op, f.w, f.testing(func(l *lane) uint64 { return uint64(f.class(l.a) & l.imm) }))
	}
}

// class returns the bits of VFPCLASS that fit x.
func (f *format) class(x uint64) (c uint8) {
	mag := x &^ f.sign
	tiny := mag > 0 && mag < f.inf&-f.inf
	set := func(bit uint8, b bool) {
		if b {
			c |= bit
		}
	}
	set(1, f.isNaN(x) && x&f.quiet != 0)
	set(2, x == 0)
	set(4, x == f.sign)
	set(8, x == f.inf)
	set(16, x == f.sign|f.inf)
	set(32, tiny)
	set(64, f.neg(x) && mag < f.inf && mag != 0)
	set(128, f.isSNaN(x))
	return c
}

// fused describes one kind of fused multiply-add: the signs, and whether the sign of the addend alternates.
type fused struct {
	first      asm.Op // the 132 form of PS
	negP, negC bool
	alternate  bool
}

func (t *ops) fusedAdds() {
	for _, k := range []fused{
		{asm.VFMADD132PS, false, false, false}, {asm.VFMSUB132PS, false, true, false},
		{asm.VFNMADD132PS, true, false, false}, {asm.VFNMSUB132PS, true, true, false},
		{asm.VFMADDSUB132PS, false, true, true}, {asm.VFMSUBADD132PS, false, false, true},
	} {
		n := asm.Op(4)
		if k.alternate {
			n = 2
		}
		for order := range 3 {
			for i := range n {
				f := []*format{f32, f64}[i&1]
				fn := f.flushing(k.lane(f, order))
				t[k.first+asm.Op(order)*n+i] = func(m *Machine, in *inst) { m.eachLaneOver(in, 0, f.w, f.w, fn) }
			}
		}
	}
}

// lane returns the function for the order of the operands: 0 is 132, 1 is 213, 2 is 231.
func (k fused) lane(f *format, order int) laneFn {
	return func(l *lane) uint64 {
		negC := k.negC != (k.alternate && l.i&1 == 1)
		switch order {
		case 0:
			return f.fma(l.d, l.b, l.a, k.negP, negC, l.round)
		case 1:
			return f.fma(l.a, l.d, l.b, k.negP, negC, l.round)
		}
		return f.fma(l.a, l.b, l.d, k.negP, negC, l.round)
	}
}

// unary sets a function of one operand, which for the scalar forms is the second source.
func (t *ops) unary(first asm.Op, fn func(f *format, x uint64, l *lane) uint64) {
	t.forms(pair(first), func(f *format) laneFn {
		return func(l *lane) uint64 { return fn(f, l.a, l) }
	})
	t.forms(forms{2: first + 2, 3: first + 3}, func(f *format) laneFn {
		return func(l *lane) uint64 { return fn(f, l.b, l) }
	})
}

func (t *ops) exponents() {
	t.unary(asm.VRNDSCALEPS, func(f *format, x uint64, l *lane) uint64 { return f.roundScale(x, l.imm) })
	t.unary(asm.VREDUCEPS, (*format).reduce)
	t.unary(asm.VGETEXPPS, func(f *format, x uint64, _ *lane) uint64 { return f.getExp(x) })
	t.unary(asm.VGETMANTPS, func(f *format, x uint64, l *lane) uint64 { return f.getMant(x, l.imm) })
	t.unary(asm.VRCP14PS, func(f *format, x uint64, _ *lane) uint64 { return f.approximate(div, x) })
	t.unary(asm.VRSQRT14PS, func(f *format, x uint64, _ *lane) uint64 { return f.approximate(sqrt, x) })
	t.forms(seq(asm.VSCALEFPS), func(f *format) laneFn {
		return func(l *lane) uint64 { return f.scalef(l.a, l.b, l.round) }
	})
	t.forms(seq(asm.VRANGEPS), func(f *format) laneFn {
		return func(l *lane) uint64 { return f.rangeOf(l.a, l.b, l.imm) }
	})
	for i, op := range seq(asm.VFIXUPIMMPS) {
		f := []*format{f32, f64}[i&1]
		t.same(op, f.w, func(l *lane) uint64 {
			if l.flush {
				l.a = f.flush(l.a)
			}
			return f.fixup(l.d, l.a, uint32(l.b))
		})
	}
}
