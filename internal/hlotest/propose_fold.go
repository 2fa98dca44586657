package hlotest

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file proposes operations that apply a computation to elements: reductions, windows, sorts.

func proposeReduce(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	t, attrs := x.Type(), &op.ReduceAttrs{Dimensions: g.dimensions(x)}
	if g.rng.IntN(3) > 0 {
		return proposal{operands: []*hlo.Instruction{x, g.like(shape.Make(t))}, attrs: attrs,
			called: []*hlo.Computation{g.folding(t)}}, true
	}
	y := g.varied(x.Shape().WithType(g.elementType()))
	u := y.Type()
	return proposal{operands: []*hlo.Instruction{x, y, g.like(shape.Make(t)), g.like(shape.Make(u))}, attrs: attrs,
		called: []*hlo.Computation{g.pairReducer(t, u)}}, true
}

// pairReducer adds a computation that folds pairs of elements of types t and u, each by itself.
func (g *generator) pairReducer(t, u shape.ElementType) *hlo.Computation {
	c := g.module.AddComputation("pair")
	p := scalarParams(c, t, u, t, u)
	x, y := g.combine(c, p[0], p[2]), g.combine(c, p[1], p[3])
	c.SetRoot(c.Add("", op.Tuple, shape.MakeTuple(shape.Make(t), shape.Make(u)), []*hlo.Instruction{x, y}, nil))
	return c
}

// folding adds a computation that folds elements of type t.
func (g *generator) folding(t shape.ElementType) *hlo.Computation {
	if t != shape.Pred {
		return g.reducer(g.reducerCode(t), t, t, nil)
	}
	c := g.module.AddComputation("fold")
	p := scalarParams(c, t, t)
	c.SetRoot(g.combine(c, p[0], p[1]))
	return c
}

// combine adds to c what combines x and y, of one type. Preds may be numbers in between, which are exact, and whose
// order does not matter: their sum is 1, or 1 or more, or their product is.
func (g *generator) combine(c *hlo.Computation, x, y *hlo.Instruction) *hlo.Instruction {
	t := x.Type()
	code := g.reducerCode(t)
	if t != shape.Pred || g.rng.IntN(2) == 0 {
		return c.Add("", code, shape.Make(t), []*hlo.Instruction{x, y}, nil)
	}
	types := []shape.ElementType{shape.S32, shape.F32, shape.F64, shape.S64, shape.BF16, shape.U8}
	s := shape.Make(types[g.rng.IntN(len(types))])
	direction := []op.Direction{op.EQ, op.GE}[g.rng.IntN(2)]
	if code != op.Multiply {
		code = op.Add
	}
	number := func(v *hlo.Instruction) *hlo.Instruction {
		return c.Add("", op.Convert, s, []*hlo.Instruction{v}, nil)
	}
	both := c.Add("", code, s, []*hlo.Instruction{number(x), number(y)}, nil)
	one := literal.New(s)
	if s.Type.IsFloat() {
		one.SetFloat(0, 1)
	} else {
		one.SetInt(0, 1)
	}
	k := c.Add("", op.Constant, s, nil, &op.ConstantAttrs{Value: one})
	return c.Add("", op.Compare, shape.Make(t), []*hlo.Instruction{both, k}, &op.CompareAttrs{Direction: direction})
}

// scalarParams adds scalar parameters of the given types.
func scalarParams(c *hlo.Computation, types ...shape.ElementType) []*hlo.Instruction {
	list := make([]*hlo.Instruction, len(types))
	for i, t := range types {
		list[i] = c.Add("p", op.Parameter, shape.Make(t), nil, &op.ParameterAttrs{Number: i})
	}
	return list
}

func proposeReduceWindow(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	t := x.Type()
	a := &op.WindowAttrs{}
	for range x.Dims() {
		a.Window.Dims = append(a.Window.Dims, op.WindowDim{Size: 1 + g.rng.IntN(2), Stride: 1 + g.rng.IntN(2),
			PaddingLow: g.rng.IntN(2), PaddingHigh: g.rng.IntN(2), BaseDilation: 1, WindowDilation: 1 + g.rng.IntN(2)})
	}
	return proposal{operands: []*hlo.Instruction{x, g.like(shape.Make(t))}, attrs: a,
		called: []*hlo.Computation{g.folding(t)}}, true
}

// proposeSelectAndScatter has the largest element under each window win.
func proposeSelectAndScatter(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	t := x.Type()
	if t.IsComplex() {
		return proposal{}, false
	}
	a := &op.WindowAttrs{}
	for range x.Dims() {
		a.Window.Dims = append(a.Window.Dims, op.WindowDim{Size: 1 + g.rng.IntN(3), Stride: 1 + g.rng.IntN(2),
			PaddingLow: g.rng.IntN(2), PaddingHigh: g.rng.IntN(2), BaseDilation: 1, WindowDilation: 1})
	}
	s, err := op.WindowShape(x.Shape(), a.Window, t)
	if err != nil || s.Size() == 0 {
		return proposal{}, false
	}
	choose := g.reducer(op.Compare, t, shape.Pred, &op.CompareAttrs{Direction: op.GE})
	return proposal{operands: []*hlo.Instruction{x, g.varied(s), g.like(shape.Make(t))}, attrs: a,
		called: []*hlo.Computation{choose, g.reducer(g.reducerCode(t), t, t, nil)}}, true
}

// proposeSort sorts one array, or two by the first.
func proposeSort(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	t := x.Type()
	if x.Rank() == 0 || t.IsComplex() {
		return proposal{}, false
	}
	a := &op.CompareAttrs{Direction: op.LT}
	if t.IsFloat() {
		a.Type = op.ComparisonTotalOrder
	}
	p := proposal{operands: []*hlo.Instruction{x},
		attrs: &op.SortAttrs{Dimensions: []int{g.rng.IntN(x.Rank())}, IsStable: true}}
	if g.rng.IntN(2) == 0 {
		p.called = []*hlo.Computation{g.reducer(op.Compare, t, shape.Pred, a)}
		return p, true
	}
	y := g.varied(x.Shape().WithType(g.elementType()))
	c := g.module.AddComputation("by_first")
	u := y.Type()
	params := scalarParams(c, t, t, u, u)
	c.SetRoot(c.Add("", op.Compare, shape.Make(shape.Pred), params[:2], a))
	p.operands, p.called = append(p.operands, y), []*hlo.Computation{c}
	return p, true
}
