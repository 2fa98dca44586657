package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// load is a load of one vector. How it is made depends on how the address changes from lane to lane.
func (g *gen) load(i *loop.Inst) reg {
	a := &g.nest.Accesses[i.Access]
	mask := g.maskOf(i)
	if mask != 0 && g.uniform(mask) {
		unless := func(to asm.Label) { g.jumpUnless(mask, to) }
		return g.guarded(i.Kind, unless, func() reg { return g.loadLanes(a, g.tailMask(), false) })
	}
	if mask != 0 {
		return g.loadLanes(a, g.t.and(g.value(mask), g.tailMask()), true)
	}
	if g.wholeInScratch(a) {
		return g.loadLanes(a, 0, false)
	}
	return g.loadLanes(a, g.tailMask(), false)
}

// zeroBeside reports whether i chooses zeros where a load, its other choice, is masked off: there it has zeros anyway.
func (g *gen) zeroBeside(i *loop.Inst) bool {
	l, zero := g.nest.Inst(i.Args[1]), g.nest.Inst(i.Args[2])
	if l.Op != loop.Load || zero.Op != loop.Const || zero.Imm != 0 {
		return false
	}
	a, mask := &g.nest.Accesses[l.Access], g.maskOf(l)
	return mask != 0 && mask == g.maskHere(i.Args[0]) && !g.uniform(mask) && a.Index == 0 && g.laneStride(a) == 1 &&
		a.Mem.Bytes() >= 4
}

// tailMask is the mask of the iterations that there are, or 0 for all of them.
func (g *gen) tailMask() reg {
	if t := g.rest(); t != nil {
		return t.mask
	}
	return 0
}

// rest is what is known of the iterations of the present copy, if they do not fill a vector, else nil.
func (g *gen) rest() *tail {
	if g.lanes == nil || g.lanes.lastRest && g.copy != g.lanes.copies-1 {
		return nil
	}
	return g.lanes.tail
}

// guarded makes a value by f, or zero if unless jumps.
func (g *gen) guarded(k loop.Kind, unless func(to asm.Label), f func() reg) reg {
	end := g.c.asm.NewLabel()
	r := g.c.copyOf(g.zeroOf(k))
	unless(end)
	g.c.move(r, f())
	g.c.bind(end)
	return r
}

// allOrPieces makes a value by all if all lanes are on, by pieces if some are, else zero: most masks are those of
// borders, and the same in all lanes of most vectors.
func (g *gen) allOrPieces(k loop.Kind, on reg, all, pieces func() reg) reg {
	some, end := g.c.asm.NewLabel(), g.c.asm.NewLabel()
	lanes := g.laneCount()
	bits := g.t.maskBits(on, lanes)
	r := g.c.copyOf(g.zeroOf(k))
	g.c.flags(asm.TEST, asm.W64, bits, bits)
	g.c.jcc(asm.E, end)
	g.c.gcmpi(asm.CMP, bits, 1<<lanes-1)
	g.c.jcc(asm.NE, some)
	g.c.move(r, all())
	g.c.jmp(end)
	g.c.bind(some)
	g.c.move(r, pieces())
	g.c.bind(end)
	return r
}

// laneStride is the elements from one lane to the next.
func (g *gen) laneStride(a *loop.Access) int64 {
	if g.lanes == nil {
		return 0
	}
	return stride(a, g.lanes.loop.Var) / a.Mem.Bytes()
}

// sameShifts holds, for narrow elements, by what operation they come to the place in a lane of 32 bits that is full of
// them.
var sameShifts = map[loop.Mem]asm.Op{loop.MemBF16: asm.VPSLLDI, loop.MemU16: asm.VPSRLDI, loop.MemS16: asm.VPSRADI,
	loop.MemU8: asm.VPSRLDI, loop.MemS8: asm.VPSRADI}

// loadSame reads one element into all lanes.
func (g *gen) loadSame(m loop.Mem, at mem) reg {
	c := g.c
	if shift, ok := sameShifts[m]; ok {
		op, size := asm.VPBROADCASTW, g.size(loop.I32)
		if m.Bytes() == 1 {
			op = asm.VPBROADCASTB
		}
		return c.vi(shift, size, uint8(32-8*m.Bytes()), c.vm(op, size, at))
	}
	switch m.Bytes() {
	case 1:
		return g.t.widen(m, c.vm(asm.VPBROADCASTB, asm.VL256, at))
	case 2:
		return g.t.widen(m, c.vm(asm.VPBROADCASTW, asm.VL256, at))
	case 8:
		return c.vm(asm.VBROADCASTSD, c.vl, at)
	}
	return c.vm(asm.VBROADCASTSS, c.vl, at)
}

// laneIndex is the vector of offsets of the lanes, in elements, and its kind.
func (g *gen) laneIndex(a *loop.Access, step int64) (reg, loop.Kind) {
	k := loop.I32
	if farApart(step) {
		k = loop.I64
	}
	if a.Index == 0 || g.uniform(a.Index) {
		return g.ramp(k, step), k
	}
	x, k := g.value(a.Index), g.nest.Kind(a.Index)
	if step == 0 {
		return x, k
	}
	return g.c.v(by64(k, asm.VPADDD, asm.VPADDQ), g.size(k), x, g.ramp(k, step)), k
}

// ramp is the vector of lane*step.
func (g *gen) ramp(k loop.Kind, step int64) reg {
	if k == loop.I64 {
		return g.c.lanes64(func(lane int) uint64 { return uint64(int64(lane) * step) })
	}
	return g.c.lanes32(func(lane int) uint32 { return uint32(int64(lane) * step) })
}

// lanePlaces gives the address of each lane in turn, for code that takes them one by one.
func (g *gen) lanePlaces(a *loop.Access, at mem, step int64) func(lane int) mem {
	bytes := a.Mem.Bytes()
	if a.Index == 0 || g.uniform(a.Index) {
		return func(lane int) mem { return at.add(int64(lane) * step * bytes) }
	}
	k := g.nest.Kind(a.Index)
	g.toScratch(g.value(a.Index), g.size(k))
	at = g.flat(at)
	return func(lane int) mem {
		m := at.add(int64(lane) * step * bytes)
		m.index, m.scale = g.laneFromScratch(k, lane), uint8(bytes)
		return m
	}
}

// toScratch puts a vector where laneFromScratch finds it: in halves, as lanes of the upper half of a store of 512 bits
// come back late.
func (g *gen) toScratch(x reg, size asm.Size) {
	at := mem{base: rsi, disp: scratchX}
	if size == asm.VL512 {
		g.c.store(asm.VEXTRACTI64X4, size, at.add(32), 1, x)
		size = asm.VL256
	}
	g.c.store(asm.VMOVUPS, size, at, -1, x)
}

// laneFromScratch gives a lane of the integer vector in the scratch space, with its sign, in a general register. A load
// from there is less than to take the lane out of the vector.
func (g *gen) laneFromScratch(k loop.Kind, lane int) reg {
	op := asm.MOVSXD
	if k == loop.I64 {
		op = asm.MOV
	}
	return g.c.gload(op, asm.W64, mem{base: rsi, disp: scratchX + int64(lane*k.Bits()/8)})
}

// part is 128 bits of a vector, in the low part of a register.
func (g *gen) part(x reg, n int, size asm.Size) reg {
	switch {
	case n == 0:
		return x
	case size == asm.VL512:
		return g.c.vi(asm.VEXTRACTI32X4, asm.VL512, uint8(n), x)
	}
	return g.c.vi(asm.VEXTRACTI32X4, asm.VL256, uint8(n), x)
}

// onBits prepares the lanes in on to be asked for one by one.
func (g *gen) onBits(on reg, masked bool) (bits reg, n int) {
	lanes := g.laneCount()
	switch t := g.rest(); {
	case masked:
		return g.t.maskBits(on, lanes), lanes
	case t == nil:
		return 0, lanes
	case t.n != 0:
		return 0, t.n
	default:
		return t.bits, lanes
	}
}

// eachLane makes code for each lane that is on.
func (g *gen) eachLane(on reg, masked bool, f func(lane int)) {
	bits, n := g.onBits(on, masked)
	for lane := range n {
		if bits == 0 {
			f(lane)
			continue
		}
		skip := g.c.asm.NewLabel()
		g.c.gcmpi(asm.TEST, bits, 1<<lane)
		g.c.jcc(asm.E, skip)
		f(lane)
		g.c.bind(skip)
	}
}

// loadPieces reads elements of 1 or 2 bytes one by one.
func (g *gen) loadPieces(m loop.Mem, on reg, masked bool, place func(lane int) mem) reg {
	op, per := asm.VPINSRB, 16
	if m.Bytes() == 2 {
		op, per = asm.VPINSRW, 8
	}
	parts := []reg{g.c.zeroVec()}
	if g.laneCount() > per {
		parts = append(parts, g.c.zeroVec())
	}
	g.eachLane(on, masked, func(lane int) {
		p := parts[lane/per]
		i := ins{in: inst(op, asm.VL128, 3), tie: p}
		i.r[0], i.r[1] = p, p
		i.in.Imm, i.in.HasImm = int64(lane%per), true
		g.c.place(&i, place(lane), asm.InLoad)
		g.c.add(i)
	})
	raw := parts[0]
	if len(parts) > 1 {
		raw = g.c.vi(asm.VINSERTI32X4, asm.VL256, 1, parts[0], parts[1])
	}
	return g.t.widen(m, raw)
}

// store is a store of one vector.
func (g *gen) store(i *loop.Inst) {
	if g.lanes != nil && g.lanes.half != nil {
		g.storeHalf(i)
		return
	}
	a := &g.nest.Accesses[i.Access]
	if g.lanes != nil && i.Args[0] == g.singly && g.vals[g.copy][g.singly] == 0 {
		g.moveSingly(a)
		return
	}
	x, mask := g.value(g.unrounded(a.Mem, i.Args[0])), g.maskOf(i)
	if r, ok := g.wordOf[x]; ok && g.lanes == nil && mask == 0 {
		g.c.store(asm.MOV, asm.W8, g.address(a), -1, g.withImmediate(asm.AND, asm.W32, r, 1))
		return
	}
	if g.lanes == nil {
		g.storeOne(a, x, mask)
		return
	}
	if a.Mem == loop.MemBF16 && g.rounded[x] == 0 && g.nansOf(i.Args[0]) == quietNaNs {
		g.rememberBits(x, g.roundedBits(x, quietNaNs))
		defer delete(g.rounded, x) // they may not be made where another store is
	}
	if mask != 0 && g.uniform(mask) {
		end := g.c.asm.NewLabel()
		g.jumpUnless(mask, end)
		g.storeLanes(a, x, g.tailMask(), false)
		g.c.bind(end)
		return
	}
	if mask != 0 {
		g.storeLanes(a, x, g.t.and(g.value(mask), g.tailMask()), true)
		return
	}
	g.storeLanes(a, x, g.tailMask(), false)
}

// storeOne writes lane 0, where all lanes are the same.
func (g *gen) storeOne(a *loop.Access, x reg, mask loop.Value) {
	end := g.c.asm.NewLabel()
	if mask != 0 {
		g.jumpUnless(mask, end)
	}
	g.c.storeElement(a.Mem.Bytes(), g.address(a), g.firstOf(a.Mem, x), 0)
	if mask != 0 {
		g.c.bind(end)
	}
}

// firstOf is a vector that begins with lane 0 of x as memory has it.
func (g *gen) firstOf(m loop.Mem, x reg) reg {
	switch m {
	case loop.MemS8, loop.MemU8, loop.MemS16, loop.MemU16:
		return x
	case loop.MemBF16:
		return g.bf16Bits(x)
	case loop.MemPred:
		if !g.c.target.AVX512 { // a mask is all bits of a lane
			return g.c.vi(asm.VPSRLDI, asm.VL128, 31, x)
		}
	}
	return g.t.pack(m, x)
}

// storeElement writes an element of n bytes of the low 128 bits of x.
func (c *code) storeElement(n int64, at mem, x reg, element int) {
	switch n {
	case 1:
		c.store(asm.VPEXTRB, asm.VL128, at, element, x)
	case 2:
		c.store(asm.VPEXTRW, asm.VL128, at, element, x)
	case 4:
		if element == 0 {
			c.store(asm.VMOVSS, asm.VL128, at, -1, x)
			return
		}
		c.store(asm.VPEXTRD, asm.VL128, at, element, x)
	case 8:
		if element == 0 {
			c.store(asm.VMOVSD, asm.VL128, at, -1, x)
			return
		}
		c.store(asm.VPEXTRQ, asm.VL128, at, element, x)
	}
}

// storeLanes writes the lanes in on, or all if that is 0.
func (g *gen) storeLanes(a *loop.Access, x, on reg, masked bool) {
	at := g.address(a)
	step := g.laneStride(a)
	varies := a.Index != 0 && !g.uniform(a.Index)
	if low, high := g.exactParts(a, on); !varies && step == 1 && !masked && high > 0 {
		g.storeParts(at, x, low, high)
		return
	}
	if n := g.exactPart(a.Mem, on); !varies && step == 1 && !masked && n > 0 {
		g.storeExact(at, x, n)
		return
	}
	if n := g.partOf(on); !varies && step == 1 && !masked && n > 0 {
		g.storePart(a.Mem, at, x, n)
		return
	}
	if !varies && step == 1 && (on == 0 || a.Mem.Bytes() >= 4 || g.t.masksNarrow()) {
		g.storeUnit(a, at, x, on)
		return
	}
	if n := int64(g.laneCount()); !varies && step == -1 && on == 0 && a.Mem.Bytes() >= 4 {
		g.t.storeUnit(a.Mem, at.add((1-n)*a.Mem.Bytes()), g.reverse(a.Mem.Kind(), x, int(n)), 0)
		return
	}
	at = g.flat(at)
	if a.Mem.Bytes() >= 4 {
		index, k := g.laneIndex(a, step)
		if g.t.scatter(a.Mem, at, index, k, x, on) {
			return
		}
	}
	g.storePieces(a.Mem, x, on, masked, g.lanePlaces(a, at, step))
}

// unrounded is what becomes v in memory: a store of f16 rounds itself.
func (g *gen) unrounded(m loop.Mem, v loop.Value) loop.Value {
	if i := g.nest.Inst(v); m == loop.MemF16 && i.Op == loop.RoundF16 && g.asides[v] == nil {
		return i.Args[0]
	}
	return v
}

// storePieces writes elements one by one, in the order of lanes.
func (g *gen) storePieces(m loop.Mem, x, on reg, masked bool, place func(lane int) mem) {
	raw := g.t.pack(m, x)
	per := 16 / int(m.Bytes())
	size := asm.Size(g.laneCount() * 8 * int(m.Bytes()))
	parts := map[int]reg{}
	for lane := 0; lane < g.laneCount(); lane += per {
		parts[lane/per] = g.part(raw, lane/per, size)
	}
	g.eachLane(on, masked, func(lane int) {
		g.c.storeElement(m.Bytes(), place(lane), parts[lane/per], lane%per)
	})
}
