package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Order of short lanes, and what is chosen by it.

// least is the instruction of a minimum or maximum of v and w. Numbers that both have their sign are in the same order
// without it.
func (s *shorts) least(o loop.Op, v, w loop.Value) asm.Op {
	signed, unsigned := s.fitBoth(v, w)
	most := o == loop.Max || o == loop.UMax
	switch withSign := o != loop.UMin && o != loop.UMax && (signed || !unsigned); {
	case withSign && most:
		return s.op(asm.VPMAXSB, asm.VPMAXSW)
	case withSign:
		return s.op(asm.VPMINSB, asm.VPMINSW)
	case most:
		return s.op(asm.VPMAXUB, asm.VPMAXUW)
	}
	return s.op(asm.VPMINUB, asm.VPMINUW)
}

// compare gives a mask of short lanes.
func (s *shorts) compare(i *loop.Inst, x, y reg) reg {
	c, size, p := s.g.c, s.g.c.vl, i.Imm
	signed, _ := s.fitBoth(i.Args[0], i.Args[1])
	if !signed && p >= loop.LT && p <= loop.GE {
		p += loop.ULT - loop.LT
	}
	if c.target.AVX512 {
		op := s.op(asm.VPCMPB, asm.VPCMPW)
		if p >= loop.ULT {
			op = s.op(asm.VPCMPUB, asm.VPCMPUW)
		}
		return c.vi(op, size, intPreds[p], x, y)
	}
	equal := s.op(asm.VPCMPEQB, asm.VPCMPEQW)
	switch p {
	case loop.ULE: // the lesser one is x
		return c.v(equal, size, c.v(s.op(asm.VPMINUB, asm.VPMINUW), size, x, y), x)
	case loop.UGE:
		return c.v(equal, size, c.v(s.op(asm.VPMAXUB, asm.VPMAXUW), size, x, y), x)
	case loop.ULT, loop.UGT:
		x, y = s.turned(i.Args[0], x), s.turned(i.Args[1], y)
		p -= loop.ULT - loop.LT
	}
	if p == loop.LT || p == loop.GE {
		x, y = y, x
	}
	op := s.op(asm.VPCMPGTB, asm.VPCMPGTW)
	if p == loop.EQ || p == loop.NE {
		op = equal
	}
	m := c.v(op, size, x, y)
	if p == loop.NE || p == loop.LE || p == loop.GE {
		return c.v(asm.VPXORD, size, m, c.splat32(^uint32(0)))
	}
	return m
}

// turned is x, the lanes of v, with the sign bit turned: in the order of numbers without a sign.
func (s *shorts) turned(v loop.Value, x reg) reg {
	sign := int64(1) << (s.width - 1)
	if i := s.g.nest.Inst(v); i.Op == loop.Const {
		return s.constant(int64(int32(i.Imm)) ^ sign)
	}
	return s.g.c.v(asm.VPXORD, s.g.c.vl, x, s.constant(sign))
}

// pick takes x where mask m of short lanes is on, else y.
func (s *shorts) pick(m, x, y reg) reg {
	c := s.g.c
	switch {
	case !c.target.AVX512 && y == c.splat32(0):
		return c.v(asm.VPANDD, c.vl, m, x)
	case !c.target.AVX512:
		return c.v(asm.VPBLENDVB, c.vl, y, x, m)
	}
	r := c.v(s.op(asm.VPBLENDMB, asm.VPBLENDMW), c.vl, y, x)
	c.last().mask = m
	return r
}
