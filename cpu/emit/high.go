package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// mulHigh64 is the upper half of a product of 64-bit integers, from those of their halves. Factors with a sign are
// multiplied as if they had none: of a negative one the other is too much.
//
//go:noinline
func mulHigh64(signed bool) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		c, size := g.c, g.size(loop.I64)
		times := func(a, b reg) reg { return c.v(asm.VPMULUDQ, size, a, b) }
		plus := func(a, b reg) reg { return c.v(asm.VPADDQ, size, a, b) }
		up := func(a reg) reg { return c.vi(asm.VPSRLQI, size, 32, a) }
		xh, yh := g.upperWords(i.Args[0], x[0]), g.upperWords(i.Args[1], x[1])
		t := plus(times(xh, x[1]), up(times(x[0], x[1])))
		w := plus(times(x[0], yh), c.v(asm.VPANDQ, size, t, c.splat64(1<<32-1)))
		high := plus(plus(times(xh, yh), up(t)), up(w))
		for k := 0; signed && k < 2; k++ {
			if y := g.whereNegative(i.Args[k], x[k], x[1-k]); y != 0 {
				high = c.v(asm.VPSUBQ, size, high, y)
			}
		}
		return high
	}
}

// upperWords are the upper halves of the lanes of r, which holds v.
func (g *gen) upperWords(v loop.Value, r reg) reg {
	if i := g.nest.Inst(v); i.Op == loop.Const {
		return g.c.splat64(i.Imm >> 32)
	}
	return g.c.vi(asm.VPSRLQI, g.size(loop.I64), 32, r)
}

// whereNegative is y in lanes in which v, held by r, is negative, and else 0; 0 if it is so nowhere.
func (g *gen) whereNegative(v loop.Value, r, y reg) reg {
	c, size := g.c, g.size(loop.I64)
	switch i := g.nest.Inst(v); {
	case i.Op == loop.Const && int64(i.Imm) >= 0:
		return 0
	case i.Op == loop.Const:
		return y
	case c.target.AVX512:
		return c.v(asm.VPANDQ, size, c.vi(asm.VPSRAQI, size, 63, r), y)
	}
	return c.v(asm.VPANDQ, size, g.signs64(r), y)
}
