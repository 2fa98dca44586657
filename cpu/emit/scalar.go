package emit

import (
	"math/bits"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Outside of lane loops integers live in general registers, where instructions take one cycle, products three, and
// comparisons are conditions of jumps, unless they are made from floats, or used as such or by lanes, somewhere on
// their way: moves between the two take longer than what is gained. What lanes use as an address only does not count.
// The upper half of a register with 32 bits is not defined.

// scalars says which values of a nest are in general registers, and which masks are conditions: those are made where
// they are used.
type scalars struct {
	general, condition []bool
}

// scalarOps are the operations that there are on general registers, and those that only pass integers on.
var scalarOps = [1 << 8]bool{loop.Const: true, loop.Index: true, loop.Phi: true, loop.Out: true, loop.Load: true,
	loop.Store: true, loop.Add: true, loop.Sub: true, loop.Mul: true, loop.And: true, loop.Or: true, loop.Xor: true,
	loop.AndNot: true, loop.Not: true, loop.Neg: true, loop.Shl: true, loop.Shr: true, loop.Sar: true, loop.Min: true,
	loop.Max: true, loop.UMin: true, loop.UMax: true, loop.Select: true, loop.Cmp: true, loop.SExt: true,
	loop.ZExt: true, loop.Trunc: true, loop.SDiv: true, loop.SRem: true, loop.UDiv: true, loop.URem: true,
	loop.MulHiS: true, loop.MulHiU: true, loop.MulU32: true, loop.Clz: true, loop.Popcnt: true}

// findScalars decides for each value. Integers that are made from one another are in the same kind of register.
func (g *gen) findScalars() {
	n := g.nest
	all := make([]bool, 5*len(n.Insts))
	take := func() (part []bool) {
		part, all = all[:len(n.Insts)], all[len(n.Insts):]
		return part
	}
	g.scalars = scalars{take(), take()}
	f := &families{nest: n, sure: g.sure, parent: make([]loop.Value, len(n.Insts)), vector: take(), masks: take(),
		carried: take()}
	for v := range f.parent {
		f.parent[v] = loop.Value(v)
	}
	list := g.valuesOf(f, n.Root, false, make([]loop.Value, 0, len(n.Insts)))
	for _, v := range list {
		i := n.Inst(v)
		switch g.general[v] = n.Kind(v).IsInt() && i.Op != loop.Const && !f.vector[f.root(v)]; {
		case i.Op == loop.Cmp:
			g.condition[v] = g.general[i.Args[0]] || g.general[i.Args[1]]
		case i.Op == loop.And && i.Kind == loop.Mask:
			g.condition[v] = g.condition[i.Args[0]] || g.condition[i.Args[1]]
		}
	}
	g.floatConditions(f, list)
}

// valuesOf appends to list the values of b, in order, and joins families. lanes: b is made lane by lane.
func (g *gen) valuesOf(f *families, b loop.Block, lanes bool, list []loop.Value) []loop.Value {
	for _, n := range b {
		l := n.Loop
		if l == nil {
			f.visit(n.Value, lanes)
			list = append(list, n.Value)
			continue
		}
		outer, _ := g.across(l)
		inLanes := lanes || l.Lanes || outer != nil
		for _, c := range l.Carries {
			f.carry(c, inLanes)
			list = append(list, c.Phi, c.Out)
		}
		list = g.valuesOf(f, l.CondBody, inLanes, list)
		if inLanes {
			f.byLanes(l.Cond)
		}
		list = g.valuesOf(f, l.Body, inLanes, list)
	}
	return list
}

// families are sets of integers that are made from one another.
type families struct {
	nest    *loop.Nest
	sure    map[int32]bool // accesses that need not look at their masks
	parent  []loop.Value
	vector  []bool // by the root of a family: it has a member that must be in a vector
	masks   []bool // those that byLanes noted
	carried []bool // masks, and integers, of loops
}

func (f *families) root(v loop.Value) loop.Value {
	for f.parent[v] != v {
		f.parent[v] = f.parent[f.parent[v]]
		v = f.parent[v]
	}
	return v
}

func (f *families) isMember(v loop.Value) bool {
	return v != 0 && f.nest.Kind(v).IsInt() && f.nest.Inst(v).Op != loop.Const
}

func (f *families) join(v, w loop.Value) {
	if f.isMember(v) && f.isMember(w) {
		r, s := f.root(v), f.root(w)
		f.parent[r], f.vector[s] = s, f.vector[s] || f.vector[r]
	}
}

// carry joins what a loop carries. lanes: lane by lane.
func (f *families) carry(c loop.Carry, lanes bool) {
	f.join(c.Phi, c.Init)
	f.join(c.Phi, c.Next)
	f.join(c.Phi, c.Out)
	f.carried[c.Init], f.carried[c.Next] = true, true
	if lanes {
		for _, v := range [...]loop.Value{c.Phi, c.Init, c.Next, c.Out} {
			f.byLanes(v)
		}
	}
}

// byLanes notes that v is made or used lane by lane.
func (f *families) byLanes(v loop.Value) {
	switch i := f.nest.Inst(v); {
	case f.isMember(v):
		f.vector[f.root(v)] = true
	case v == 0 || i.Kind != loop.Mask || f.masks[v]:
	case i.Op == loop.And || i.Op == loop.Cmp:
		f.masks[v] = true
		for _, a := range i.Operands() {
			f.byLanes(a)
		}
	default:
		f.masks[v] = true
	}
}

// visit joins v with the integers that it is made from. lanes: it is made lane by lane.
func (f *families) visit(v loop.Value, lanes bool) {
	i := f.nest.Inst(v)
	if lanes {
		f.byLanes(v)
		for k, a := range i.Operands() {
			mask := i.Op == loop.Load || i.Op == loop.Store && k == 1
			if !mask || !f.sure[i.Access] {
				f.byLanes(a)
			}
		}
		return
	}
	memory := i.Op == loop.Load || i.Op == loop.Store
	whole := true
	if memory {
		m := f.nest.Accesses[i.Access].Mem
		mask := i.Args[0]
		if i.Op == loop.Store {
			mask = i.Args[1]
		}
		narrow := i.Op == loop.Load && m >= loop.MemS8 && m <= loop.MemU16
		whole = (mask == 0 || f.sure[i.Access]) && (m == loop.MemI32 || m == loop.MemI64 || narrow)
	}
	fits := scalarOps[i.Op] && whole && !(i.Op == loop.Select && i.Imm == loop.Seldom)
	first := loop.Value(0)
	note := func(x loop.Value) {
		switch {
		case !f.isMember(x):
			return
		case first != 0:
			f.join(first, x)
		}
		first = x
		if !fits {
			f.vector[f.root(x)] = true
		}
	}
	note(v)
	for _, a := range i.Operands() {
		note(a)
	}
}

// scalar returns v, an integer that is in general registers or a constant, in one.
func (g *gen) scalar(v loop.Value) reg {
	if i := g.nest.Inst(v); i.Op == loop.Const {
		return g.c.imm(constantOf(i))
	}
	return g.vals[0][v]
}

func constantOf(i *loop.Inst) int64 {
	if i.Kind == loop.I32 {
		return int64(int32(i.Imm))
	}
	return int64(i.Imm)
}

// like returns v in the kind of register that value w has.
func (g *gen) like(w, v loop.Value) reg {
	if g.general[w] {
		return g.scalar(v)
	}
	return g.value(v)
}

func sizeIn(k loop.Kind) asm.Size {
	if k == loop.I64 {
		return asm.W64
	}
	return asm.W32
}

// binary is op new, y on general registers, where new is x before.
func (g *gen) binary(op asm.Op, size asm.Size, x reg, y loop.Value) reg {
	if c := g.nest.Inst(y); c.Op == loop.Const && constantOf(c) == int64(int32(constantOf(c))) && op != asm.IMUL {
		return g.withImmediate(op, size, x, constantOf(c))
	}
	i := ins{in: inst(op, size, 2), tie: x, late: true}
	i.r[1] = g.scalar(y)
	return g.c.define(i)
}

func (g *gen) withImmediate(op asm.Op, size asm.Size, x reg, v int64) reg {
	i := ins{in: inst(op, size, 1), tie: x}
	i.in.Imm, i.in.HasImm = v, true
	return g.c.define(i)
}

// multiplyScalars is x * y.
func (g *gen) multiplyScalars(size asm.Size, x, y loop.Value) reg {
	if g.nest.Inst(x).Op == loop.Const {
		x, y = y, x
	}
	c := g.nest.Inst(y)
	if c.Op != loop.Const {
		return g.binary(asm.IMUL, size, g.scalar(x), y)
	}
	switch v := constantOf(c); {
	case v > 1 && v&(v-1) == 0:
		return g.withImmediate(asm.SHL, size, g.scalar(x), int64(bits.TrailingZeros64(uint64(v))))
	case v == 3 || v == 5 || v == 9:
		a := g.scalar(x)
		return g.c.gload(asm.LEA, size, mem{base: a, index: a, scale: uint8(v - 1)})
	case v == int64(int32(v)):
		i := ins{in: inst(asm.IMUL, size, 2)}
		i.in.Imm, i.in.HasImm = v, true
		i.r[1] = g.scalar(x)
		return g.c.define(i)
	}
	return g.binary(asm.IMUL, size, g.scalar(x), y)
}

var scalarBinary = map[loop.Op]asm.Op{loop.Add: asm.ADD, loop.Sub: asm.SUB, loop.And: asm.AND, loop.Or: asm.OR,
	loop.Xor: asm.XOR}

// scalarMost holds the condition for the first of two to be taken.
var scalarMost = map[loop.Op]loop.Pred{loop.Min: loop.LT, loop.Max: loop.GT, loop.UMin: loop.ULT, loop.UMax: loop.UGT}

// scalarValue computes an integer in a general register.
func (g *gen) scalarValue(v loop.Value, i *loop.Inst) reg {
	c, size := g.c, sizeIn(i.Kind)
	x, y := i.Args[0], i.Args[1]
	if op, ok := scalarBinary[i.Op]; ok {
		if i.Op != loop.Sub && g.nest.Inst(x).Op == loop.Const {
			x, y = y, x
		}
		return g.binary(op, size, g.scalar(x), y)
	}
	if p, ok := scalarMost[i.Op]; ok {
		return g.chosen(g.compareScalars(p, size, x, y), g.scalar(x), g.scalar(y))
	}
	switch i.Op {
	case loop.Load:
		return g.loadScalar(v, &g.nest.Accesses[i.Access])
	case loop.Index:
		return c.copyOf(g.open(int(i.Imm)).counter)
	case loop.Mul:
		return g.multiplyScalars(size, x, y)
	case loop.MulHiS, loop.MulHiU, loop.MulU32:
		return g.wideProduct(i)
	case loop.Clz:
		return c.grr(asm.LZCNT, size, g.scalar(x))
	case loop.Popcnt:
		return c.grr(asm.POPCNT, size, g.scalar(x))
	case loop.AndNot:
		return g.binary(asm.AND, size, g.unaryScalar(asm.NOT, size, x), y)
	case loop.Not:
		return g.unaryScalar(asm.NOT, size, x)
	case loop.Neg:
		return g.unaryScalar(asm.NEG, size, x)
	case loop.Shl, loop.Shr, loop.Sar:
		return g.shiftScalar(i.Op, size, x, y)
	case loop.Select:
		return g.selectScalar(x, g.scalar(y), g.scalar(i.Args[2]))
	case loop.SExt:
		return c.grr(asm.MOVSXD, asm.W64, g.scalar(x))
	case loop.ZExt, loop.Trunc:
		return c.grr(asm.MOV, asm.W32, g.scalar(x))
	}
	return g.divideScalars(i.Op, size, x, y)
}

// loadScalar reads an integer.
func (g *gen) loadScalar(v loop.Value, a *loop.Access) reg {
	at, op, size := g.address(a), asm.MOV, sizeIn(a.Mem.Kind())
	if g.hasSign(v) {
		op, size = asm.MOVSXD, asm.W64
	}
	switch a.Mem {
	case loop.MemS8:
		op = asm.MOVSX8
	case loop.MemU8:
		op, size = asm.MOVZX8, asm.W32
	case loop.MemS16:
		op = asm.MOVSX16
	case loop.MemU16:
		op, size = asm.MOVZX16, asm.W32
	}
	return g.c.gload(op, size, at)
}

// hasSign reports whether v is read with its sign, into a whole general register: it is for an address.
func (g *gen) hasSign(v loop.Value) bool {
	i := g.nest.Inst(v)
	return i.Op == loop.Load && i.Kind == loop.I32 && g.general[v] && g.forAddress[v]
}

func (g *gen) unaryScalar(op asm.Op, size asm.Size, x loop.Value) reg {
	i := ins{in: inst(op, size, 1), tie: g.scalar(x)}
	return g.c.define(i)
}

// storeScalar writes an integer.
func (g *gen) storeScalar(i *loop.Inst) {
	a := &g.nest.Accesses[i.Access]
	g.c.store(asm.MOV, asm.Size(8*a.Mem.Bytes()), g.address(a), -1, g.scalar(i.Args[0]))
}

var scalarShifts = map[loop.Op][2]asm.Op{loop.Shl: {asm.SHL, asm.SHLX}, loop.Shr: {asm.SHR, asm.SHRX},
	loop.Sar: {asm.SAR, asm.SARX}}

// shiftScalar shifts x by y, a number without sign that may be the width or more.
func (g *gen) shiftScalar(op loop.Op, size asm.Size, x, y loop.Value) reg {
	c, most := g.c, int64(size)-1
	if n := g.nest.Inst(y); n.Op == loop.Const {
		by := uint64(constantOf(n))
		if size == asm.W32 {
			by &= 1<<32 - 1
		}
		switch {
		case by <= uint64(most):
			return g.withImmediate(scalarShifts[op][0], size, g.scalar(x), int64(by))
		case op == loop.Sar:
			return g.withImmediate(asm.SAR, size, g.scalar(x), most)
		}
		return c.imm(0)
	}
	by := g.scalar(y)
	if op == loop.Sar {
		last := c.imm(most)
		g.compareImmediate(size, by, most)
		by = g.chosen(asm.BE, by, last)
	}
	i := ins{in: inst(scalarShifts[op][1], size, 3)}
	i.r[1], i.r[2] = g.scalar(x), by
	r := c.define(i)
	if op == loop.Sar {
		return r
	}
	zero := c.imm(0)
	g.compareImmediate(size, by, most)
	return g.chosen(asm.BE, r, zero)
}

// wideProduct is the upper half of a product, or the whole of 32 bits by 32.
func (g *gen) wideProduct(i *loop.Inst) reg {
	c, x, y := g.c, i.Args[0], i.Args[1]
	if i.Kind == loop.I64 && i.Op != loop.MulU32 {
		op := asm.MUL
		if i.Op == loop.MulHiS {
			op = asm.IMUL1
		}
		by := g.scalar(y)
		c.move(rax, g.scalar(x))
		c.onPair(op, by)
		return c.copyOf(rdx)
	}
	if g.nest.Inst(x).Op == loop.Const {
		x, y = y, x
	}
	extend, size := asm.MOV, asm.W32
	if i.Op == loop.MulHiS {
		extend, size = asm.MOVSXD, asm.W64
	}
	product := ins{in: inst(asm.IMUL, asm.W64, 2), tie: c.grr(extend, size, g.scalar(x)), late: true}
	switch n := g.nest.Inst(y); {
	case n.Op != loop.Const:
		product.r[1] = c.grr(extend, size, g.scalar(y))
	case i.Op == loop.MulHiS:
		product.r[1] = c.imm(constantOf(n))
	default:
		product.r[1] = c.imm(int64(uint32(n.Imm)))
	}
	r := c.define(product)
	if i.Op == loop.MulU32 {
		return r
	}
	return g.withImmediate(asm.SHR, asm.W64, r, 32)
}

// divideScalars is a quotient or a remainder: by zero all bits set, or the dividend.
func (g *gen) divideScalars(op loop.Op, size asm.Size, x, y loop.Value) reg {
	signed, result := op == loop.SDiv || op == loop.SRem, rax
	if op == loop.SRem || op == loop.URem {
		result = rdx
	}
	c := g.c
	c.move(rax, g.scalar(x))
	d := g.scalar(y)
	byZero, negate, end := c.asm.NewLabel(), c.asm.NewLabel(), c.asm.NewLabel()
	c.flags(asm.TEST, size, d, d)
	c.jcc(asm.E, byZero)
	divide := asm.DIV
	if signed {
		divide = asm.IDIV
		g.compareImmediate(size, d, -1)
		c.jcc(asm.E, negate)
		c.add(ins{in: inst(asm.CQO, size, 0), def: -1})
	} else {
		c.moveImm(rdx, 0)
	}
	i := ins{in: inst(divide, size, 1), def: -1}
	i.r[0] = d
	c.add(i)
	c.jmp(end)
	c.bind(byZero)
	c.byZero()
	c.jmp(end)
	c.bind(negate)
	c.gun(asm.NEG, size, rax)
	c.moveImm(rdx, 0)
	c.bind(end)
	return c.copyOf(result)
}
