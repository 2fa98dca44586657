package emit

import (
	"math"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// byConstant divides by constants of common size without a division, where that takes four times as long: the product
// with the rounded reciprocal is a quotient that is less than an ulp off, and corrected by what it leaves, which FMA
// gives without an error, it is the rounded quotient (Markstein, "Computation of elementary functions on the IBM RISC
// System/6000 processor", theorem 6; a second round where the reciprocal is not that good). Where a quotient is too
// large or too small for that, or no number, there is a division behind a jump. AVX2 takes as long to find these as to
// divide, so it divides integers so alone. Where divisions are quick, it is the same: products of integers, which need
// no look at the quotient, leave the divider to others.
func byConstant(divide selector) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		d, r, rounds := g.reciprocal(i)
		of := g.nest.Inst(i.Args[0]).Op
		whole := of == loop.SToF || of == loop.UToF // none is small, but zero, or infinite
		if rounds == 0 || g.laneCount() == 0 || !whole && (g.c.target.QuickDivision || !g.c.target.AVX512) {
			return divide(g, i, x)
		}
		if whole {
			rounds = g.fewerRounds(i, d, r, rounds)
		}
		k, size, c := i.Kind, g.size(i.Kind), g.c
		by, inverse := g.splatFloat(k, d), g.splatFloat(k, r)
		plain := c.v(by64(k, asm.VMULPS, asm.VMULPD), size, x[0], inverse)
		q := plain
		for range rounds {
			over := c.fused(loop.FMS, k, size, q, by, x[0])
			q = c.fused(loop.FNMA, k, size, over, inverse, q)
		}
		if whole {
			return q
		}
		q = c.copyOf(q)
		bad := g.notOrdinary(k, plain)
		c.flags(asm.KORTESTW, 0, bad, bad)
		c.cold(asm.NE, func() { c.move(q, divide(g, i, x)) })
		return q
	}
}

// mostTried is how many integers are divided to see how often their quotients are to be corrected.
const mostTried = 1 << 10

// fewerRounds is how often quotients of integers in f32 are to be corrected, at most so often: where there are few of
// them, as bytes, it is tried with each, once for all copies of i.
func (g *gen) fewerRounds(i *loop.Inst, d, r float64, most int) int {
	if n, ok := g.rounds[i]; ok {
		return n
	}
	if g.rounds == nil {
		g.rounds = map[*loop.Inst]int{}
	}
	n := g.triedRounds(i, d, r, most)
	g.rounds[i] = n
	return n
}

// triedRounds is fewerRounds, found out.
func (g *gen) triedRounds(i *loop.Inst, d, r float64, most int) int {
	of := g.nest.Inst(i.Args[0])
	lo, hi := g.span(of.Args[0])
	if i.Kind != loop.F32 || of.Op == loop.UToF && lo < 0 || lo < -mostTried || hi > mostTried || hi-lo >= mostTried {
		return most
	}
	by, inverse := float32(d), float32(r)
	for rounds := range most {
		right := true
		for n := lo; n <= hi && right; n++ {
			x := float32(n)
			q := x * inverse
			for range rounds {
				q = fma32(-fma32(q, by, -x), inverse, q)
			}
			right = q == x/by
		}
		if right {
			return rounds
		}
	}
	return most
}

// fma32 is x*y + z, rounded once: what the sum lacks goes to its last digit, far behind those that count.
func fma32(x, y, z float32) float32 {
	p := float64(float64(x) * float64(y)) // exact
	s := p + float64(z)
	t := s - p
	if lacks := (p - (s - t)) + (float64(z) - t); lacks != 0 && math.Float64bits(s)&1 == 0 {
		s = math.Nextafter(s, math.Inf(int(math.Copysign(1, lacks))))
	}
	return float32(s)
}

// Classes of VFPCLASS.
const (
	quietNaN       = 0x01
	infinite       = 0x08
	finiteNegative = 0x40
)

// notOrdinary tells the lanes in which a quotient that is about q is not corrected for sure: q is infinite or no
// number, or so small that what it leaves may not be exact, but no zero. Exponents tell them: those of zeros are -Inf.
// Divisors are between 2^-28 and 2^28, in f64 2^-160 and 2^160.
func (g *gen) notOrdinary(k loop.Kind, q reg) reg {
	size, least, step := g.size(k), 74.0, 0x147p112 // 201 steps are infinite, and 200 not
	if k == loop.F64 {
		least, step = 800, 0x47Fp1003
	}
	e := g.c.v(by64(k, asm.VGETEXPPS, asm.VGETEXPPD), size, q)
	e = g.c.fused(loop.FMA, k, size, e, g.splatFloat(k, step), g.splatFloat(k, least*step))
	return g.c.vi(by64(k, asm.VFPCLASSPS, asm.VFPCLASSPD), size, quietNaN|infinite|finiteNegative, e)
}

// reciprocal returns the constant that i divides by, its reciprocal, and how often the quotient is to be corrected; 0:
// it is no such constant.
func (g *gen) reciprocal(i *loop.Inst) (d, r float64, rounds int) {
	n := g.nest.Inst(i.Args[1])
	if n.Op != loop.Const {
		return 0, 0, 0
	}
	ulp := 0x1p-53
	if i.Kind == loop.F32 {
		d, ulp = float64(math.Float32frombits(uint32(n.Imm))), 0x1p-24
		r = float64(float32(1 / d))
	} else {
		d = math.Float64frombits(n.Imm)
		r = 1 / d
	}
	if !(d >= 0x1p-20 && d <= 0x1p20) {
		return 0, 0, 0
	}
	if math.Abs(math.FMA(d, r, -1)) <= ulp/2 {
		return d, r, 1
	}
	return d, r, 2
}
