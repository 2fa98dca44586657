package hlotest

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file proposes operations that call computations made as the module itself is.

// maxCalls is how deep random computations call others.
const maxCalls = 2

// inner returns a generator of a new computation with parameters of the given shapes.
func (g *generator) inner(name string, params ...shape.Shape) *generator {
	in := &generator{rng: g.rng, types: g.types, module: g.module, depth: g.depth + 1, special: g.special}
	in.entry = g.module.AddComputation(name)
	for i, s := range params {
		p := in.entry.Add("p", op.Parameter, s, nil, &op.ParameterAttrs{Number: i})
		if s.IsArray() {
			in.values = append(in.values, p)
			continue
		}
		for k, e := range s.Elems {
			in.add("", op.GetTupleElement, e, []*hlo.Instruction{p}, &op.GetTupleElementAttrs{Index: k})
		}
	}
	return in
}

// end makes the root: a value of each shape, in a tuple if there is not just one.
func (g *generator) end(results ...shape.Shape) *hlo.Computation {
	values := make([]*hlo.Instruction, len(results))
	for i, s := range results {
		values[i] = g.latest(s)
	}
	root := values[0]
	if len(values) > 1 {
		root = g.entry.Add("", op.Tuple, shape.MakeTuple(results...), values, nil)
	}
	g.entry.SetRoot(root)
	return g.entry
}

// latest returns the last value of shape s, or a new one.
func (g *generator) latest(s shape.Shape) *hlo.Instruction {
	for i := len(g.values) - 1; i >= 0; i-- {
		if g.values[i].Shape().Equal(s) {
			return g.values[i]
		}
	}
	return g.like(s)
}

// proposeCall calls a computation of some values: call and fusion.
func proposeCall(g *generator, code op.Code) (proposal, bool) {
	if g.depth >= maxCalls {
		return proposal{}, false
	}
	p := proposal{attrs: &op.CallAttrs{}}
	if code == op.Fusion {
		p.attrs = &op.FusionAttrs{Kind: "kLoop"}
	}
	var shapes []shape.Shape
	for range 1 + g.rng.IntN(3) {
		x := g.value()
		p.operands, shapes = append(p.operands, x), append(shapes, x.Shape())
	}
	in := g.inner("called", shapes...)
	in.grow(1 + g.rng.IntN(4))
	results := []shape.Shape{in.values[len(in.values)-1].Shape()}
	if g.rng.IntN(3) == 0 {
		results = append(results, in.value().Shape())
	}
	p.called = []*hlo.Computation{in.end(results...)}
	p.declared = result(results)
	return p, true
}

// result is the shape of one result, or of a tuple of several.
func result(shapes []shape.Shape) shape.Shape {
	if len(shapes) == 1 {
		return shapes[0]
	}
	return shape.MakeTuple(shapes...)
}

// proposeConditional chooses between two branches by a pred, or among up to three by an s32.
func proposeConditional(g *generator, _ op.Code) (proposal, bool) {
	if g.depth >= maxCalls {
		return proposal{}, false
	}
	t, branches := shape.Pred, 2
	if g.rng.IntN(2) == 0 {
		t, branches = shape.S32, 1+g.rng.IntN(3)
	}
	p := proposal{operands: []*hlo.Instruction{g.like(shape.Make(t))}, declared: g.value().Shape()}
	for range branches {
		x := g.value()
		in := g.inner("branch", x.Shape())
		in.grow(1 + g.rng.IntN(3))
		p.operands, p.called = append(p.operands, x), append(p.called, in.end(p.declared))
	}
	return p, true
}

// proposeWhile counts an s32 to a small number beside one or two other values.
func proposeWhile(g *generator, _ op.Code) (proposal, bool) {
	if g.depth >= maxCalls {
		return proposal{}, false
	}
	count := shape.Make(shape.S32)
	values := []*hlo.Instruction{g.entry.Add("", op.Constant, count, nil, &op.ConstantAttrs{Value: integer(0)}), g.value()}
	if g.rng.IntN(2) == 0 {
		values = append(values, g.value())
	}
	shapes := make([]shape.Shape, len(values))
	for i, v := range values {
		shapes[i] = v.Shape()
	}
	state := shape.MakeTuple(shapes...)
	init := g.entry.Add("", op.Tuple, state, values, nil)
	return proposal{operands: []*hlo.Instruction{init}, declared: state,
		called: []*hlo.Computation{g.condition(state), g.body(state)}}, true
}

// condition adds a computation that tells whether the counter is below a small number.
func (g *generator) condition(state shape.Shape) *hlo.Computation {
	in := g.inner("condition", state)
	limit := in.entry.Add("", op.Constant, shape.Make(shape.S32), nil, &op.ConstantAttrs{Value: integer(g.rng.IntN(5))})
	in.entry.SetRoot(in.entry.Add("", op.Compare, shape.Make(shape.Pred), []*hlo.Instruction{in.values[0], limit},
		&op.CompareAttrs{Direction: op.LT}))
	return in.entry
}

// body adds a computation that counts one up and makes something of the other values.
func (g *generator) body(state shape.Shape) *hlo.Computation {
	in := g.inner("body", state)
	counter := in.values[0]
	in.values = in.values[1:]
	in.grow(1 + g.rng.IntN(4))
	one := in.entry.Add("", op.Constant, counter.Shape(), nil, &op.ConstantAttrs{Value: integer(1)})
	next := []*hlo.Instruction{in.entry.Add("", op.Add, counter.Shape(), []*hlo.Instruction{counter, one}, nil)}
	for _, s := range state.Elems[1:] {
		next = append(next, in.latest(s))
	}
	in.entry.SetRoot(in.entry.Add("", op.Tuple, state, next, nil))
	return in.entry
}
