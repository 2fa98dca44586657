package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// shortVectors is the number of usual vectors that go side by side in lanes of 16 bits.
func (g *gen) shortVectors(l *loop.Loop) int {
	if n := len(l.Body); n <= shortBody || n <= mediumBody && g.c.target.AVX512 {
		return 4
	}
	return 2
}

// shorts makes the iterations that fill pairs of vectors.
func (b *laneBuilder) shorts(s *shorts) {
	g := b.g
	n := g.shortVectors(b.s.loop)
	m := &laneBuilder{g: g, o: b.o, s: &laneState{loop: b.s.loop, lanes: b.s.lanes, short: s}, hi: b.hi, left: b.left,
		accs: make([][]reg, n)}
	if n > 2 {
		m.vectors(n)
	}
	m.vectors(2)
	b.left = m.left
}

// shortNode makes v in lanes of 16 bits, if it is held there.
func (g *gen) shortNode(v loop.Value) bool {
	if g.lanes == nil || g.lanes.short == nil || !g.lanes.short.held[v] {
		return false
	}
	s, i := g.lanes.short, g.nest.Inst(v)
	for u := 0; u < g.copies(); u += 2 {
		g.copy = u
		switch {
		case s.same[v] != 0:
			s.regs[u/2][v] = s.value(s.same[v])
		case i.Op == loop.Store:
			s.store(i)
		default:
			s.regs[u/2][v] = s.compute(i)
		}
	}
	g.copy = 0
	return true
}

// value is the register of v, in lanes of 16 bits, for the present pair.
func (s *shorts) value(v loop.Value) reg {
	g, i := s.g, s.g.nest.Inst(v)
	if i.Op == loop.Const {
		return g.shortConst(int64(int32(i.Imm)))
	}
	regs := s.regs[g.copy/2]
	if r := regs[v]; r != 0 {
		return r
	}
	var r reg
	if !s.inLoop[v] {
		r = g.c.v(asm.VPBROADCASTW, g.c.vl, g.value(v))
	} else {
		r = s.pack(v)
	}
	regs[v] = r
	return r
}

func (g *gen) shortConst(x int64) reg { return g.c.splat32(uint32(uint16(x)) | uint32(x)<<shortBits) }

// pack brings the low halves of two vectors of usual lanes together.
func (s *shorts) pack(v loop.Value) reg {
	g, c, size := s.g, s.g.c, s.g.c.vl
	low := g.value(v)
	g.copy++
	high := g.value(v)
	g.copy--
	op := asm.VPACKUSDW
	switch signed, unsigned := s.fits(v); {
	case unsigned:
	case signed:
		op = asm.VPACKSSDW
	default:
		part := c.splat32(1<<shortBits - 1)
		low, high = c.v(asm.VPANDD, size, low, part), c.v(asm.VPANDD, size, high, part)
	}
	x := c.v(op, size, low, high)
	if size == asm.VL256 {
		return c.vi(asm.VPERMQI, size, 0xD8, x)
	}
	order := [8]uint64{0, 2, 4, 6, 1, 3, 5, 7}
	return c.v(asm.VPERMQ, size, c.lanes64(func(lane int) uint64 { return order[lane] }), x)
}

// load reads a vector of narrow elements.
func (s *shorts) load(i *loop.Inst) reg {
	g, c := s.g, s.g.c
	a := &g.nest.Accesses[i.Access]
	at := g.address(a)
	switch a.Mem {
	case loop.MemS8:
		return c.vm(asm.VPMOVSXBW, c.vl, at)
	case loop.MemU8:
		return c.vm(asm.VPMOVZXBW, c.vl, at)
	case loop.MemPred:
		if c.target.AVX512 {
			x := c.vm(asm.VMOVUPS, c.vl/2, at)
			return c.v(asm.VPTESTMB, c.vl/2, x, x)
		}
		return c.v(asm.VPCMPGTW, c.vl, c.vm(asm.VPMOVZXBW, c.vl, at), c.splat32(0))
	}
	return c.vm(asm.VMOVUPS, c.vl, at)
}

// store writes a vector of narrow elements.
func (s *shorts) store(i *loop.Inst) {
	g, c := s.g, s.g.c
	a := &g.nest.Accesses[i.Access]
	at, x := g.address(a), s.value(i.Args[0])
	switch {
	case a.Mem.Bytes() == 2:
		c.store(asm.VMOVUPS, c.vl, at, -1, x)
	case a.Mem == loop.MemPred && c.target.AVX512:
		y := c.v(asm.VMOVDQU8, c.vl/2, c.splat32(0x01010101))
		c.zeroing(x)
		c.store(asm.VMOVUPS, c.vl/2, at, -1, y)
	case a.Mem == loop.MemPred:
		s.storeBytes(at, asm.VPACKUSWB, c.vi(asm.VPSRLWI, c.vl, shortBits-1, x))
	case c.target.AVX512:
		c.store(asm.VPMOVWB, c.vl, at, -1, x)
	default:
		op, exact := s.packOf(i.Args[0])
		if !exact {
			x = c.v(asm.VPANDD, c.vl, x, g.shortConst(0xFF))
		}
		s.storeBytes(at, op, x)
	}
}

// packOf is the instruction that makes bytes of v's lanes; exact: they fit, all 16 bits of them.
func (s *shorts) packOf(v loop.Value) (op asm.Op, exact bool) {
	i := s.g.nest.Inst(v)
	switch i.Op {
	case loop.Min, loop.Max, loop.UMin, loop.UMax, loop.Sar, loop.Shr, loop.Load:
	default:
		return asm.VPACKUSWB, false
	}
	lo, hi := s.spans.Of(v)
	switch {
	case s.same[v] != 0:
	case lo >= 0 && hi <= 0xFF:
		return asm.VPACKUSWB, true
	case lo >= -0x80 && hi < 0x80:
		return asm.VPACKSSWB, true
	}
	return asm.VPACKUSWB, false
}

// storeBytes packs the lanes of x, 256 bits, by op and writes them.
func (s *shorts) storeBytes(at mem, op asm.Op, x reg) {
	c := s.g.c
	bytes := c.v(op, asm.VL128, x, c.vi(asm.VEXTRACTI32X4, asm.VL256, 1, x))
	c.store(asm.VMOVUPS, asm.VL128, at, -1, bytes)
}

// shortOps are the operations that are one instruction on lanes of 16 bits.
var shortOps = map[loop.Op]asm.Op{loop.Add: asm.VPADDW, loop.Sub: asm.VPSUBW, loop.Mul: asm.VPMULLW,
	loop.And: asm.VPANDD, loop.Or: asm.VPORD, loop.Xor: asm.VPXORD, loop.AndNot: asm.VPANDND, loop.Abs: asm.VPABSW}

// shortMasks are those on masks of such lanes that are opmasks.
var shortMasks = map[loop.Op]asm.Op{loop.And: asm.KANDD, loop.Or: asm.KORD, loop.Xor: asm.KXORD, loop.Not: asm.KNOTD}

// compute makes i for the present pair.
func (s *shorts) compute(i *loop.Inst) reg {
	g, c, size := s.g, s.g.c, s.g.c.vl
	switch i.Op {
	case loop.Load:
		return s.load(i)
	case loop.Sar, loop.Shr:
		f := s.shiftOf(i)
		return f.make()
	}
	var x []reg
	for _, a := range i.Operands() {
		x = append(x, s.value(a))
	}
	if op, ok := shortMasks[i.Op]; ok && i.Kind == loop.Mask && c.target.AVX512 {
		return c.v(op, 0, x...)
	}
	switch i.Op {
	case loop.Not:
		return c.v(asm.VPXORD, size, x[0], c.splat32(^uint32(0)))
	case loop.Neg:
		return c.v(asm.VPSUBW, size, c.splat32(0), x[0])
	case loop.Shl:
		by, _ := s.count(i)
		return c.vi(asm.VPSLLWI, size, uint8(by), x[0])
	case loop.Min, loop.Max, loop.UMin, loop.UMax:
		return s.least(i, x)
	case loop.Cmp:
		return s.compare(i, x[0], x[1])
	case loop.Select:
		return g.pickShort(x[0], x[1], x[2])
	}
	if i.Op.Info().Commutes {
		x[0], x[1] = g.constantSecond(x[0], x[1])
	}
	return c.v(shortOps[i.Op], size, x...)
}

// least is a minimum or maximum. Numbers that both have their sign are in the same order without it.
func (s *shorts) least(i *loop.Inst, x []reg) reg {
	signed, unsigned := s.fitBoth(i.Args[0], i.Args[1])
	ops := [2]asm.Op{asm.VPMINSW, asm.VPMAXSW}
	if i.Op == loop.UMin || i.Op == loop.UMax || unsigned && !signed {
		ops = [2]asm.Op{asm.VPMINUW, asm.VPMAXUW}
	}
	op := ops[0]
	if i.Op == loop.Max || i.Op == loop.UMax {
		op = ops[1]
	}
	a, b := s.g.constantSecond(x[0], x[1])
	return s.g.c.v(op, s.g.c.vl, a, b)
}

// compare gives a mask of lanes of 16 bits.
func (s *shorts) compare(i *loop.Inst, x, y reg) reg {
	g, c, size, p := s.g, s.g.c, s.g.c.vl, i.Imm
	signed, _ := s.fitBoth(i.Args[0], i.Args[1])
	if !signed && p >= loop.LT && p <= loop.GE {
		p += loop.ULT - loop.LT
	}
	if c.target.AVX512 {
		op := asm.VPCMPW
		if p >= loop.ULT {
			op = asm.VPCMPUW
		}
		return c.vi(op, size, intPreds[p], x, y)
	}
	if p >= loop.ULT {
		sign := g.shortConst(1 << (shortBits - 1))
		x, y = c.v(asm.VPXORD, size, x, sign), c.v(asm.VPXORD, size, y, sign)
		p -= loop.ULT - loop.LT
	}
	if p == loop.LT || p == loop.GE {
		x, y = y, x
	}
	op := asm.VPCMPGTW
	if p == loop.EQ || p == loop.NE {
		op = asm.VPCMPEQW
	}
	m := c.v(op, size, x, y)
	if p == loop.NE || p == loop.LE || p == loop.GE {
		return c.v(asm.VPXORD, size, m, c.splat32(^uint32(0)))
	}
	return m
}

// pickShort takes x where mask m of lanes of 16 bits is on, else y.
func (g *gen) pickShort(m, x, y reg) reg {
	if !g.c.target.AVX512 {
		return g.c.v(asm.VPBLENDVB, g.c.vl, y, x, m)
	}
	r := g.c.v(asm.VPBLENDMW, g.c.vl, y, x)
	g.c.last().mask = m
	return r
}
