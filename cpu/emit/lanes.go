package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// tail is what is known of the iterations that do not fill a vector.
type tail struct {
	mask reg // of the lanes that are on, as the tier has masks
	bits reg // the same in a general register
	n    int // how many, or 0 where that is not constant
}

// lanesOf is how many iterations of l fit a vector: as many as there are elements of its largest kind in one.
func (g *gen) lanesOf(l *loop.Loop) int {
	bits := 32
	wide := func(k loop.Kind) { bits = max(bits, k.Bits()) }
	for _, c := range l.Carries {
		wide(g.nest.Kind(c.Phi))
	}
	l.Body.Each(func(n loop.Node) {
		if n.Loop != nil {
			for _, c := range n.Loop.Carries {
				wide(g.nest.Kind(c.Phi))
			}
			return
		}
		i := g.nest.Inst(n.Value)
		wide(i.Kind)
		args := i.Operands()
		if i.Op == loop.Load || i.Op == loop.Store {
			a := &g.nest.Accesses[i.Access]
			if a.Index != 0 && g.inBody(l, a.Index) {
				wide(g.nest.Kind(a.Index))
			}
			if farApart(stride(a, l.Var) / a.Mem.Bytes()) {
				wide(loop.I64)
			}
		}
		for _, a := range args {
			wide(g.nest.Kind(a))
		}
	})
	w := int(g.c.vl) / bits
	less := func() bool { return l.Extent <= int64(w/2) || l.Extent < int64(w) && g.readsState(l) }
	for w > fewestLanes && !g.isRanged(l) && less() && g.onlyWords(l) {
		w /= 2
	}
	return w
}

// readsState reports whether l reads what it wrote in the iteration before of a loop around. Such comes back fast if
// both are whole registers, and from masked stores only when they have reached the cache.
func (g *gen) readsState(l *loop.Loop) bool {
	return slices.ContainsFunc(l.Body, func(n loop.Node) bool {
		if n.Loop != nil {
			return false
		}
		i := g.nest.Inst(n.Value)
		return i.Op == loop.Load && g.comesAgain(&g.nest.Accesses[i.Access])
	})
}

// fewestLanes is how many lanes a vector has at least.
const fewestLanes = 4

// onlyWords reports whether all elements in l have 4 bytes or more, and none is a mask: these go by whole vectors.
func (g *gen) onlyWords(l *loop.Loop) bool {
	if !g.c.target.AVX512 || len(l.Carries) > 0 {
		return false
	}
	all := true
	l.Body.Each(func(n loop.Node) {
		if n.Loop != nil {
			for _, c := range n.Loop.Carries {
				all = all && g.nest.Kind(c.Phi) != loop.Mask
			}
			return
		}
		i := g.nest.Inst(n.Value)
		all = all && (i.Op == loop.Store || i.Kind != loop.Mask)
		if i.Op == loop.Load || i.Op == loop.Store {
			all = all && g.nest.Accesses[i.Access].Mem.Bytes() >= 4
		}
	})
	return all
}

// farApart reports whether lanes that are step elements apart need offsets of 64 bits.
func farApart(step int64) bool { return step*64 != int64(int32(step*64)) }

// inBody reports whether v is defined in l.
func (g *gen) inBody(l *loop.Loop, v loop.Value) bool {
	found := false
	l.Body.Each(func(n loop.Node) { found = found || n.Loop == nil && n.Value == v })
	return found
}

// laneLoop makes a loop whose iterations run side by side: as long as there are enough several vectors at a time,
// then single ones, then what is left under a mask.
func (g *gen) laneLoop(l *loop.Loop) {
	if p := g.patternOf(l); p != nil {
		g.patternLoop(l, p)
		return
	}
	if g.moveSmall(l) {
		return
	}
	w := g.lanesOf(l)
	g.invert(l, w)
	g.singly = g.singlyMoved(l)
	lo, hi := g.bounds(l)
	accs, kept := g.kept[l]
	c := g.clearOf(l, int64(w))
	short := g.shortsOf(l, w, c)
	if c != nil && short != nil && g.isRanged(l) {
		c, short = nil, g.shortsOf(l, w, nil)
	}
	if !kept {
		accs = g.accumulators(l, g.copiesOf(l, w, c, short), true)
	} else {
		g.startScans(l, accs)
	}
	copies := len(accs)
	counter := lo
	if lo == 0 {
		counter = g.c.imm(0)
	}
	o := newOpenLoop(l, counter)
	g.push(o)
	g.startScaled(o)
	g.startIndexed(o)
	b := &laneBuilder{g: g, o: o, s: &laneState{loop: l, lanes: w}, accs: accs, hi: hi, left: l.Extent}
	if copies = b.several(c, short, copies); copies > 0 && !b.lastBeside(copies) {
		if b.fewer(copies); !b.whole(1) {
			b.rest(1)
		}
	}
	g.pop()
	if g.endScans(l, accs); !kept {
		g.combine(l, accs, w)
	}
}

// several makes iterations in the way that fits the loop, c its clear part and short its short lanes, if there are
// such, copies vectors at a time where there is none. It returns 0 if nothing is left.
func (b *laneBuilder) several(c *clearPart, short *shorts, copies int) int {
	g, l, w := b.g, b.s.loop, b.s.lanes
	if wide := g.moveLanes(l, -1); wide > 0 && !short.endsShort() {
		m := &laneBuilder{g: g, o: b.o, s: &laneState{loop: l, lanes: wide, moves: true}, hi: b.hi, left: l.Extent,
			accs: make([][]reg, moveCopies)}
		m.vectors(moveCopies)
		if !m.whole(moveCopies) {
			m.vectors(1)
		}
		if b.left = m.left; m.whole(1) {
			return 0
		}
		return copies
	}
	switch a := g.linesOf(l, b.o, b.s); {
	case a != nil:
		if b.toLines(a); c != nil && short == nil {
			b.clearInLines(c, g.chooseCopies(c.of(l), w))
			return 0
		}
	case c != nil && b.hi != 0:
		b.clearInRange(c, g.chooseCopies(c.of(l), w))
		copies = 1
	case c != nil:
		b.clear(c, g.chooseCopies(c.of(l), w), short)
		copies = 1
	case short != nil:
		if b.shorts(short, l.Extent) {
			b.hi, b.left, copies = 0, 0, 0
		}
		copies = min(copies, 1)
	case g.inHalves(l, w):
		b.halves()
		copies = 1
	}
	if copies > 1 && !b.sumsRows() {
		switch b.vectors(copies); {
		case b.whole(copies):
			return 0
		case b.isLong(copies):
			b.rests()
			return 0
		}
	}
	return copies
}

// whole reports whether parts of a range leave nothing behind steps of n vectors: they begin at multiples of
// [loop.RangeUnit], and end there or with the loop. Vectors that begin with lines of memory begin anywhere in the
// range.
func (b *laneBuilder) whole(n int) bool {
	step := int64(n * b.s.lanes)
	return b.hi != 0 && b.s.toLines == nil && loop.RangeUnit%step == 0 && b.s.loop.Extent%step == 0
}

// accumulators starts the carries of a lane loop, one set a copy, with what changes nothing, and scans, if asked for,
// with what they begin with.
func (g *gen) accumulators(l *loop.Loop, copies int, scans bool) [][]reg {
	accs := make([][]reg, copies)
	for u := range accs {
		for _, c := range l.Carries {
			k := g.nest.Kind(c.Phi)
			start := g.constant(k, loop.Identity(c.Reduce, k))
			if c.Scan && scans {
				start = g.value(c.Init)
			}
			acc := g.c.copyOf(start)
			g.c.regs[acc].sum = true
			accs[u] = append(accs[u], acc)
		}
	}
	return accs
}

// laneBuilder makes the parts of a lane loop one after the other.
type laneBuilder struct {
	g    *gen
	o    *openLoop
	s    *laneState
	accs [][]reg
	hi   reg
	left int64 // iterations that no part has done yet, where the range is constant
	// behind are those of them, if the builder makes a part of the loop, that are behind it.
	behind int64
}

// vectors makes the loop that runs copies vectors at a time.
func (b *laneBuilder) vectors(copies int) {
	g := b.g
	step := int64(copies * b.s.lanes)
	switch {
	case b.s.across != nil:
		step = int64(b.s.lanes)
	case b.s.half != nil:
		step *= 2
	}
	trips := b.left / step
	if b.hi == 0 && trips == 0 || b.s.loop.Extent < step {
		return
	}
	limit := reg(0)
	end := g.c.asm.NewLabel()
	if b.hi != 0 {
		limit = g.c.copyOf(b.hi)
		g.c.gopi(asm.SUB, limit, step)
		g.c.gcmp(b.o.counter, limit)
		g.c.jcc(asm.G, end)
	}
	loops := b.hi != 0 || trips > 1
	var start asm.Label
	if loops {
		start = g.c.newLoop()
	}
	if b.s.half != nil {
		b.bothHalves(copies)
	} else {
		b.s.single, b.s.first = !loops, b.s.loop.Extent-b.behind-b.left
		b.body(copies, nil)
		b.s.single = false
	}
	g.stepScaled(b.o, step)
	g.c.gopi(asm.ADD, b.o.counter, step)
	if loops {
		if b.hi != 0 {
			g.c.gcmp(b.o.counter, limit)
			g.c.jcc(asm.LE, start)
		} else {
			g.c.gcmpi(asm.CMP, b.o.counter, b.s.loop.Extent-b.behind-b.left+trips*step)
			g.c.jcc(asm.L, start)
		}
		g.c.endLoop()
	}
	g.c.bind(end)
	if b.hi == 0 {
		b.left -= trips * step
	}
}

// fewer makes the vectors that are left of copies at a time: where it is known how many these are, all at once, so that
// what they carry goes side by side as well, and that of the rest beside them. Scans have one register for all.
func (b *laneBuilder) fewer(copies int) {
	n := int(b.left) / b.s.lanes
	if b.hi != 0 || b.s.half != nil || b.s.across != nil || n == 0 || n >= copies {
		b.vectors(1)
		return
	}
	b.vectors(n)
	if !slices.ContainsFunc(b.s.loop.Carries, func(c loop.Carry) bool { return c.Scan }) {
		b.accs = slices.Concat(b.accs[n:], b.accs[:n])
	}
}

// rest makes the last, partial vector, of each of the copies.
func (b *laneBuilder) rest(copies int) {
	g := b.g
	if b.hi == 0 {
		if b.left > 0 {
			b.s.single, b.s.first = true, b.s.loop.Extent-b.left
			b.body(copies, g.t.tailOf(b.s.lanes, int(b.left), 0))
			b.s.single = false
		}
		return
	}
	end := g.c.asm.NewLabel()
	n := g.c.copyOf(b.hi)
	g.c.gop(asm.SUB, n, b.o.counter)
	g.c.jcc(asm.LE, end)
	b.body(copies, g.t.tailOf(b.s.lanes, 0, n))
	g.c.bind(end)
}

// longSteps is how many steps of several vectors a loop has in which it does not show how the last few are done.
const longSteps = 64

// isLong reports whether b makes a loop of a range that has many steps of n vectors.
func (b *laneBuilder) isLong(n int) bool {
	l := b.s.loop
	return b.hi != 0 && len(l.Carries) == 0 && l.Extent >= longSteps*int64(n*b.s.lanes)
}

// rests makes what steps of several vectors leave of a long loop vector by vector, the last of them a part of one: all
// under a mask, so that there is one body for them.
func (b *laneBuilder) rests() {
	g, lanes := b.g, int64(b.s.lanes)
	end := g.c.asm.NewLabel()
	left := g.c.copyOf(b.hi)
	g.c.gop(asm.SUB, left, b.o.counter)
	g.c.jcc(asm.LE, end)
	start := g.c.newLoop()
	all := g.c.imm(lanes)
	g.c.gcmpi(asm.CMP, left, lanes)
	b.body(1, g.t.tailOf(b.s.lanes, 0, g.chosen(asm.G, all, g.c.copyOf(left))))
	g.stepScaled(b.o, lanes)
	g.c.gopi(asm.ADD, b.o.counter, lanes)
	g.c.gopi(asm.SUB, left, lanes)
	g.c.jcc(asm.G, start)
	g.c.endLoop()
	g.c.bind(end)
}

// body makes the body once.
func (b *laneBuilder) body(copies int, t *tail) {
	g, l := b.g, b.s.loop
	b.s.copies, b.s.tail = copies, t
	g.lanes, g.seconds = b.s, nil
	if b.s.short != nil {
		b.shortBody()
		return
	}
	for u := range copies {
		for k, c := range l.Carries {
			g.vals[u][c.Phi], g.inLanes[c.Phi] = b.accs[u][k], true
		}
	}
	g.scans = nil
	if len(l.Carries) > 0 {
		g.scans = map[loop.Value]reg{}
	}
	for k, c := range l.Carries {
		g.scans[c.Phi] = b.accs[0][k]
	}
	from := len(g.c.list)
	g.startPointers(b.o)
	g.block(l.Body)
	g.endSame()
	if t == nil || copies == 1 && g.addNothing(l) {
		g.advance(l, b.accs[:copies], from)
	} else {
		for k, c := range l.Carries {
			next := g.scans[c.Phi]
			if !c.Scan {
				next = g.underTail(c, t.mask, g.value(c.Next), b.accs[0][k])
			}
			g.c.move(b.accs[0][k], next)
		}
	}
	g.lanes = nil
}

// combine makes the outs but for scans: the copies are combined two by two, then the lanes, halves by halves, then the
// first value.
// The order is always the same.
func (g *gen) combine(l *loop.Loop, accs [][]reg, w int) {
	sums := slices.Clone(accs[0])
	for k, c := range l.Carries {
		if c.Scan {
			continue
		}
		i, s := g.combiner(c)
		g.width = w
		var copies []reg
		for _, a := range accs {
			copies = append(copies, a[k])
		}
		for ; len(copies) > 1; copies = append(copies[2:], s(g, i, [3]reg{copies[0], copies[1]})) {
		}
		sums[k] = copies[0]
		g.width = 0
	}
	for k, done := range g.combineTogether(l, sums, w) {
		if c := l.Carries[k]; !done && !c.Scan {
			g.combineLanes(c, sums[k], w)
		}
	}
}

// startScans lets the scans of l begin.
func (g *gen) startScans(l *loop.Loop, accs [][]reg) {
	for k, c := range l.Carries {
		if c.Scan {
			g.c.move(accs[0][k], g.value(c.Init))
		}
	}
}

// endScans makes their outs.
func (g *gen) endScans(l *loop.Loop, accs [][]reg) {
	for k, c := range l.Carries {
		if c.Scan {
			g.define(c.Out, g.spread(accs[0][k], g.nest.Kind(c.Phi)))
		}
	}
}

// combiner is what combines values of a carry.
func (g *gen) combiner(c loop.Carry) (i *loop.Inst, s selector) {
	kind := g.nest.Kind(c.Phi)
	return &loop.Inst{Op: c.Reduce, Kind: kind}, g.t.table().find(c.Reduce, kind, kind)
}

// combineLanes makes the out of c from the w lanes of acc.
func (g *gen) combineLanes(c loop.Carry, acc reg, w int) {
	i, s := g.combiner(c)
	g.width = w
	if i.Kind == loop.Mask {
		acc = g.t.foldMask(c.Reduce, acc, w)
	} else {
		acc = g.foldLanes(s, i, acc, w)
	}
	g.width = 0
	g.define(c.Out, g.withInit(c, acc))
}

// withInit is acc and what c begins with.
func (g *gen) withInit(c loop.Carry, acc reg) reg {
	i, s := g.combiner(c)
	if init := g.nest.Inst(c.Init); init.Op == loop.Const && init.Imm == loop.Identity(c.Reduce, i.Kind) {
		return acc
	}
	return s(g, i, [3]reg{g.value(c.Init), acc})
}

// foldLanes combines the w lanes of acc, and gives the result in all lanes of a whole vector.
func (g *gen) foldLanes(s selector, i *loop.Inst, acc reg, w int) reg {
	bits := i.Kind.Bits()
	for n := w / 2; n > 0; n /= 2 {
		g.width = n
		acc = s(g, i, [3]reg{acc, g.c.upperHalf(acc, n*bits)})
	}
	return g.spread(acc, i.Kind)
}

// upperHalf moves the upper half of a vector of 2*bits to the lower.
func (c *code) upperHalf(x reg, bits int) reg {
	switch bits {
	case 256:
		return c.vi(asm.VEXTRACTF64X4, asm.VL512, 1, x)
	case 128:
		return c.vi(asm.VEXTRACTF32X4, asm.VL256, 1, x)
	case 64:
		return c.vi(asm.VPSHUFD, asm.VL128, 0x4E, x)
	}
	return c.vi(asm.VPSHUFD, asm.VL128, 0xB1, x)
}

// spread gives the lowest element of x in all lanes of a whole vector.
func (g *gen) spread(x reg, k loop.Kind) reg {
	if k.Bits() == 64 {
		return g.c.v(asm.VBROADCASTSD, g.c.vl, x)
	}
	return g.c.v(asm.VBROADCASTSS, g.c.vl, x)
}
