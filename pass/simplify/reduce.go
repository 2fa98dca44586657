package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// reductions is about reduce. Elements are taken in row-major order; a rule that changes
// the order asks that it does not show, or Options.AllowReassociation.
var reductions = Family{Name: "reduce", Doc: "Reduce.", Rules: []Rule{
	rule("reduce-degenerate", "reduce of dimensions of size 1, or of none -> f(init, x)", reduceDegenerate, op.Reduce),
	rule("reduce-empty", "reduce of dimensions of size 0 -> broadcast(init)", reduceEmpty, op.Reduce),
	optionRule("reduce-transpose", "reduce(transpose(x)) -> transpose(reduce(x))", reduceTranspose, op.Reduce),
	optionRule("reduce-split", "reduce(reshape(transpose(x))) -> transpose(reduce(reshape(x))), dimensions only cut",
		reduceSplit, op.Reduce),
	rule("reduce-transposes", "reduce(transpose(x), iota) -> reduce(x, iota) where the order of what is kept stays",
		reduceTransposes, op.Reduce),
	rule("reduce-reshapes", "reduce(reshape(transpose(x)), iota) -> reduce(transpose(x), reshape(iota)), if short",
		reduceReshapes, op.Reduce),
	rule("reduce-reshape", "reduce(reshape(x)) -> reshape(reduce(x))", reduceReshape, op.Reduce),
	optionRule("reduce-reduce", "reduce(reduce(x)) -> reduce(x), the same function in any order, if not long",
		reduceReduce, op.Reduce),
	rule("reduce-broadcast", "max(broadcast(x)) -> max(init, x), and for min, and, or", reduceBroadcast, op.Reduce),
	rule("reduce-broadcast-sum", "sum(broadcast(x)) -> x*count + init, integers", reduceBroadcastSum, op.Reduce),
	optionRule("reduce-pad", "reduce(pad(x, c)) -> reduce(x) where c changes nothing", reducePad, op.Reduce),
}}

func reduceDims(i *hlo.Instruction) []int { return attrsOf[*op.ReduceAttrs](i).Dimensions }

// reduced emits the reduce of x along dims from init, like i, with shape s.
func reduced(i *hlo.Instruction, s shape.Shape, x, init *hlo.Instruction, dims []int) *hlo.Instruction {
	operands := []*hlo.Instruction{x, init}
	return i.Computation().Add("", op.Reduce, s, operands, &op.ReduceAttrs{Dimensions: dims}, i.Called()...)
}

// typesMatch reports whether the called computation of i takes and gives, for n arrays,
// the element types of the operands.
func typesMatch(i *hlo.Instruction) bool {
	n := len(i.Operands()) / 2
	for k, p := range i.Called()[0].Params() {
		if p.Type() != i.Operand(k%n).Type() || p.Type() != i.Operand(n+k%n).Type() {
			return false
		}
	}
	for k, s := range resultShapes(i) {
		if s.Type != i.Operand(k).Type() {
			return false
		}
	}
	return true
}

// combined emits the called computation of i on init and on xs, arrays of the result's shape.
func combined(i *hlo.Instruction, xs []*hlo.Instruction) *hlo.Instruction {
	n := len(i.Operands()) / 2
	s := resultShapes(i)[0]
	args := make([]*hlo.Instruction, 2*n)
	for k := range n {
		init := i.Operand(n + k)
		args[k] = spread(i, s.WithType(init.Type()), init)
		args[n+k] = reshapeTo(i, s.WithType(xs[k].Type()), xs[k])
	}
	return together(i, inline(i, i.Called()[0], s, args))
}

func reduceDegenerate(i *hlo.Instruction) *hlo.Instruction {
	n := len(i.Operands()) / 2
	for _, d := range reduceDims(i) {
		if i.Operand(0).Dims()[d] != 1 {
			return nil
		}
	}
	if !inlinable(i.Called()[0]) || !typesMatch(i) {
		return nil
	}
	return combined(i, i.Operands()[:n])
}

func reduceEmpty(i *hlo.Instruction) *hlo.Instruction {
	n := len(i.Operands()) / 2
	if elements(i.Operand(0)) != 0 || !typesMatch(i) || resultShapes(i)[0].Size() == 0 {
		return nil
	}
	results := make([]*hlo.Instruction, n)
	for k, s := range resultShapes(i) {
		results[k] = spread(i, s, i.Operand(n+k))
	}
	return together(i, results)
}

// reduceTranspose: what is left of the permutation after the reduction follows it.
func reduceTranspose(i *hlo.Instruction, o Options) *hlo.Instruction {
	t := i.Operand(0)
	if len(i.Operands()) != 2 || !is(t, op.Transpose) {
		return nil
	}
	return reduceTransposed(i, o, permOf(t), func() *hlo.Instruction { return t.Operand(0) })
}

// reduceSplit: the dimensions are cut before they change places, as where pools have windows of one dimension.
func reduceSplit(i *hlo.Instruction, o Options) *hlo.Instruction {
	r := i.Operand(0)
	if len(i.Operands()) != 2 || !is(r, op.Reshape) || !is(r.Operand(0), op.Transpose) || elements(r) == 0 {
		return nil
	}
	perm, x := permOf(r.Operand(0)), r.Operand(0).Operand(0)
	cuts := make([][2]int, len(perm)) // of the dimensions of x, what they are in r
	for _, g := range groups(r.Operand(0).Dims(), r.Dims()) {
		if g.From[1]-g.From[0] != 1 {
			return nil
		}
		cuts[perm[g.From[0]]] = g.To
	}
	var sizes []int
	after := make([]int, r.Rank())
	for _, c := range cuts {
		for d := c[0]; d < c[1]; d++ {
			after[d] = len(sizes)
			sizes = append(sizes, r.Dims()[d])
		}
	}
	return reduceTransposed(i, o, after, func() *hlo.Instruction {
		return reshapeTo(i, shape.Make(x.Type(), sizes...), x)
	})
}

// reduceTransposed reduces what array gives instead of that array with its dimensions in the order of perm.
func reduceTransposed(i *hlo.Instruction, o Options, perm []int, array func() *hlo.Instruction) *hlo.Instruction {
	dims := slices.Sorted(slices.Values(reduceDims(i)))
	from := gatherInts(perm, dims)
	if r, ok := simpleReduce(i); !slices.IsSorted(from) && !(ok && r.anyOrder(o)) {
		return nil
	}
	x := array()
	keptThere := gatherInts(perm, complement(len(perm), dims)) // dimensions of x, in the order of the result
	kept := slices.Sorted(slices.Values(keptThere))
	slices.Sort(from)
	if isIdentity(rank(keptThere, kept)) {
		return reduced(i, i.Shape(), x, i.Operand(1), from)
	}
	s := shape.Make(i.Type(), gatherInts(x.Dims(), kept)...)
	return transposeTo(i, i.Shape(), reduced(i, s, x, i.Operand(1), from), rank(keptThere, kept))
}

// reduceTransposes is reduceTranspose of several arrays together, all of them transposed alike or iotas, along one
// dimension, as for the place of a maximum. Dimensions of size 1 may be anywhere.
func reduceTransposes(i *hlo.Instruction) *hlo.Instruction {
	n, dims := len(i.Operands())/2, reduceDims(i)
	first := slices.IndexFunc(i.Operands()[:n], func(x *hlo.Instruction) bool { return is(x, op.Transpose) })
	if n < 2 || len(dims) != 1 || first < 0 {
		return nil
	}
	perm, before := permOf(i.Operand(first)), i.Operand(first).Operand(0).Shape()
	kept := gatherInts(perm, complement(len(perm), dims))
	isOne := func(d int) bool { return before.Dims[d] == 1 }
	if !slices.IsSorted(slices.DeleteFunc(slices.Clone(kept), isOne)) {
		return nil
	}
	operands := slices.Clone(i.Operands())
	for k, x := range operands[:n] {
		switch {
		case is(x, op.Transpose) && slices.Equal(permOf(x), perm):
			operands[k] = x.Operand(0)
		case is(x, op.Iota):
			a := &op.IotaAttrs{Dimension: perm[attrsOf[*op.IotaAttrs](x).Dimension]}
			operands[k] = i.Computation().Add("", op.Iota, before.WithType(x.Type()), nil, a)
		default:
			return nil
		}
	}
	return reducedTogether(i, operands[:n], gatherInts(perm, dims))
}

// reducedTogether emits the reduce of several xs along dims like i, whose results have the same elements.
func reducedTogether(i *hlo.Instruction, xs []*hlo.Instruction, dims []int) *hlo.Instruction {
	before, shapes := xs[0].Shape(), slices.Clone(resultShapes(i))
	for k, s := range shapes {
		shapes[k] = shape.Make(s.Type, gatherInts(before.Dims, complement(before.Rank(), dims))...)
	}
	operands := append(slices.Clip(xs), i.Operands()[len(xs):]...)
	attrs := &op.ReduceAttrs{Dimensions: dims}
	r := i.Computation().Add("", op.Reduce, shape.MakeTuple(shapes...), operands, attrs, i.Called()...)
	results := make([]*hlo.Instruction, len(xs))
	for k, s := range resultShapes(i) {
		e := emit(i, op.GetTupleElement, shapes[k], &op.GetTupleElementAttrs{Index: k}, r)
		results[k] = reshapeTo(i, s, e)
	}
	return together(i, results)
}

// rank returns the place in sorted of each element of list.
func rank(list, sorted []int) []int {
	out := make([]int, len(list))
	for k, v := range list {
		out[k] = slices.Index(sorted, v)
	}
	return out
}

// reduceReshape works where each group of dimensions that belong together is reduced as a
// whole or not at all; the order of the elements stays.
func reduceReshape(i *hlo.Instruction) *hlo.Instruction {
	r := i.Operand(0)
	if len(i.Operands()) != 2 || !is(r, op.Reshape) || elements(r) == 0 {
		return nil
	}
	x := r.Operand(0)
	var dims []int
	for _, g := range groups(x.Dims(), r.Dims()) {
		count := 0
		for _, d := range reduceDims(i) {
			if g.To[0] <= d && d < g.To[1] {
				count++
			}
		}
		switch {
		case count == 0:
		case count < g.To[1]-g.To[0] && g.From[0] < g.From[1]:
			return nil
		default:
			for d := g.From[0]; d < g.From[1]; d++ {
				dims = append(dims, d)
			}
		}
	}
	kept := complement(x.Rank(), dims)
	s := shape.Make(i.Type(), gatherInts(x.Dims(), kept)...)
	if slices.Equal(s.Dims, i.Dims()) {
		return reduced(i, i.Shape(), x, i.Operand(1), dims)
	}
	return reshapeTo(i, i.Shape(), reduced(i, s, x, i.Operand(1), dims))
}

// shortReduction is from how many elements on a reduction of several arrays may become another (arg-reduction).
const shortReduction = 12

// reduceReshapes is reduceReshape of an array and an iota along the only dimension that is reduced, as for the place of
// a maximum, where that is made of dimensions that are apart in memory: its elements are numbered, not divided by their
// sizes.
func reduceReshapes(i *hlo.Instruction) *hlo.Instruction {
	dims := reduceDims(i)
	if len(i.Operands()) != 4 || len(dims) != 1 || !is(i.Operand(0), op.Reshape) || !is(i.Operand(1), op.Iota) ||
		attrsOf[*op.IotaAttrs](i.Operand(1)).Dimension != dims[0] {
		return nil
	}
	r := i.Operand(0)
	x, d, n := r.Operand(0), dims[0], r.Dims()[dims[0]]
	if !is(x, op.Transpose) || elements(r) == 0 || n >= shortReduction {
		return nil
	}
	list := groups(x.Dims(), r.Dims())
	g := list[slices.IndexFunc(list, func(g group) bool { return g.To[0] <= d && d < g.To[1] })]
	if g.To[1]-g.To[0] > 1 || g.From[1]-g.From[0] < 2 || isRun(permOf(x)[g.From[0]:g.From[1]]) {
		return nil
	}
	var from []int
	for k := g.From[0]; k < g.From[1]; k++ {
		from = append(from, k)
	}
	t := i.Operand(1).Type()
	numbers := emit(i, op.Iota, shape.Make(t, n), &op.IotaAttrs{})
	numbers = reshapeTo(i, shape.Make(t, x.Dims()[g.From[0]:g.From[1]]...), numbers)
	numbers = broadcastTo(i, x.Shape().WithType(t), numbers, from)
	return reducedTogether(i, []*hlo.Instruction{x, numbers}, from)
}

// isRun reports whether each of list is one more than the one before.
func isRun(list []int) bool {
	for k, v := range list {
		if v != list[0]+k {
			return false
		}
	}
	return true
}

// longReduction is from how many elements on two reductions stay apart: one of so many is cut in two (tree-reduction).
const longReduction = 1 << 18

// reduceReduce: the start of the inner reduction is folded in many times, the one of the
// outer only once.
func reduceReduce(i *hlo.Instruction, o Options) *hlo.Instruction {
	inner := i.Operand(0)
	r, ok := simpleReduce(i)
	if !ok || !is(inner, op.Reduce) || !r.anyOrder(o) || elements(inner) == 0 {
		return nil
	}
	if elements(inner.Operand(0)) >= longReduction*elements(i) {
		return nil
	}
	if q, ok := simpleReduce(inner); !ok || q != r {
		return nil
	}
	c, ok := splat(inner.Operand(1))
	neutral := ok && r.isIdentity(c)
	if !neutral && !(r.idempotent() && sameScalar(inner.Operand(1), i.Operand(1))) {
		return nil
	}
	dims := slices.Clone(reduceDims(inner))
	kept := complement(inner.Operand(0).Rank(), dims)
	dims = append(dims, gatherInts(kept, reduceDims(i))...)
	slices.Sort(dims)
	return reduced(i, i.Shape(), inner.Operand(0), i.Operand(1), dims)
}

// split sorts the reduced dimensions of i, a reduce of the broadcast b: own are dimensions
// of the operand of b, count is how often the others repeat each element, and to are the
// dimensions of the result that the kept dimensions of the operand become.
func split(i, b *hlo.Instruction) (own, to []int, count int, ok bool) {
	count = 1
	left := complement(b.Rank(), reduceDims(i))
	for _, d := range reduceDims(i) {
		if !slices.Contains(broadcastDims(b), d) {
			count *= b.Dims()[d]
		}
	}
	for k, d := range broadcastDims(b) {
		if b.Operand(0).Dims()[k] != b.Dims()[d] {
			return nil, nil, 0, false
		}
		if at := slices.Index(left, d); at >= 0 {
			to = append(to, at)
		} else {
			own = append(own, k)
		}
	}
	return own, to, count, len(own)+len(left) < b.Rank()
}

// remaining returns the shape of x without dimensions own.
func remaining(x *hlo.Instruction, own []int) shape.Shape {
	return shape.Make(x.Type(), gatherInts(x.Dims(), complement(x.Rank(), own))...)
}

func reduceBroadcast(i *hlo.Instruction) *hlo.Instruction {
	b := i.Operand(0)
	r, ok := simpleReduce(i)
	if !ok || !is(b, op.Broadcast) || !r.idempotent() || elements(i) == 0 {
		return nil
	}
	own, to, count, ok := split(i, b)
	if !ok || count == 0 {
		return nil
	}
	x := b.Operand(0)
	if len(own) > 0 {
		x = reduced(i, remaining(x, own), x, i.Operand(1), own)
		return broadcastTo(i, i.Shape(), x, to)
	}
	return like(i, r.code, spread(i, i.Shape(), i.Operand(1)), broadcastTo(i, i.Shape(), x, to))
}

func reduceBroadcastSum(i *hlo.Instruction) *hlo.Instruction {
	b := i.Operand(0)
	r, ok := simpleReduce(i)
	if !ok || !is(b, op.Broadcast) || r.code != op.Add || !r.t.IsInteger() || elements(i) == 0 {
		return nil
	}
	own, to, count, ok := split(i, b)
	if !ok {
		return nil
	}
	x := b.Operand(0)
	if len(own) > 0 {
		x = reduced(i, remaining(x, own), x, constant(i, literal.Zero(r.t)), own)
	}
	x = broadcastTo(i, i.Shape(), x, to)
	sum := like(i, op.Multiply, x, fillLike(i, number(r.t, int64(count))))
	return like(i, op.Add, sum, spread(i, i.Shape(), i.Operand(1)))
}

// reducePad: only the reduced dimensions may be padded. A sum of floats stays as it is
// unless it may be reassociated, since fewer elements may be added in another order.
func reducePad(i *hlo.Instruction, o Options) *hlo.Instruction {
	p := i.Operand(0)
	r, ok := simpleReduce(i)
	if !ok || !is(p, op.Pad) || !r.anyOrder(o) {
		return nil
	}
	c, ok := splat(p.Operand(1))
	if !ok || !r.isIdentity(c) {
		return nil
	}
	for d, pad := range paddingOf(p) {
		if min(pad.Low, pad.High) < 0 || !slices.Contains(reduceDims(i), d) && pad != (op.PadDim{}) {
			return nil
		}
	}
	return reduced(i, i.Shape(), p.Operand(0), i.Operand(1), reduceDims(i))
}
