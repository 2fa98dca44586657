package emit

import "github.com/goxla/xla/cpu/loop"

// What is made of the sums of several rows, the mean or the root of a variance, is the same for each of them. The sums
// are lanes of one vector, so it is computed once for all rows, and a lane is spread only where a row goes on alone.
// What nobody goes on with is not spread: code that has no use is dropped (alloc.go).

// foldedOp is an operation on such vectors, and on values that are the same for all rows.
type foldedOp struct {
	op      loop.Op
	kind    loop.Kind
	imm     uint64
	vectors [3]reg
	values  [3]loop.Value
}

// ofLanes are the operations that make of each lane what they make of it in any other vector.
var ofLanes = map[loop.Op]bool{loop.Add: true, loop.Sub: true, loop.Mul: true, loop.Div: true, loop.Sqrt: true,
	loop.FMA: true, loop.FMS: true, loop.FNMA: true, loop.FNMS: true, loop.Neg: true, loop.Abs: true, loop.Min: true,
	loop.Max: true, loop.MinX: true, loop.MaxX: true, loop.Cmp: true, loop.Select: true}

// ofFolded makes v, outside of lane loops, if it is made of lanes of one or more vectors that have a lane for each row.
func (g *gen) ofFolded(v loop.Value, i *loop.Inst) bool {
	if g.lanes != nil || len(g.folded) == 0 {
		return false
	}
	delete(g.folded, v)
	o, lane := g.foldedOp(v, i)
	if lane < 0 {
		return false
	}
	x, ok := g.foldedOps[o]
	if !ok {
		x = g.computeFolded(i)
		if g.foldedOps == nil {
			g.foldedOps = map[foldedOp]reg{}
		}
		g.foldedOps[o] = x
	}
	f := foldedLane{x, lane}
	if i.Kind == loop.Mask {
		g.define(v, g.compute(v, i)) // a lane of a mask is not spread
	} else {
		g.define(v, g.spreadLane(f, i.Kind))
	}
	g.folded[v] = f
	return true
}

// foldedOp returns what makes v in all lanes, and the lane that v is, -1 if there is nothing that does.
func (g *gen) foldedOp(v loop.Value, i *loop.Inst) (o foldedOp, lane int) {
	if !ofLanes[i.Op] || !i.Kind.IsFloat() && i.Kind != loop.Mask || g.general[v] {
		return o, -1
	}
	o, lane = foldedOp{op: i.Op, kind: i.Kind, imm: i.Imm}, -1
	for k, a := range i.Operands() {
		f, ok := g.folded[a]
		switch {
		case !ok && (g.nest.Kind(a) == loop.Mask || g.condition[a] || g.general[a]):
			return o, -1
		case !ok:
			o.values[k] = a
		case lane >= 0 && lane != f.lane:
			return o, -1
		default:
			o.vectors[k], lane = f.vector, f.lane
		}
	}
	return o, lane
}

// computeFolded computes i for all lanes of the vectors that its operands are lanes of.
func (g *gen) computeFolded(i *loop.Inst) reg {
	var x [3]reg
	for k, a := range i.Operands() {
		if f, ok := g.folded[a]; ok {
			x[k] = f.vector
		} else {
			x[k] = g.value(a)
		}
	}
	k := i.Kind
	if k == loop.Mask {
		k = g.nest.Kind(i.Args[0])
	}
	g.width = int(g.c.vl) / k.Bits()
	defer func() { g.width = 0 }()
	return g.t.table().find(i.Op, i.Kind, g.operandKind(i))(g, i, x)
}
