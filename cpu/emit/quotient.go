package emit

import (
	"math"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// What a whole lane loop divides by, such as the sum of a row, has its reciprocal computed in front of the loop, where
// divisions take long. Quotients are products that are corrected twice, and come out rounded, as those by constants do
// (divide.go). Where a quotient is not ordinary, an infinity or a rare divisor being in it, a jump leads to the
// division. Where divisions are quick, and on AVX2, every second quotient is one, and the others products beside it, in
// loops that do little else: on Zen 3 a division of f32 takes 5.7 cycles, and one with products beside it 2.9 each.

// fewestQuotients is how many vectors are divided at least in a loop that begins with a reciprocal.
const fewestQuotients = 4

// invert computes the reciprocals of what l, which is about to begin, divides by.
func (g *gen) invert(l *loop.Loop, lanes int) {
	if l.Extent < int64(fewestQuotients*lanes) || g.dividesToo() && !g.mostlyDivides(l) {
		return
	}
	l.Body.Each(func(n loop.Node) {
		if n.Loop != nil {
			return
		}
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Div || i.Kind != loop.F32 && (i.Kind != loop.F64 || !g.c.target.AVX512) {
			return
		}
		d := i.Args[1]
		if g.nest.Inst(d).Op == loop.Const || g.vals[0][d] == 0 || g.inLanes[d] || g.inverses[d] != 0 {
			return
		}
		if g.inverses == nil {
			g.inverses = map[loop.Value]reg{}
		}
		g.inverses[d] = g.inverse(i, g.vals[0][d])
	})
}

// dividesToo reports whether only every second quotient is products: where divisions are quick, and on AVX2, where it
// takes several instructions to find what is not ordinary.
func (g *gen) dividesToo() bool { return g.c.target.QuickDivision || !g.c.target.AVX512 }

// mostlyDivides reports whether l does little but divide: no more else than quotients. Elements that are converted
// where they are loaded or stored are not little, nor is a loop in it.
func (g *gen) mostlyDivides(l *loop.Loop) bool {
	quotients, others, inner := 0, 0, false
	l.Body.Each(func(n loop.Node) {
		if n.Loop != nil {
			inner = true
			return
		}
		switch i := g.nest.Inst(n.Value); i.Op {
		case loop.Div:
			quotients++
		case loop.Load, loop.Store:
			if g.nest.Accesses[i.Access].Mem.Bytes() < 4 {
				others += 2
			}
		default:
			others++
		}
	})
	return !inner && others <= quotients
}

// inverse is 1/d for a divide by a positive d of common size, else NaN: by a negative one, corrected zeros would lose
// their sign.
func (g *gen) inverse(divide *loop.Inst, d reg) reg {
	k := divide.Kind
	few := 28.0
	if k == loop.F64 {
		few = 160
	}
	r := g.t.table().find(loop.Div, k, k)(g, divide, [3]reg{g.splatFloat(k, 1), d})
	none := g.splatFloat(k, math.NaN())
	r = g.t.pick(k, g.t.cmpFloat(k, loop.LT, d, g.splatFloat(k, math.Exp2(-few))), none, r)
	return g.t.pick(k, g.t.cmpFloat(k, loop.GT, d, g.splatFloat(k, math.Exp2(few))), none, r)
}

// byInverse divides by what has a reciprocal.
func byInverse(divide selector) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		r := g.inverses[i.Args[1]]
		if r != 0 && g.lanes != nil && g.dividesToo() {
			g.quotients++
		}
		if r == 0 || g.lanes == nil || g.quotients%2 != 0 {
			return divide(g, i, x)
		}
		k, size := i.Kind, g.size(i.Kind)
		plain := g.c.v(by64(k, asm.VMULPS, asm.VMULPD), size, x[0], r)
		q := plain
		for range 2 {
			over := g.c.fused(loop.FMS, k, size, q, x[1], x[0])
			q = g.c.fused(loop.FNMA, k, size, over, r, q)
		}
		q = g.c.copyOf(q)
		if g.c.target.AVX512 {
			bad := g.notOrdinary(k, plain)
			g.c.flags(asm.KORTESTW, 0, bad, bad)
		} else {
			bad := g.notOrdinaryBits(plain)
			g.c.flags(asm.VPTEST, size, bad, bad)
		}
		g.c.cold(asm.NE, func() { g.c.move(q, divide(g, i, x)) })
		return q
	}
}

// notOrdinaryBits is notOrdinary for f32 on AVX2, by the bits without the sign: of zeros, one less is the largest.
func (g *gen) notOrdinaryBits(q reg) reg {
	const sign, largest, least = 1 << 31, 0x7EFFFFFF, 0x1A800000 // below 2^127, and 2^-74
	c, size := g.c, g.size(loop.F32)
	bits := c.v(asm.VANDPS, size, q, c.splat32(sign-1))
	large := c.v(asm.VPCMPGTD, size, bits, c.splat32(largest))
	less := c.v(asm.VPADDD, size, bits, c.splat32(sign<<1-1))
	small := c.v(asm.VPCMPEQD, size, less, c.v(asm.VPMINUD, size, less, c.splat32(least-2)))
	return c.v(asm.VORPS, size, large, small)
}
