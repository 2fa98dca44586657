package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// openLoop is a loop whose body is being made.
type openLoop struct {
	loop *loop.Loop
	// counter is the iteration number; in a lane loop that of lane 0 of copy 0.
	counter reg
	// innermost: no loop inside.
	innermost bool
	// scaled holds counter * n by n, for strides that no address form scales by; pointers the addresses that
	// change with this loop and stay the same in the loops inside.
	scaled   map[int64]reg
	strides  []int64
	pointers map[string]reg
	// indexed holds, in a lane loop, addresses with an index that is the same in all lanes.
	indexed map[indexKey]reg
	// later holds, by values that are places of rows, those of rows some iterations later; rows, in a lane loop, the
	// addresses of these by those that accesses begin at.
	later map[loop.Value]reg
	rows  map[reg]reg
}

func newOpenLoop(l *loop.Loop, counter reg) *openLoop {
	o := &openLoop{loop: l, counter: counter, innermost: true}
	for _, b := range [2]loop.Block{l.Body, l.CondBody} {
		for _, n := range b {
			o.innermost = o.innermost && n.Loop == nil
		}
	}
	return o
}

func (g *gen) push(o *openLoop) { g.loops, g.seconds = append(g.loops, o), nil }

func (g *gen) pop() { g.loops = g.loops[:len(g.loops)-1] }

func (g *gen) loop(l *loop.Loop) {
	switch {
	case l.When != nil:
		g.maybe(func() { g.when(l) })
	case l.Lanes:
		g.laneLoop(l)
	case l.Cond != 0:
		g.maybe(func() { g.while(l) })
	default:
		if p := g.piecesOf(l); p != nil {
			g.pieceLoop(l, p)
			return
		}
		if outer, lanes := g.across(l); outer != nil {
			g.acrossLoop(outer, lanes)
			return
		}
		g.counted(l)
	}
}

// isRanged reports whether the argument block has the range of l.
func (g *gen) isRanged(l *loop.Loop) bool { return l != nil && slices.Contains(g.ranged[:], l) }

// bounds gives the range of l: constants, or where the argument block has it registers.
func (g *gen) bounds(l *loop.Loop) (lo, hi reg) {
	if !g.isRanged(l) {
		return 0, 0
	}
	at := int64(argLo)
	if l != g.ranged[0] {
		at = argBufs + 8*int64(len(g.nest.Buffers))
	}
	return g.c.gload(asm.MOV, asm.W64, mem{base: rdi, disp: at}),
		g.c.gload(asm.MOV, asm.W64, mem{base: rdi, disp: at + argHi - argLo})
}

// counted makes a loop over single iterations.
func (g *gen) counted(l *loop.Loop) {
	phis := g.enter(l)
	end := g.c.asm.NewLabel()
	lo, hi := g.bounds(l)
	counter := lo
	if lo == 0 {
		counter = g.c.imm(0)
	} else {
		g.c.gcmp(lo, hi)
		g.c.jcc(asm.GE, end)
	}
	sums := g.keepSums(l)
	o := newOpenLoop(l, counter)
	g.push(o)
	g.startScaled(o)
	start := g.c.newLoop()
	from := len(g.c.list)
	g.phiIndices(l)
	g.startPointers(o)
	g.computeLater(o, hi)
	g.block(l.Body)
	g.advance(l, phis, from)
	g.stepScaled(o, 1)
	g.c.gopi(asm.ADD, counter, 1)
	if hi == 0 {
		g.c.gcmpi(asm.CMP, counter, l.Extent)
	} else {
		g.c.gcmp(counter, hi)
	}
	g.c.jcc(asm.L, start)
	g.c.endLoop()
	g.c.bind(end)
	g.pop()
	g.leave(l, phis)
	g.foldSums(l, sums)
}

// when makes the only iteration of l, for the iterations of a loop around it that are in its range.
func (g *gen) when(l *loop.Loop) {
	var at reg
	for _, o := range g.loops {
		if o.loop.Var == l.When.Var {
			at = o.counter
		}
	}
	body, end := g.c.asm.NewLabel(), g.c.asm.NewLabel()
	below, above := end, end
	if l.When.Outside {
		below, above = body, body
	}
	g.c.gcmpi(asm.CMP, at, l.When.Lo)
	g.c.jcc(asm.L, below)
	g.c.gcmpi(asm.CMP, at, l.When.Hi)
	g.c.jcc(asm.GE, above)
	if l.When.Outside {
		g.c.jmp(end)
	}
	g.c.bind(body)
	o := newOpenLoop(l, g.c.imm(0))
	g.push(o)
	g.startScaled(o)
	g.startPointers(o)
	g.block(l.Body)
	g.pop()
	g.c.bind(end)
}

// while makes a loop with a condition.
func (g *gen) while(l *loop.Loop) {
	if n, ok := g.nest.Count(l); ok && g.lanes != nil {
		g.times(l, n)
		return
	}
	phis := g.enter(l)
	end := g.c.asm.NewLabel()
	o := newOpenLoop(l, g.c.imm(0))
	g.push(o)
	start := g.c.newLoop()
	from := len(g.c.list)
	g.phiIndices(l)
	g.block(l.CondBody)
	g.jumpUnless(l.Cond, end)
	g.block(l.Body)
	g.advance(l, phis, from)
	if usesIndex(g.nest, l) {
		g.c.gopi(asm.ADD, o.counter, 1)
	}
	g.c.jmp(start)
	g.c.endLoop()
	g.c.bind(end)
	g.pop()
	g.leave(l, phis)
}

// usesIndex reports whether the iteration number of l is asked for.
func usesIndex(n *loop.Nest, l *loop.Loop) bool {
	for k := range n.Insts {
		if i := &n.Insts[k]; i.Op == loop.Index && i.Imm == uint64(l.Var) {
			return true
		}
	}
	return false
}

// enter sets the phis of l, for each copy, to their first values.
func (g *gen) enter(l *loop.Loop) (phis [][]reg) {
	for u := range g.copies() {
		g.copy = u
		list := make([]reg, len(l.Carries))
		for k, c := range l.Carries {
			list[k] = g.c.copyOf(g.like(c.Phi, c.Init))
		}
		phis = append(phis, list)
	}
	for u, list := range phis {
		g.copy = u
		for k, c := range l.Carries {
			g.vals[u][c.Phi], g.inLanes[c.Phi] = list[k], g.lanes != nil
		}
	}
	g.copy = 0
	return phis
}

// phiIndices moves the phis of l that addresses use to general registers, in each iteration.
func (g *gen) phiIndices(l *loop.Loop) {
	if g.lanes != nil {
		return
	}
	for _, c := range l.Carries {
		g.define(c.Phi, g.vals[0][c.Phi])
	}
}

// advance gives the phis their next values: all are read before one is written. from is where the code of
// the body starts.
func (g *gen) advance(l *loop.Loop, phis [][]reg, from int) {
	var dst, src []reg
	for u, list := range phis {
		g.copy = u
		for k, c := range l.Carries {
			next := g.like(c.Phi, c.Next)
			if c.Scan { // one for all copies
				next = g.scans[c.Phi]
			}
			if next != list[k] && (u == 0 || !c.Scan) {
				dst, src = append(dst, list[k]), append(src, next)
			}
		}
	}
	g.copy = 0
	g.c.assign(dst, src, from)
}

// assign makes dst[k] = src[k] for all k at once, where dst are different registers. from is where the code starts
// that made src: a src that is made there, once, is made in dst where that does no harm.
func (c *code) assign(dst, src []reg, from int) {
	for k, s := range src {
		if slices.Contains(dst, s) {
			src[k] = c.copyOf(s)
		}
	}
	var renamed []reg
	for k, d := range dst {
		if slices.Contains(dst, src[k]) || !c.rename(src[k], d, from) {
			c.move(d, src[k])
			continue
		}
		renamed = append(renamed, d)
		for n := k + 1; n < len(src); n++ {
			if src[n] == src[k] {
				src[n] = d
			}
		}
	}
	c.inPlace(renamed, from)
}

// rename makes the code from on use d for s. That may be if s is defined there once, and d is not used
// behind that.
func (c *code) rename(s, d reg, from int) bool {
	def := -1
	for k := from; k < len(c.list); k++ {
		i := &c.list[k]
		if i.def >= 0 && i.r[i.def] == s {
			if def >= 0 || i.tie == s {
				return false
			}
			def = k
			continue
		}
		used := false
		if def >= 0 {
			i.operands(func(r *reg) { used = used || *r == d })
		}
		if used {
			return false
		}
	}
	if def < 0 || c.regs[s].constant != 0 {
		return false
	}
	if i := &c.list[def]; i.late && i.tie != d && i.mentions(d) {
		return false
	}
	for k := def; k < len(c.list); k++ {
		c.list[k].operands(func(r *reg) {
			if *r == s {
				*r = d
			}
		})
	}
	return true
}

func (i *ins) mentions(d reg) bool {
	found := false
	i.reads(func(r reg) { found = found || r == d })
	return found
}

// leave makes the phis, which keep the last values, the outs of l.
func (g *gen) leave(l *loop.Loop, phis [][]reg) {
	for u, list := range phis {
		g.copy = u
		for k, c := range l.Carries {
			g.define(c.Out, list[k])
		}
	}
	g.copy = 0
}
