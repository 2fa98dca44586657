package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// Limits of the work that is worth several vectors side by side. A tiny body with a loop in it sums rows of memory:
// four lines of a row are read at once. More are slower, unless the rows are in the second cache, and fewer, too.
const (
	tinyBody   = 5
	shortBody  = 12 // instructions
	mediumBody = 40
)

// chooseCopies decides how many vectors of l run side by side: more where the body is short or sums, so that
// what it waits for overlaps, as far as there are registers.
func (g *gen) chooseCopies(l *loop.Loop, w int) int {
	if r, ok := g.nest.RoundsIn(l); ok {
		copies := r.Copies(g.c.target.AVX512)
		for copies > 1 && l.Extent < int64(copies*w) {
			copies--
		}
		return copies
	}
	instructions, sums, inner, loops, masks := g.often(l.Body), len(l.Carries) > 0, 0, false, false
	orders := false
	l.Body.EachLoop(func(in *loop.Loop) {
		loops, masks = true, masks || slices.ContainsFunc(in.Carries, g.carriesMask)
		orders = orders || slices.ContainsFunc(in.Carries, g.ordersFloats)
		inner = max(inner, len(in.Carries)) // what is summed in parts has several loops
		sums = sums || inner > 0
	})
	copies := 1
	switch {
	case inner == 1 && instructions <= tinyBody && g.reads(l.Body)*w < memoryLine:
		copies = 8
		if orders && !g.c.target.AVX512 { // for which there are not registers enough
			copies = 4
		}
	case sums && instructions <= shortBody:
		copies = 4
	case instructions <= mediumBody:
		copies = 2
	}
	least := mediumBody
	if !loops && g.waits(l, w) && (!g.c.target.AVX512 || g.direct(l)) {
		least = shortBody
	}
	switch {
	case instructions > least && !sums && !loops:
		copies = g.overlapped(l.Body)
	case !g.c.target.AVX512 && instructions > shortBody:
		copies = 1
		if loops && sums && instructions <= mediumBody {
			copies = 2
		}
	}
	if instructions > mediumBody && g.inSmallPart() || instructions > shortBody && !sums && g.isSmallBeside(l) {
		copies = 1
	}
	if masks && g.c.target.AVX512 {
		copies = min(copies, mostMasks)
	}
	if !g.c.target.AVX512 && scansBeside(l) && g.reads(l.Body) >= 4 { // steps of a scan need registers for constants
		copies = min(copies, 2)
	}
	if copies == 1 && !loops && !sums && g.writesHalfLines(l, w) {
		copies = 2
	}
	return g.fitCopies(l, copies, w, inner)
}

// copiesOf is chooseCopies of l with clear part c; where lanes are short what it carries is in others, and pairs of bf16
// have two sets of it.
func (g *gen) copiesOf(l *loop.Loop, w int, c *clearPart, short *shorts) int {
	copies := g.chooseCopies(l, w)
	switch {
	case len(l.Carries) == 0:
	case short != nil:
		return 1
	case c == nil && g.inHalves(l, w):
		return max(copies&^1, 2)
	}
	return copies
}

// fitCopies is how many of copies vectors side by side l, a lane loop of w lanes, has iterations and registers for, a
// loop in it carrying inner values.
func (g *gen) fitCopies(l *loop.Loop, copies, w, inner int) int {
	for copies > 1 && (l.Extent < int64(copies*w) || inner*copies > g.mostCarried()) {
		copies /= 2
	}
	if g.c.target.AVX512 {
		return copies
	}
	for copies > 2 && copies*(inner+g.readTwice(l)) > fewRegisters-leastUniform {
		copies--
	}
	for copies > 1 && inner == 0 && g.sumsTooMuch(l, copies) {
		copies /= 2
	}
	return copies
}

// sumsTooMuch reports whether what l, without loops, carries leaves too few registers for what it computes, so many
// vectors side by side. Sums of what is in memory need none.
func (g *gen) sumsTooMuch(l *loop.Loop, copies int) bool {
	return len(l.Body) > 2*len(l.Carries) && copies*len(l.Carries) > g.mostCarried()
}

// Where registers are few, leastUniform of them are for what is the same in all lanes.
const (
	fewRegisters = 16
	leastUniform = 2
)

// readTwice is how many vectors loops in l, a lane loop, read that several instructions use, as parts of complex
// numbers: these are in registers beside what is carried.
func (g *gen) readTwice(l *loop.Loop) (most int) {
	l.Body.EachLoop(func(in *loop.Loop) {
		count := 0
		for _, n := range in.Body {
			if n.Loop != nil {
				continue
			}
			i := g.nest.Inst(n.Value)
			if i.Op == loop.Load && stride(&g.nest.Accesses[i.Access], l.Var) != 0 && g.usesOf(n.Value) > 1 {
				count++
			}
		}
		if len(in.Carries) > 0 {
			most = max(most, count)
		}
	})
	return most
}

// scansBeside reports whether l carries a scan, and something else.
func scansBeside(l *loop.Loop) bool {
	return len(l.Carries) > 1 && slices.ContainsFunc(l.Carries, func(c loop.Carry) bool { return c.Scan })
}

// mostCarried is how many registers a loop inside may carry values in: a quarter is left for what it computes.
func (g *gen) mostCarried() int {
	if g.c.target.AVX512 {
		return 24
	}
	return 12
}

// mostMasks is how many vectors run side by side where each carries a mask: there are seven registers for these.
const mostMasks = 3

func (g *gen) carriesMask(c loop.Carry) bool { return g.nest.Kind(c.Phi) == loop.Mask }

// ordersFloats reports whether c carries the least or largest float so far.
func (g *gen) ordersFloats(c loop.Carry) bool {
	i := g.nest.Inst(c.Next)
	return (i.Op == loop.Min || i.Op == loop.Max) && i.Kind.IsFloat()
}

// memoryLine is the bytes of memory that come at once.
const memoryLine = 64

// reads is the most bytes of an element that body loads.
func (g *gen) reads(body loop.Block) int {
	most := 0
	body.Each(func(n loop.Node) {
		if n.Loop != nil {
			return
		}
		if i := g.nest.Inst(n.Value); i.Op == loop.Load {
			most = max(most, int(g.nest.Accesses[i.Access].Mem.Bytes()))
		}
	})
	return most
}

// manyTurns is from how many iterations on what is around a loop does not count.
const manyTurns = 32

// often counts the instructions of body; of one with loops that turn many times, those of the longest body of such a
// loop: what is around them hardly shows, even if it does without registers.
func (g *gen) often(body loop.Block) int {
	all, longest, unknown, each := 0, 0, false, map[*loop.Loop]int{}
	body.Walk(func(n loop.Node, around []*loop.Loop) {
		switch {
		case n.Loop != nil:
			unknown = unknown || n.Loop.Cond != 0 || n.Loop.When != nil
			return
		case g.nest.Inst(n.Value).Op == loop.Const:
			return
		}
		all++
		turns := int64(1)
		for _, l := range around {
			turns *= l.Extent
		}
		if turns >= manyTurns {
			in := around[len(around)-1]
			each[in]++
			longest = max(longest, each[in])
		}
	})
	if unknown || longest == 0 {
		return all
	}
	return longest
}

// smallPart is the share of the iterations of a loop, as 1 in so many, that is not worth code of several vectors.
const smallPart = 8

// inSmallPart reports whether the code that is made runs in few iterations of a loop, as at the borders of a window.
func (g *gen) inSmallPart() bool {
	for _, o := range g.loops {
		w := o.loop.When
		if w == nil {
			continue
		}
		whole, runs := g.open(w.Var).loop.Extent, w.Hi-w.Lo
		if w.Outside {
			runs = whole - runs
		}
		if runs*smallPart <= whole {
			return true
		}
	}
	return false
}

// smallBeside is the share of what loops in one block do, as 1 in so much, that is not worth code of several vectors.
const smallBeside = 16

// isSmallBeside reports whether l, which is about to be opened, does little beside the other loops of the loop around
// it, as at the ends of rows: the machine looks ahead to its next iteration.
func (g *gen) isSmallBeside(l *loop.Loop) bool {
	if len(g.loops) == 0 {
		return false
	}
	all := turns(g.loops[len(g.loops)-1].loop.Body)
	return turns(loop.Block{{Loop: l}})*smallBeside <= all
}

// turns is how many instructions b executes, about.
func turns(b loop.Block) (n int64) {
	for _, node := range b {
		if l := node.Loop; l != nil {
			n += max(l.Extent, 1) * turns(l.Body)
		} else {
			n++
		}
	}
	return n
}

// leastChain is how many cycles a chain of instructions takes in a body of medium size for which it pays to do several
// vectors at a time: the machine looks several of these bodies ahead.
const leastChain = 40

// waits reports whether l, a lane loop of w lanes without loops, waits for what it computes, and not for memory.
func (g *gen) waits(l *loop.Loop, w int) bool {
	_, chain := g.workOf(l.Body)
	return chain >= leastChain && !g.streams(l, w)
}

// mostOverlapped is the most vectors that overlapped gives.
const mostOverlapped = 4

// Where registers are few, some copies may have more values than there are registers: an instruction takes a constant
// from memory as fast as from a register, and a few other values in memory cost less than waiting. Of bodies of medium
// size that divide nothing there may be more than two: a gelu takes 797 us so, and 905 by two.
const (
	withSpills = 20  // values
	longChain  = 128 // cycles, for which one more copy pays however many values there are
)

// leastShared is how many registers are left at least, where there are many, for what the copies share.
const leastShared = 1

// overlapped is how many vectors of a long body without loops run side by side. The machine looks some hundred
// instructions ahead, so it does not see the next iteration of a long one: units would be idle where the longest chain
// of a body takes as long as its instructions. Copies that are made by turns fill them, if their registers fit.
func (g *gen) overlapped(body loop.Block) int {
	units, live := 3, max(g.liveIn(body, false), 1)
	fit := max(16/live, min(withSpills/live, 2))
	work, chain := g.workOf(body)
	switch {
	case g.c.target.AVX512:
		units, fit = 2, (32-leastShared)/live
		if work <= mediumBody && ((32-g.tableRegisters(body))/live < mostOverlapped || g.divides(body)) {
			fit = 2
		}
	case chain >= longChain:
		fit++
	case work <= mediumBody && !g.divides(body):
		fit = max(fit, withSpills/live)
	}
	copies := min((2*chain*units+work-1)/max(work, 1), mostOverlapped) // twice: nothing is in perfect order
	return max(1, min(copies, fit))
}

// direct reports whether l, without loops, reads and writes elements of 4 and 8 bytes alone, one after the other or the
// same one: there is nothing to do but to compute.
func (g *gen) direct(l *loop.Loop) bool {
	return !slices.ContainsFunc(l.Body, func(n loop.Node) bool {
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Load && i.Op != loop.Store {
			return false
		}
		a := &g.nest.Accesses[i.Access]
		step := stride(a, l.Var)
		return a.Index != 0 || a.Mem.Bytes() < 4 || step != 0 && step != a.Mem.Bytes()
	})
}

// divides reports whether body has divisions or roots, which wait for each other.
func (g *gen) divides(body loop.Block) bool {
	return slices.ContainsFunc(body, func(n loop.Node) bool {
		op := g.nest.Inst(n.Value).Op
		return op == loop.Div || op == loop.Sqrt
	})
}

// tableRegisters is how many registers hold the tables that body looks up elements in.
func (g *gen) tableRegisters(body loop.Block) int {
	registers, seen := 0, map[uint64]bool{}
	for _, n := range body {
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Table || seen[i.Imm] {
			continue
		}
		seen[i.Imm] = true
		if bytes := len(g.nest.Tables[i.Imm]) * i.Kind.Bits() / 8; bytes <= 2*g.registerBytes() {
			registers += (bytes + g.registerBytes() - 1) / g.registerBytes()
		}
	}
	return registers
}

func (g *gen) registerBytes() int { return int(g.c.vl) / 8 }

// What a gather takes: the cycles that its elements are waited for, and the instructions that it is worth.
const (
	gatherLatency = 24
	gatherWork    = 8
)

// placeOf is the value that says where in memory load i reads, or 0.
func (g *gen) placeOf(i *loop.Inst) loop.Value {
	if i.Op != loop.Load {
		return 0
	}
	return g.nest.Accesses[i.Access].Index
}

// workOf counts the instructions of a body without loops, and the cycles of its longest chain.
func (g *gen) workOf(body loop.Block) (instructions, chain int) {
	at := zeroed(g.c.memory, &g.c.memory.uses, len(g.nest.Insts)) // by value: when it is there
	for _, n := range body {
		i := g.nest.Inst(n.Value)
		if i.Op == loop.Const {
			continue
		}
		instructions++
		start := int32(0)
		for _, a := range i.Operands() {
			start = max(start, at[a])
		}
		if place := g.placeOf(i); place != 0 && at[place] > 0 {
			start = max(start, at[place]) + gatherLatency
			instructions += gatherWork
		}
		at[n.Value] = start + int32(i.Latency())
		chain = max(chain, int(at[n.Value]))
	}
	return instructions, chain
}

// liveIn is the most values of body that are needed at once and differ between iterations: all, or those that are
// computed and not read.
func (g *gen) liveIn(body loop.Block, computed bool) int {
	m := g.c.memory
	last := zeroed(m, &m.uses, len(g.nest.Insts)) // by value: 1 more than the place of its last use
	for k, n := range body {
		for _, a := range g.nest.Inst(n.Value).Operands() {
			last[a] = int32(k + 1)
		}
	}
	made := zeroed(m, &m.made, len(g.nest.Insts))
	most, live := 0, 0
	for k, n := range body {
		i := g.nest.Inst(n.Value)
		for _, a := range i.Operands() {
			if made[a] && last[a] == int32(k+1) {
				made[a] = false
				live--
			}
		}
		if i.Op != loop.Const && !(computed && i.Op == loop.Load) && last[n.Value] > int32(k+1) {
			made[n.Value] = true
			live++
		}
		most = max(most, live)
	}
	return most
}
