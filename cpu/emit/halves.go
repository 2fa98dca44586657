package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A vector of bf16 has two vectors of f32 in it: its words shifted up are the elements with even numbers, and its words
// without their lower halves those with odd ones. So a lane loop that reads and writes nothing but bf16 side by side
// goes by pairs of vectors, first the even elements of both, then the odd ones. Nothing is moved between lanes, neither
// where elements are widened nor where they are brought together. What it sums has vectors of its own for the even
// elements and for the odd ones, and other lanes than elsewhere.

// halves is what is known of the pair that is being made.
type halves struct {
	odd bool
	// even holds what stores write to even elements, in the lower halves of words.
	even map[*loop.Inst]reg
	// sums holds, of numbers that were rounded in the odd part, words with the result in the upper half.
	sums map[reg]reg
}

// inHalves reports whether lane loop l, of w lanes, goes by such pairs.
func (g *gen) inHalves(l *loop.Loop, w int) bool {
	if w*32 != int(g.c.vl) || l.When != nil || l.Extent < 2*int64(w) || !g.sumsHalves(l) {
		return false
	}
	loads := 0
	for _, n := range l.Body {
		if n.Loop != nil || g.asides[n.Value] != nil || g.condition[n.Value] {
			return false
		}
		if _, ok := g.under[n.Value]; ok {
			return false
		}
		switch i := g.nest.Inst(n.Value); i.Op {
		case loop.Load:
			a := &g.nest.Accesses[i.Access]
			same := stride(a, l.Var) == 0 && (a.Index == 0 || !g.inBody(l, a.Index))
			if !same && !g.halvesAccess(a, i.Args[0], l) {
				return false
			}
			loads += int(stride(a, l.Var))
		case loop.Store:
			if !g.halvesAccess(&g.nest.Accesses[i.Access], i.Args[1], l) {
				return false
			}
		case loop.Index:
			if int(i.Imm) == l.Var {
				return false
			}
		case loop.Scan:
			return false
		}
	}
	return loads > 0
}

// sumsHalves reports whether l carries nothing but what its numbers are reduced to, in any order.
func (g *gen) sumsHalves(l *loop.Loop) bool {
	_, kept := g.kept[l]
	return len(l.Carries) == 0 || !kept && !g.isRanged(l) && !slices.ContainsFunc(l.Carries, func(c loop.Carry) bool {
		return c.Scan || c.Reduce == 0 || g.nest.Kind(c.Phi) != loop.F32
	})
}

// halvesAccess reports whether a, of lane loop l, is of bf16 side by side, all of them.
func (g *gen) halvesAccess(a *loop.Access, mask loop.Value, l *loop.Loop) bool {
	return a.Mem == loop.MemBF16 && mask == 0 && stride(a, l.Var) == a.Mem.Bytes() &&
		(a.Index == 0 || !g.inBody(l, a.Index))
}

// halves makes the iterations that fill pairs of vectors: half as many pairs at a time as there are sums, of which even
// elements have the first and odd ones the others.
func (b *laneBuilder) halves() {
	m := &laneBuilder{g: b.g, o: b.o, s: &laneState{loop: b.s.loop, lanes: b.s.lanes, half: &halves{}}, hi: b.hi,
		left: b.left, accs: make([][]reg, 2)}
	if len(b.s.loop.Carries) > 0 {
		m.accs = b.accs
	}
	m.vectors(len(m.accs) / 2)
	b.left = m.left
}

// bothHalves makes the body of so many pairs.
func (b *laneBuilder) bothHalves(pairs int) {
	h, accs := b.s.half, b.accs
	h.even, h.sums = map[*loop.Inst]reg{}, map[reg]reg{}
	for _, h.odd = range [2]bool{false, true} {
		if b.body(pairs, nil); !h.odd {
			b.accs = accs[pairs:]
		}
	}
	b.accs = accs
}

// apart is how many iterations lie between copies.
func (s *laneState) apart() int {
	if s.half != nil {
		return 2 * s.lanes
	}
	return s.lanes
}

// elements is how many elements are stored by one instruction.
func (s *laneState) elements() int64 {
	if s.half != nil {
		return int64(2 * s.lanes)
	}
	if s.short != nil {
		return s.iterations()
	}
	return int64(s.lanes)
}

// loadHalf reads every second element of a pair.
func (g *gen) loadHalf(at mem) reg {
	c := g.c
	words := c.vm(asm.VMOVDQU32, c.vl, at)
	if g.lanes.half.odd {
		return c.v(asm.VPANDD, c.vl, words, c.splat32(0xffff0000))
	}
	return c.vi(asm.VPSLLDI, c.vl, 16, words)
}

// roundHalf rounds x, which can be such NaNs, to bf16.
func (g *gen) roundHalf(x reg, n nans) reg {
	c, h := g.c, g.lanes.half
	if !h.odd || n != quietNaNs {
		bits := g.roundedBits(x, n)
		r := c.vi(asm.VPSLLDI, c.vl, 16, bits)
		if !h.odd {
			g.rememberBits(r, bits)
		}
		return r
	}
	sum := g.roundedSum(x, c.vi(asm.VPSRLDI, c.vl, 16, x))
	r := c.v(asm.VPANDD, c.vl, sum, c.splat32(0xffff0000))
	h.sums[r] = sum
	return r
}

// storeHalf keeps the even elements of a pair, and writes them with the odd ones.
func (g *gen) storeHalf(i *loop.Inst) {
	h, x := g.lanes.half, g.value(i.Args[0])
	if !h.odd {
		bits := g.rounded[x]
		if bits == 0 {
			bits = g.roundedBits(x, g.nansOf(i.Args[0]))
		}
		h.even[i] = bits
		return
	}
	if g.nest.Inst(i.Args[0]).Op != loop.RoundBF16 {
		x = g.roundHalf(x, g.nansOf(i.Args[0]))
	}
	if sum := h.sums[x]; sum != 0 {
		x = sum
	}
	a := &g.nest.Accesses[i.Access]
	g.storeWhole(a, g.address(a), g.joinHalves(h.even[i], x))
}

// joinHalves takes the lower halves of words from low, whose upper halves are zeros, and the upper ones from high.
func (g *gen) joinHalves(low, high reg) reg {
	if !g.c.target.AVX512 {
		return g.c.vi(asm.VPBLENDW, g.c.vl, 0xAA, low, high)
	}
	return g.logic3(loop.I32, bitwise(loop.Or, bitwise(loop.And, firstOf3, secondOf3), thirdOf3), high,
		g.c.splat32(0xffff0000), low)
}
