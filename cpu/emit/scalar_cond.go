package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Comparisons of integers in general registers are made where their result is used: as flags. So are those of floats,
// if only jumps and choices between integers use them: a mask takes several cycles to get into flags.

// scalarConds holds the conditions by loop.Pred.
var scalarConds = [...]asm.Cond{loop.EQ: asm.E, loop.NE: asm.NE, loop.LT: asm.L, loop.LE: asm.LE, loop.GT: asm.G,
	loop.GE: asm.GE, loop.ULT: asm.B, loop.ULE: asm.BE, loop.UGT: asm.A, loop.UGE: asm.AE}

// swapped are the predicates for operands that have changed places.
var swapped = [...]loop.Pred{loop.EQ: loop.EQ, loop.NE: loop.NE, loop.LT: loop.GT, loop.LE: loop.GE, loop.GT: loop.LT,
	loop.GE: loop.LE, loop.ULT: loop.UGT, loop.ULE: loop.UGE, loop.UGT: loop.ULT, loop.UGE: loop.ULE}

// floatConditions makes conditions of the comparisons of floats that are used so. List has all values in order.
func (g *gen) floatConditions(f *families, list []loop.Value) {
	n, masked := g.nest, make([]bool, len(g.nest.Insts)) // masked are those that are used as masks
	for _, v := range slices.Backward(list) {
		i := n.Inst(v)
		masked[v] = masked[v] || f.masks[v] || f.carried[v]
		for k, a := range i.Operands() {
			choice := i.Op == loop.Select && k == 0 && g.general[v]
			both := joins[i.Op] && i.Kind == loop.Mask && !masked[v]
			masked[a] = masked[a] || !choice && !both
		}
	}
	compared := make([]uint8, len(n.Insts)) // how many comparisons a condition is made of
	for _, v := range list {
		i := n.Inst(v)
		switch {
		case i.Kind != loop.Mask || masked[v] && !g.condition[v]:
		case i.Op == loop.Cmp && i.Imm >= loop.LT && i.Imm <= loop.GE && n.Kind(i.Args[0]).IsFloat():
			g.condition[v] = true
		case joins[i.Op]:
			x, y := i.Args[0], i.Args[1]
			compared[v] = min(max(compared[x], 1), 100) + min(max(compared[y], 1), 100)
			short := i.Op == loop.And || compared[v] <= mostCompared
			g.condition[v] = g.condition[v] || short && (g.condition[x] || g.condition[y])
		}
	}
}

// joins are the operations that conditions are made of others by.
var joins = [1 << 8]bool{loop.And: true, loop.Or: true, loop.AndNot: true, loop.Not: true}

// mostCompared is how many comparisons are made again for each use of what joins them.
const mostCompared = 8

// compareFloats is compareScalars of floats: the flags of a NaN are those of less.
func (g *gen) compareFloats(p loop.Pred, x, y loop.Value) asm.Cond {
	if p == loop.LT || p == loop.LE {
		x, y, p = y, x, swapped[p]
	}
	g.c.flags(by64(g.nest.Kind(x), asm.VUCOMISS, asm.VUCOMISD), asm.VL128, g.value(x), g.value(y))
	if p == loop.GT {
		return asm.A
	}
	return asm.AE
}

// opposite is the condition that holds where c does not.
func opposite(c asm.Cond) asm.Cond { return c ^ 1 }

// compareScalars sets the flags, and returns the condition that predicate p is. What stands between them and their use
// must be moves.
func (g *gen) compareScalars(p loop.Pred, size asm.Size, x, y loop.Value) asm.Cond {
	if g.nest.Kind(x).IsFloat() {
		return g.compareFloats(p, x, y)
	}
	if g.nest.Inst(x).Op == loop.Const {
		x, y, p = y, x, swapped[p]
	}
	a := g.scalar(x)
	if c := g.nest.Inst(y); c.Op == loop.Const && constantOf(c) == int64(int32(constantOf(c))) {
		g.compareImmediate(size, a, constantOf(c))
	} else {
		g.c.flags(asm.CMP, size, a, g.scalar(y))
	}
	return scalarConds[p]
}

func (g *gen) compareImmediate(size asm.Size, x reg, v int64) {
	if v == 0 {
		g.c.flags(asm.TEST, size, x, x)
		return
	}
	i := ins{in: inst(asm.CMP, size, 1), def: -1}
	i.r[0] = x
	i.in.Imm, i.in.HasImm = v, true
	g.c.add(i)
}

// chosen is x if the flags say cond, else y.
func (g *gen) chosen(cond asm.Cond, x, y reg) reg {
	i := ins{in: inst(asm.CMOV, asm.W64, 2), tie: y, late: true}
	i.in.Cond = cond
	i.r[1] = x
	return g.c.define(i)
}

// selectScalar is x where mask m is on, else y.
func (g *gen) selectScalar(m loop.Value, x, y reg) reg {
	i := g.nest.Inst(m)
	switch {
	case !g.condition[m]:
		return g.chosen(opposite(g.t.someOff(g.value(m))), x, y)
	case i.Op == loop.And:
		return g.selectScalar(i.Args[0], g.selectScalar(i.Args[1], x, y), y)
	case i.Op == loop.Or:
		return g.selectScalar(i.Args[0], x, g.selectScalar(i.Args[1], x, y))
	case i.Op == loop.AndNot:
		return g.selectScalar(i.Args[0], y, g.selectScalar(i.Args[1], x, y))
	case i.Op == loop.Not:
		return g.selectScalar(i.Args[0], y, x)
	}
	return g.chosen(g.compareScalars(i.Imm, sizeIn(g.nest.Kind(i.Args[0])), i.Args[0], i.Args[1]), x, y)
}

// maskOfCondition is a condition as a mask.
func (g *gen) maskOfCondition(m loop.Value) reg {
	return g.t.maskOf(g.selectScalar(m, g.c.imm(-1), g.c.imm(0)))
}

// jumpUnless jumps if m is off.
func (g *gen) jumpUnless(m loop.Value, to asm.Label) {
	i := g.nest.Inst(m)
	switch {
	case !g.condition[m]:
		g.t.jumpIfNone(g.value(m), to)
	case i.Op == loop.And:
		g.jumpUnless(i.Args[0], to)
		g.jumpUnless(i.Args[1], to)
	case i.Op == loop.Cmp:
		cond := g.compareScalars(i.Imm, sizeIn(g.nest.Kind(i.Args[0])), i.Args[0], i.Args[1])
		g.c.jcc(opposite(cond), to)
	default:
		g.compareImmediate(asm.W32, g.selectScalar(m, g.c.imm(-1), g.c.imm(0)), 0)
		g.c.jcc(asm.E, to)
	}
}
