package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
)

// AVX2 has no maximum that orders zeros and passes NaNs on: one takes six instructions, a minimum three. So the largest
// of many numbers is found as the least of what they are with the other sign, and a NaN loses there what it has of
// others.

// leastTurnedSign is the fewest numbers for which that is done.
const leastTurnedSign = 4

// turnsSigns reports whether value k of r, which begins as init, is a maximum that is found so.
func (g *gen) turnsSigns(r reducer, init []elem.Value, k int) bool {
	return r.lanes[k] == loop.Max && g.b.Kind(init[k].Re).IsFloat()
}

// reduceTurned is reduce where maxima may be minima of turned signs.
func (g *gen) reduceTurned(r reducer, init []elem.Value, extents []int, body func(pos []Expr) step) []elem.Value {
	turned := reducer{comp: r.comp, lanes: slices.Clone(r.lanes)}
	first := slices.Clone(init)
	for k := range init {
		if g.turnsSigns(r, init, k) {
			turned.lanes[k] = loop.Min
			first[k].Re = g.negative(init[k].Re)
		}
	}
	var turn func(s step) step
	turn = func(s step) step {
		out := step{on: s.on}
		if s.elems != nil || s.of != nil {
			out.of = func(k int) (x, by elem.Value) {
				if x, by = s.factors(k); g.turnsSigns(r, init, k) {
					x.Re = g.negative(x.Re)
				}
				return x, by
			}
		}
		if s.next != nil {
			next := turn(*s.next)
			out.next = &next
		}
		return out
	}
	out := g.reduceFrom(turned, first, slices.Clone(extents), nil, func(pos []Expr) step { return turn(body(pos)) })
	for k := range out {
		if g.turnsSigns(r, init, k) {
			out[k].Re = g.withoutPayload(g.negative(out[k].Re))
		}
	}
	return out
}

// negative is x with the other sign.
func (g *gen) negative(x loop.Value) loop.Value {
	k := g.b.Kind(x)
	if bits, ok := g.b.ConstBits(x); ok {
		return g.b.Const(k, bits^1<<(k.Bits()-1))
	}
	return g.b.Op(loop.Neg, k, x)
}

// withoutPayload is x, and where that is no number a NaN without a sign and a payload.
func (g *gen) withoutPayload(x loop.Value) loop.Value {
	k, nan := g.b.Kind(x), uint64(0x7fc00000)
	if k == loop.F64 {
		nan = 0x7ff8 << 48
	}
	return g.b.Op(loop.Select, k, g.b.Cmp(loop.Unordered, x, x), g.b.Const(k, nan), x)
}
