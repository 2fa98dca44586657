package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// reducer is what a reduction does with its values: comp, which takes the values so far
// and then the new elements; lanes holds the loop operation of each value where
// comp is that simple and any order will do.
type reducer struct {
	comp  *hlo.Computation
	lanes []loop.Op
	// choose, if not nil, takes the place of comp.
	choose func(acc, next []elem.Value) []elem.Value
}

// reducerOf looks whether comp combines each of its n values with its element by one operation.
func reducerOf(comp *hlo.Computation, n int) reducer {
	r := reducer{comp: comp}
	roots := []*hlo.Instruction{comp.Root()}
	if n > 1 || comp.Root().Code() == op.Tuple {
		roots = comp.Root().Operands()
	}
	if len(roots) != n {
		return r
	}
	lanes := make([]loop.Op, 0, 2*n)
	for k, root := range roots {
		o := combiner(root)
		if rounds(root) && (n > 1 || o != loop.Add) {
			o = loop.Invalid
		}
		if o == loop.Invalid || !isParam(root.Operand(0), root.Operand(1), k, k+n) {
			return r
		}
		lanes = append(lanes, o)
	}
	r.lanes = lanes
	return r
}

// rounds reports whether arithmetic in the type of i is done in a wider one and rounded after each step. Only a
// plain sum is rounded once, at its end, as in the evaluator.
func rounds(i *hlo.Instruction) bool {
	t := i.Type()
	return t.IsFloat() && t.Bits() < 32 && (i.Code() == op.Add || i.Code() == op.Multiply)
}

// isParam reports whether a and b are the parameters p and q, in any order.
func isParam(a, b *hlo.Instruction, p, q int) bool {
	number := func(i *hlo.Instruction) int {
		if i.Code() != op.Parameter {
			return -1
		}
		return i.Attrs().(*op.ParameterAttrs).Number
	}
	x, y := number(a), number(b)
	return x == p && y == q || x == q && y == p
}

// combiner is the loop operation of an instruction that combines two elements, if order
// does not matter to it.
func combiner(i *hlo.Instruction) loop.Op {
	t := i.Type()
	unsigned := t.IsUnsigned()
	switch {
	case t == shape.Pred:
		return predCombiners[i.Code()]
	case t.IsComplex() && i.Code() != op.Add:
		return loop.Invalid
	case unsigned && i.Code() == op.Minimum:
		return loop.UMin
	case unsigned && i.Code() == op.Maximum:
		return loop.UMax
	}
	return combiners[i.Code()]
}

var combiners = [op.NumCodes]loop.Op{
	op.Add: loop.Add, op.Multiply: loop.Mul, op.Minimum: loop.Min, op.Maximum: loop.Max,
	op.And: loop.And, op.Or: loop.Or, op.Xor: loop.Xor,
}

var predCombiners = [op.NumCodes]loop.Op{
	op.Add: loop.Or, op.Multiply: loop.And, op.Minimum: loop.And, op.Maximum: loop.Or,
	op.And: loop.And, op.Or: loop.Or, op.Xor: loop.Xor,
}

// step is one contribution to a reduction: the elements, and where they count. The zero step is none.
type step struct {
	elems []elem.Value
	// by, if set, are second factors, the zero value for none: the product with elems is what is added, rounded once
	// with the sum where the type has that.
	by []elem.Value
	on loop.Value // Mask, or 0 for everywhere
	// of, if set, makes number k of elems and by: each where it is wanted, so that not all are there at once.
	of func(k int) (x, by elem.Value)
	// next, if not nil, is the step that follows.
	next *step
}

// factors returns number k of the elements of s, and of the second factors.
func (s *step) factors(k int) (x, by elem.Value) {
	switch {
	case s.of != nil:
		return s.of(k)
	case s.by != nil:
		return s.elems[k], s.by[k]
	}
	return s.elems[k], by
}

// reduce runs loops over extents and combines what body gives at each position, starting
// from init. The innermost loop has lanes if the reducer allows and none is open.
func (g *gen) reduce(r reducer, init []elem.Value, extents []int, body func(pos []Expr) step) []elem.Value {
	extents = slices.Clone(extents)
	if len(extents) == 0 {
		return g.combine(r, init, body(nil))
	}
	if g.b.Code && !g.b.Wide && r.lanes != nil && product(extents) >= leastTurnedSign {
		return g.reduceTurned(r, init, extents, body)
	}
	return g.reduceFrom(r, init, extents, nil, body)
}

func (g *gen) reduceFrom(r reducer, acc []elem.Value, extents []int, pos []Expr, body func([]Expr) step) []elem.Value {
	d := len(pos)
	if d == len(extents) {
		writes := g.writes
		defer func() { g.writes = writes }()
		g.writes = 0 // for what the operands are computed from
		return g.combine(r, acc, body(pos))
	}
	if extents[d] == 1 || product(extents[d:]) <= g.writes || g.bytes && g.lane && isShortRow(product(extents[d:])) {
		pos = append(g.exprs.take(d + 1)[:0], pos...)[:d+1] // one for all: what is made of it does not keep it
		for v := range extents[d] {
			pos[d] = constant(int64(v))
			acc = g.reduceFrom(r, acc, extents, pos, body)
		}
		return acc
	}
	lanes := d == len(extents)-1 && !g.lane && r.lanes != nil && extents[d] > 1
	carries := make([]loop.Reduction, 0, 2*len(acc))
	for k, v := range acc {
		o := loop.Invalid
		if lanes {
			o = r.lanes[k]
		}
		for _, part := range parts(v) {
			carries = append(carries, loop.Reduction{Init: part, Reduce: o})
		}
	}
	spec := loop.Spec{Extent: int64(extents[d]), Lanes: lanes}
	outer := g.folds
	defer func() { g.folds = outer }()
	g.folds = lanes
	outs := g.carry(spec, carries, func(v int, phis []loop.Value) []loop.Value {
		next := g.reduceFrom(r, rebuild(acc, phis), extents, append(pos[:d:d], variable(v)), body)
		var flat []loop.Value
		for _, e := range next {
			flat = append(flat, parts(e)...)
		}
		return flat
	})
	return rebuild(acc, outs)
}

// parts are the loop values of v.
func parts(v elem.Value) []loop.Value {
	if v.Im != 0 {
		return []loop.Value{v.Re, v.Im}
	}
	return []loop.Value{v.Re}
}

// rebuild makes values like these of other loop values.
func rebuild(like []elem.Value, flat []loop.Value) []elem.Value {
	out := make([]elem.Value, len(like))
	for k, v := range like {
		out[k] = elem.Value{Type: v.Type, Re: flat[0]}
		flat = flat[1:]
		if v.Im != 0 {
			out[k].Im, flat = flat[0], flat[1:]
		}
	}
	return out
}

// combine adds one step to acc. A simple reducer is applied to the parts as they are, without rounding
// to a narrow type: the sum is rounded at its end.
func (g *gen) combine(r reducer, acc []elem.Value, s step) []elem.Value {
	if s.next != nil {
		next := s.next
		s.next = nil
		return g.combine(r, g.combine(r, acc, s), *next)
	}
	if s.elems == nil && s.of == nil {
		return acc
	}
	var out []elem.Value
	if r.lanes != nil {
		out = g.combineSimple(r, acc, s)
	} else {
		for k := 0; s.of != nil && k < len(acc); k++ {
			x, _ := s.of(k)
			s.elems = append(s.elems, x)
		}
		if r.choose != nil {
			out = r.choose(acc, s.elems)
		} else {
			out = g.inline(r.comp, append(slices.Clone(acc), s.elems...))
		}
		if s.on != 0 {
			for k := range out {
				out[k] = elem.Select(g.b, s.on, out[k], acc[k])
			}
		}
	}
	return out
}

// combineSimple: where a step does not count, an element that changes nothing takes its place.
func (g *gen) combineSimple(r reducer, acc []elem.Value, s step) []elem.Value {
	out := g.elems.take(len(acc))
	for k := range acc {
		next := make([]loop.Value, 0, 2)
		old := parts(acc[k])
		v, by := s.factors(k)
		if by.Re != 0 {
			out[k] = g.addProduct(acc[k], v, by, s.on)
			continue
		}
		for p, x := range parts(v) {
			kind := g.b.Kind(x)
			if s.on != 0 {
				x = g.b.Op(loop.Select, kind, s.on, x, g.identity(r.lanes[k], kind))
			}
			next = append(next, g.b.Op(r.lanes[k], kind, old[p], x))
		}
		out[k] = rebuild(acc[k:k+1], next)[0]
	}
	return out
}

// addProduct adds x*y to acc where on holds. A value that is combined across lanes may be used in the sum alone, so
// there the factors are made 0.
func (g *gen) addProduct(acc, x, y elem.Value, on loop.Value) elem.Value {
	k := g.b.Kind(acc.Re)
	if g.folds && on != 0 {
		zero := elem.Convert(g.b, elem.Value{Type: shape.S32, Re: g.b.Int(loop.I32, 0)}, x.Type)
		x, y, on = elem.Select(g.b, on, x, zero), elem.Select(g.b, on, y, zero), 0
	}
	next := acc
	switch {
	case k.IsFloat():
		next.Re = g.b.Op(loop.FMA, k, x.Re, y.Re, acc.Re)
		if acc.Im != 0 {
			next.Re = g.b.Op(loop.FNMA, k, x.Im, y.Im, next.Re)
			next.Im = g.b.Op(loop.FMA, k, x.Im, y.Re, g.b.Op(loop.FMA, k, x.Re, y.Im, acc.Im))
		}
	default:
		p, err := elem.Apply(g.b, op.Multiply, nil, acc.Type, []elem.Value{x, y})
		if err != nil {
			panic(unsupported{err})
		}
		next.Re = g.b.Op(loop.Add, k, acc.Re, p.Re)
	}
	if on != 0 {
		next = elem.Select(g.b, on, next, acc)
	}
	return next
}

// identity is the value that changes nothing when combined by o.
func (g *gen) identity(o loop.Op, k loop.Kind) loop.Value { return g.b.Const(k, loop.Identity(o, k)) }

// inline computes a computation on scalars.
func (g *gen) inline(c *hlo.Computation, args []elem.Value) []elem.Value {
	values := map[*hlo.Instruction][]elem.Value{}
	for _, i := range c.PostOrder() {
		values[i] = g.inlineOne(i, args, values)
	}
	return values[c.Root()]
}

func (g *gen) inlineOne(i *hlo.Instruction, args []elem.Value, values map[*hlo.Instruction][]elem.Value) []elem.Value {
	switch i.Code() {
	case op.Parameter:
		if i.IsTuple() { // the state of a loop
			return args
		}
		v := args[i.Attrs().(*op.ParameterAttrs).Number]
		if v.Type != i.Type() { // precisions of floats may differ
			v = elem.Convert(g.b, v, i.Type())
		}
		return []elem.Value{v}
	case op.Constant:
		return emitConstant(g, i, nil, 0)
	case op.GetTupleElement:
		k := i.Attrs().(*op.GetTupleElementAttrs).Index
		return values[i.Operand(0)][k : k+1]
	}
	operands := make([]elem.Value, 0, len(i.Operands()))
	for _, o := range i.Operands() {
		operands = append(operands, values[o][0])
	}
	switch i.Code() {
	case op.Tuple:
		return operands
	case op.Copy, op.Reshape, op.Broadcast, op.Transpose, op.Bitcast:
		return operands
	case op.Call, op.Map, op.Fusion:
		return g.inline(i.Called()[0], operands)
	}
	v, err := elem.Apply(g.b, i.Code(), i.Attrs(), i.Type(), operands)
	if err != nil {
		fail(i, "%v", err)
	}
	return []elem.Value{v}
}

// inlines reports whether inline can do c.
func inlines(c *hlo.Computation) bool {
	return !slices.ContainsFunc(c.Instructions(), func(i *hlo.Instruction) bool { return !inlinesOne(i) })
}

func inlinesOne(i *hlo.Instruction) bool {
	switch i.Code() {
	case op.Parameter, op.GetTupleElement, op.Tuple:
		return true
	case op.Constant:
		return admitConstant(i)
	case op.Call, op.Map, op.Fusion:
		return inlines(i.Called()[0])
	}
	return i.Rank() == 0 && (indexMaps[i.Code()] != nil || admitElementwise(i))
}

// normalize rounds or wraps values that were combined without it.
func (g *gen) normalize(vs []elem.Value) []elem.Value {
	for k, v := range vs {
		vs[k] = elem.Normalize(g.b, v)
	}
	return vs
}

func emitReduce(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	return g.reduceTogether([]*hlo.Instruction{i}, idx, guard)[0]
}

// maxWritten is the most elements of a reduction inside of another that is written out.
const maxWritten = 4

// reduceTogether computes reductions over the same dimensions of operands of the same
// shape in one pass, at idx of the kept dimensions.
func (g *gen) reduceTogether(list []*hlo.Instruction, idx []Expr, guard loop.Value) [][]elem.Value {
	dims := list[0].Attrs().(*op.ReduceAttrs).Dimensions
	all := list[0].Operand(0).Dims()
	var extents []int
	for _, d := range sorted(dims) {
		extents = append(extents, all[d])
	}
	joint := reducer{lanes: []loop.Op{}}
	var acc []elem.Value
	for _, i := range list {
		n := len(i.Operands()) / 2
		r := reducerOf(i.Called()[0], n)
		if joint.lanes = append(joint.lanes, r.lanes...); r.lanes == nil {
			joint = r
		}
		for _, init := range i.Operands()[n:] {
			acc = append(acc, g.one(init, nil, guard))
		}
	}
	writes := g.writes
	defer func() { g.writes = writes }()
	if g.reducing && product(extents) <= maxWritten {
		g.writes = max(writes, maxWritten)
	}
	if g.stacked(list) {
		g.writes = max(g.writes, product(extents))
	}
	var operands []*hlo.Instruction
	for _, i := range list {
		operands = append(operands, i.Operands()[:len(i.Operands())/2]...)
	}
	whole := func(pos []Expr) []Expr { return g.merge(idx, pos, sorted(dims), len(all)) }
	body := func(pos []Expr) step {
		at := whole(pos)
		return step{of: func(k int) (x, by elem.Value) {
			full, reducing := g.full, g.reducing
			defer func() { g.full, g.reducing = full, reducing }()
			g.full, g.reducing = g.places.of(at), true
			return g.factors(joint, k, operands[k], at, guard)
		}}
	}
	out := acc
	if g.hasKeys(joint, acc, operands, dims) {
		out = g.reduceKeys(joint, acc, extents, body)
	} else {
		for _, s := range g.abreast(joint, operands, extents, whole, body) {
			out = g.reduceLong(joint, out, s)
		}
	}
	out = g.normalize(out)
	split := make([][]elem.Value, len(list))
	for k, i := range list {
		n := len(i.Operands()) / 2
		split[k], out = out[:n:n], out[n:]
	}
	return split
}

// factors returns what value number k of r gets of o: the factors of a product that is added to a sum, or the element
// and no second factor.
func (g *gen) factors(r reducer, k int, o *hlo.Instruction, at []Expr, guard loop.Value) (x, by elem.Value) {
	i, idx := g.moved(o, at)
	t := o.Type()
	if g.stays(i) || i.Code() != op.Multiply || t != i.Type() || t != shape.F32 && t != shape.F64 ||
		r.lanes == nil || r.lanes[k] != loop.Add {
		return g.one(o, at, guard), elem.Value{}
	}
	return g.one(i.Operand(0), idx, guard), g.one(i.Operand(1), idx, guard)
}

// stays reports whether the elements of i are in memory, or are brought there.
func (g *gen) stays(i *hlo.Instruction) bool {
	return g.inMemory(i) || g.keep != nil && g.keep.inst == i
}

// merge puts pos at dimensions dims and idx at the others.
func (g *gen) merge(idx, pos []Expr, dims []int, rank int) []Expr {
	at := g.exprs.take(rank)[:0]
	for d := range rank {
		if k := slices.Index(dims, d); k >= 0 {
			at = append(at, pos[k])
			continue
		}
		at = append(at, idx[0])
		idx = idx[1:]
	}
	return at
}

// sorted returns dims in ascending order, which they have for the most part. The result is not to be changed.
func sorted(dims []int) []int {
	if slices.IsSorted(dims) {
		return dims
	}
	dims = slices.Clone(dims)
	slices.Sort(dims)
	return dims
}

func admitReduce(i *hlo.Instruction) bool {
	return i.Operand(0).Size() > 0 && inlines(i.Called()[0])
}
