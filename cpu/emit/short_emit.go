package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// groups is the number of groups of vectors that go side by side.
func (s *shorts) groups() int {
	n := 1
	switch k := len(s.loop.Body); {
	case s.width == 8 && k <= tinyBody:
		n = 4
	case k <= shortBody || k <= mediumBody && s.g.c.target.AVX512:
		n = 2
	}
	for n > 1 && s.loop.Extent < int64(n*int(s.g.c.vl)/s.width) {
		n /= 2
	}
	return n
}

// shorts makes the iterations up to end that fill groups of vectors, and what is left of them where short lanes do
// that; it reports whether nothing is left.
func (b *laneBuilder) shorts(s *shorts, end int64) (all bool) {
	g, n, behind := b.g, s.group(), b.s.loop.Extent-end
	m := &laneBuilder{g: g, o: b.o, hi: b.hi, left: b.left - behind, behind: behind,
		s: &laneState{loop: b.s.loop, lanes: b.s.lanes, short: s, clear: s.clear}}
	s.start()
	s.startTables()
	for k := s.groups(); k > 0; k /= 2 {
		m.vectors(k * n)
	}
	all = m.shortRest(s)
	s.finish(b.accs[0], b.left-m.left)
	b.left = m.left + behind
	return all
}

// shortBody makes the body once.
func (b *laneBuilder) shortBody() {
	g, s := b.g, b.s.short
	for k := range s.regs {
		s.regs[k], s.raw[k] = map[loop.Value]reg{}, map[loop.Value]reg{}
	}
	from := len(g.c.list)
	g.startPointers(b.o)
	g.block(s.loop.Body)
	g.endSame()
	s.advance(from)
	g.lanes = nil
}

// shortNode makes v in short lanes, if it is held there.
func (g *gen) shortNode(v loop.Value) bool {
	if g.lanes == nil || g.lanes.short == nil || !g.lanes.short.held[v] {
		return false
	}
	s, i := g.lanes.short, g.nest.Inst(v)
	n := s.group()
	for u := 0; u < g.copies(); u += n {
		g.copy = u
		switch k, reduces := s.reduced[v]; {
		case reduces:
			s.regs[u/n][v] = s.reduce(k)
		case s.same[v] != 0:
			s.regs[u/n][v] = s.value(s.same[v])
		case i.Op == loop.Store:
			s.store(i)
		default:
			s.regs[u/n][v] = s.compute(v, i)
		}
	}
	g.copy = 0
	return true
}

// value is the register of v, in short lanes, for the present group.
func (s *shorts) value(v loop.Value) reg {
	g, i := s.g, s.g.nest.Inst(v)
	if i.Op == loop.Const && i.Kind == loop.Mask {
		return s.maskConst(i.Imm != 0)
	}
	if i.Op == loop.Const {
		return s.constant(int64(int32(i.Imm)))
	}
	regs := s.regs[g.copy/s.group()]
	if r := regs[v]; r != 0 {
		return r
	}
	var r reg
	if !s.inLoop[v] {
		r = g.c.v(s.op(asm.VPBROADCASTB, asm.VPBROADCASTW), g.c.vl, g.value(v))
	} else {
		r = s.pack(v)
	}
	regs[v] = r
	return r
}

// constant has the low bits of x in all lanes.
func (s *shorts) constant(x int64) reg {
	if s.width == 8 {
		return s.g.c.splat32(uint32(uint8(x)) * 0x01010101)
	}
	return s.g.c.splat32(uint32(uint16(x)) * 0x00010001)
}

// maskConst is a mask of which all short lanes are on or off.
func (s *shorts) maskConst(on bool) reg {
	if on && s.g.c.target.AVX512 {
		return s.g.c.k(asm.KXNORQ)
	}
	return s.g.t.maskConst(on)
}

// op is the operation of the width of the lanes.
func (s *shorts) op(bytes, words asm.Op) asm.Op {
	if s.width == 8 {
		return bytes
	}
	return words
}

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
		part := c.splat32(1<<halfBits - 1)
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
func (s *shorts) load(v loop.Value, i *loop.Inst) reg {
	a := &s.g.nest.Accesses[i.Access]
	switch {
	case s.isLookup(i):
		return s.lookUp(a)
	case s.rows[v] != nil:
		return s.loaded(a, s.loadRow(v))
	}
	return s.loaded(a, s.loadWhole(a))
}

// loadWhole reads neighbours.
func (s *shorts) loadWhole(a *loop.Access) reg {
	g, c := s.g, s.g.c
	at, size := g.address(a), c.vl
	if s.width == 16 && a.Mem == loop.MemPred && c.target.AVX512 {
		size /= 2
	}
	op := asm.VMOVUPS
	switch {
	case s.width == 16 && (a.Mem == loop.MemU8 || a.Mem == loop.MemPred && !c.target.AVX512):
		op = asm.VPMOVZXBW
	case s.width == 16 && a.Mem == loop.MemS8:
		op = asm.VPMOVSXBW
	case s.mask != 0:
		op = s.op(asm.VMOVDQU8, asm.VMOVDQU16)
		if a.Mem == loop.MemPred {
			op = asm.VMOVDQU8
		}
	}
	x := c.vm(op, size, at)
	c.zeroing(s.mask)
	return x
}

// loaded is x, as a is loaded, in lanes: a mask where that is of truth values.
func (s *shorts) loaded(a *loop.Access, x reg) reg {
	c, size := s.g.c, s.g.c.vl
	if s.width == 16 {
		size /= 2
	}
	switch {
	case a.Mem != loop.MemPred:
		return x
	case c.target.AVX512:
		return c.v(asm.VPTESTMB, size, x, x)
	}
	return c.v(s.op(asm.VPCMPGTB, asm.VPCMPGTW), c.vl, x, c.splat32(0))
}

// store writes a vector of narrow elements.
func (s *shorts) store(i *loop.Inst) {
	g, c := s.g, s.g.c
	a := &g.nest.Accesses[i.Access]
	at, x := g.address(a), s.value(i.Args[0])
	whole, bytes := s.op(asm.VMOVDQU8, asm.VMOVDQU16), c.vl/2
	if s.width == 8 {
		bytes = c.vl
	}
	if s.mask == 0 {
		whole = asm.VMOVUPS
	}
	switch {
	case a.Mem == loop.MemPred && c.target.AVX512:
		y := c.v(asm.VMOVDQU8, bytes, c.splat32(0x01010101))
		c.zeroing(x)
		s.storeOn(asm.VMOVDQU8, bytes, at, y)
	case a.Mem == loop.MemPred && s.width == 8:
		c.store(asm.VMOVUPS, c.vl, at, -1, c.v(asm.VPANDD, c.vl, x, c.splat32(0x01010101)))
	case a.Mem == loop.MemPred:
		s.storeBytes(at, asm.VPACKUSWB, c.vi(asm.VPSRLWI, c.vl, halfBits-1, x))
	case s.width == 8 || a.Mem.Bytes() == 2:
		if s.mask == 0 && g.streamPiece(a) == int64(c.vl)/8 {
			c.streams, whole = true, asm.VMOVNTPS
		}
		s.storeOn(whole, c.vl, at, x)
	case c.target.AVX512:
		s.storeOn(asm.VPMOVWB, c.vl, at, x)
	default:
		op, exact := s.packOf(i.Args[0])
		if !exact {
			x = c.v(asm.VPANDD, c.vl, x, s.constant(0xFF))
		}
		s.storeBytes(at, op, x)
	}
}

// storeOn writes x, of which only the lanes in the mask if there is one.
func (s *shorts) storeOn(op asm.Op, size asm.Size, at mem, x reg) {
	s.g.c.store(op, size, at, -1, x)
	s.g.c.last().mask = s.mask
}

// packOf is the instruction that makes bytes of v's lanes; exact: they fit, all 16 bits of them.
func (s *shorts) packOf(v loop.Value) (op asm.Op, exact bool) {
	if !s.exact(v, 0) {
		return asm.VPACKUSWB, false
	}
	lo, hi := s.g.span(v)
	switch {
	case lo >= 0 && hi <= 0xFF:
		return asm.VPACKUSWB, true
	case lo >= -0x80 && hi < 0x80:
		return asm.VPACKSSWB, true
	}
	return asm.VPACKUSWB, false
}

// deepest is how many operations, one of the other, exact looks at.
const deepest = 6

// exact reports whether all 16 bits of v's lanes are known to be right, not just those that are asked for.
func (s *shorts) exact(v loop.Value, depth int) bool {
	i := s.g.nest.Inst(v)
	args := i.Operands()
	switch i.Op {
	case loop.Const, loop.Min, loop.Max, loop.UMin, loop.UMax, loop.Sar, loop.Shr, loop.Load:
		return s.same[v] == 0
	case loop.Add, loop.Sub, loop.Mul, loop.And, loop.Or, loop.Xor, loop.Neg:
	case loop.Select:
		args = args[1:]
	default:
		return false
	}
	return depth < deepest && s.same[v] == 0 &&
		!slices.ContainsFunc(args, func(a loop.Value) bool { return !s.exact(a, depth+1) })
}

// storeBytes packs the lanes of x, 256 bits, by op and writes them.
func (s *shorts) storeBytes(at mem, op asm.Op, x reg) {
	c := s.g.c
	bytes := c.v(op, asm.VL128, x, c.vi(asm.VEXTRACTI32X4, asm.VL256, 1, x))
	c.store(asm.VMOVUPS, asm.VL128, at, -1, bytes)
}

// shortOps are the operations that are one instruction, on lanes of 8 bits and of 16.
var shortOps = map[loop.Op][2]asm.Op{loop.Add: {asm.VPADDB, asm.VPADDW}, loop.Sub: {asm.VPSUBB, asm.VPSUBW},
	loop.Mul: {0, asm.VPMULLW}, loop.And: {asm.VPANDD, asm.VPANDD}, loop.Or: {asm.VPORD, asm.VPORD},
	loop.Xor: {asm.VPXORD, asm.VPXORD}, loop.AndNot: {asm.VPANDND, asm.VPANDND}, loop.Abs: {asm.VPABSB, asm.VPABSW}}

// shortMasks are those on masks of such lanes that are opmasks.
var shortMasks = map[loop.Op][2]asm.Op{loop.And: {asm.KANDQ, asm.KANDD}, loop.Or: {asm.KORQ, asm.KORD},
	loop.Xor: {asm.KXORQ, asm.KXORD}, loop.Not: {asm.KNOTQ, asm.KNOTD}}

// compute makes i for the present group.
func (s *shorts) compute(v loop.Value, i *loop.Inst) reg {
	g, c, size := s.g, s.g.c, s.g.c.vl
	switch i.Op {
	case loop.Load:
		return s.load(v, i)
	case loop.Sar, loop.Shr:
		if s.width == 8 {
			return s.shiftBytes(i)
		}
		f := s.shiftOf(i)
		return f.make()
	case loop.Popcnt, loop.Clz:
		return s.countBits(i)
	}
	var x []reg
	for _, a := range i.Operands() {
		x = append(x, s.value(a))
	}
	if op, ok := shortMasks[i.Op]; ok && i.Kind == loop.Mask && c.target.AVX512 {
		return c.v(s.op(op[0], op[1]), 0, x...)
	}
	switch i.Op {
	case loop.Not:
		return c.v(asm.VPXORD, size, x[0], c.splat32(^uint32(0)))
	case loop.Neg:
		return c.v(s.op(asm.VPSUBB, asm.VPSUBW), size, c.splat32(0), x[0])
	case loop.Shl:
		by, _ := s.count(i)
		x := c.vi(asm.VPSLLWI, size, uint8(by), x[0])
		if s.width == 8 {
			return c.v(asm.VPANDD, size, x, s.constant(0xFF<<min(by, 8)))
		}
		return x
	case loop.Min, loop.Max, loop.UMin, loop.UMax:
		a, b := g.constantSecond(x[0], x[1])
		return c.v(s.least(i.Op, i.Args[0], i.Args[1]), size, a, b)
	case loop.Cmp:
		return s.compare(i, x[0], x[1])
	case loop.Select:
		switch g.stepOf(i) {
		case 1:
			return c.v(s.op(asm.VPSUBB, asm.VPSUBW), size, x[2], x[0])
		case -1:
			return c.v(s.op(asm.VPADDB, asm.VPADDW), size, x[2], x[0])
		}
		return s.pick(x[0], x[1], x[2])
	}
	if i.Op.Info().Commutes {
		x[0], x[1] = g.constantSecond(x[0], x[1])
	}
	return c.v(s.op(shortOps[i.Op][0], shortOps[i.Op][1]), size, x...)
}
