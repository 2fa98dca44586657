package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// What does not fill a group of vectors is done in short lanes under a mask on AVX-512. On AVX2 a loop that only
// carries does the last whole group again, in which what was there before does not count; others end in usual lanes.

// masks reports whether all of the loop can be under a mask.
func (s *shorts) masks() bool { return s.g.c.target.AVX512 && s.all && len(s.rows) == 0 }

// shortRest makes the iterations behind the last whole group, if short lanes do, and reports whether nothing is left.
func (b *laneBuilder) shortRest(s *shorts) (all bool) {
	n := int64(b.s.lanes * s.group())
	switch {
	case b.hi == 0 && b.left == 0:
		return true
	case b.hi == 0 && s.masks():
		b.shortPart(s, b.s.loop.Extent-b.behind-b.left, b.g.c.imm(1<<b.left-1))
		b.skip(b.left)
	case b.hi == 0:
		if !s.onlyCarries() {
			return false
		}
		b.shortAgain(s, n)
	case s.masks():
		b.shortSome(s)
	default:
		return false
	}
	b.left = 0
	return true
}

// endsShort reports whether bytes of rows, none of which fills vectors, are all read and written whole or under masks:
// what only moves them has no better form.
func (s *shorts) endsShort() bool {
	return s != nil && s.width == 8 && s.masks() && !s.g.isRanged(s.loop) &&
		s.loop.Extent*int64(s.width)%int64(s.g.c.vl) != 0
}

// onlyCarries reports whether the loop stores nothing, and has at least a group of iterations.
func (s *shorts) onlyCarries() bool {
	if !s.all || len(s.rows) > 0 || s.loop.Extent < int64(s.g.c.vl)/int64(s.width) {
		return false
	}
	for _, n := range s.loop.Body {
		if s.g.nest.Inst(n.Value).Op == loop.Store {
			return false
		}
	}
	return true
}

// shortPart makes the iterations from first on, those that are in bits; first is -1 where the counter tells.
func (b *laneBuilder) shortPart(s *shorts, first int64, bits reg) {
	c := b.g.c
	s.mask = c.v(asm.KMOVQKR, 0, bits)
	s.off = func(x reg) reg {
		r := c.v(s.op(asm.VMOVDQU8, asm.VMOVDQU16), c.vl, x)
		c.zeroing(s.mask)
		return r
	}
	b.s.single, b.s.first = first >= 0, first
	b.body(s.group(), nil)
	s.mask, s.off, b.s.single = 0, nil, false
}

// skip moves on by n iterations, of those that are known.
func (b *laneBuilder) skip(n int64) {
	if b.behind > 0 {
		b.g.stepScaled(b.o, n)
		b.g.c.gopi(asm.ADD, b.o.counter, n)
	}
}

// shortSome is shortPart of a number of iterations that is not known, less than a group.
func (b *laneBuilder) shortSome(s *shorts) {
	c := b.g.c
	end := c.asm.NewLabel()
	n := c.copyOf(b.hi)
	c.gop(asm.SUB, n, b.o.counter)
	c.jcc(asm.LE, end)
	i := ins{in: inst(asm.BZHI, asm.W64, 3)}
	i.r[1], i.r[2] = c.imm(-1), n
	b.shortPart(s, -1, c.define(i))
	c.bind(end)
}

// shortAgain makes the last n iterations, of which only those that are left count.
func (b *laneBuilder) shortAgain(s *shorts, n int64) {
	c := b.g.c
	on := make([]byte, int(c.vl)/8)
	for k := int(n-b.left) * s.width / 8; k < len(on); k++ {
		on[k] = 0xFF
	}
	s.off = func(x reg) reg { return c.v(asm.VPANDD, c.vl, x, c.vector(on)) }
	b.s.single, b.s.first = true, b.s.loop.Extent-n
	b.body(s.group(), nil)
	s.off, b.s.single = nil, false
}
