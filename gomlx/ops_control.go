package gomlx

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// function checks that g, a function given to an operation of f, can be called with arguments of given shapes.
func (f *Function) function(what string, g compute.Function, args []shapes.Shape) (*Function, error) {
	fn, ok := g.(*Function)
	if !ok || fn == nil || fn.builder != f.builder {
		return nil, errors.Errorf("%s: expected a function of computation %q, got %T", what, f.builder.name, g)
	}
	if !fn.returned {
		return nil, errors.Errorf("%s: expected Return to be called for function %q first", what, fn.name)
	}
	if fn.parent != nil && !f.sees(fn.parent) {
		return nil, errors.Errorf("%s: the closure belongs to function %q, which %q is not in", what, fn.parent.name, f.name)
	}
	if len(args) != len(fn.params) {
		return nil, errors.Errorf("%s: function %q takes %d arguments, got %d", what, fn.name, len(fn.params), len(args))
	}
	for i, s := range args {
		if err := matches(fn.params[i].shape, s); err != nil {
			return nil, errors.WithMessagef(err, "%s: argument %d of function %q", what, i, fn.name)
		}
	}
	return fn, nil
}

// returnsCondition checks that fn returns one truth value.
func (f *Function) returnsCondition(what string, fn *Function) error {
	if len(fn.results) != 1 || fn.results[0].shape.DType != dtypes.Bool || fn.results[0].shape.Rank() != 0 {
		return errors.Errorf("%s: expected a function that returns one Bool scalar, got %v", what, shapesOf(fn.results))
	}
	return nil
}

// sameShapes returns an error unless two lists of results are of the same shapes.
func sameShapes(what string, want, got []*value) error {
	ok := len(want) == len(got)
	for i := 0; ok && i < len(want); i++ {
		ok = want[i].shape.DType == got[i].shape.DType && want[i].shape.EqualDimensions(got[i].shape)
	}
	if !ok {
		return errors.Errorf("%s: expected results of shapes %v, got %v", what, shapesOf(want), shapesOf(got))
	}
	return nil
}

// Call returns the results of a function.
func (f *Function) Call(g compute.Function, inputs ...compute.Value) ([]compute.Value, error) {
	in, err := f.values("Call", inputs...)
	if err != nil {
		return nil, err
	}
	fn, err := f.function("Call", g, shapesOf(in))
	if err != nil {
		return nil, err
	}
	captured := captures(fn)
	n := len(in)
	return asValues(f.addMany(compute.OpTypeCall, shapesOf(fn.results), append(in, captured...),
		func(l *lowering, in []xb.Op) []xb.Op { return l.call(fn, in[:n], captured, in[n:]) })), nil
}

// call returns the results of fn, which is written once for all calls with arguments of the same shapes.
func (l *lowering) call(fn *Function, args []xb.Op, captured []*value, passed []xb.Op) []xb.Op {
	key := fmt.Sprintf("%p", fn)
	operands := append(append([]xb.Op{}, args...), passed...)
	for _, x := range operands {
		key += " " + x.Shape().StringNoLayout()
	}
	comp, ok := l.module.functions[key]
	if !ok {
		name := identifier(fn.name)
		if name == "" {
			name = "closure"
		}
		b := l.b.SubBuilder(name)
		params := make([]xb.Op, len(operands))
		for i, x := range operands {
			params[i] = b.Parameter(i, x.Shape(), "")
		}
		results := l.inner(b, fn, params[:len(args)], captured, params[len(args):]).results()
		l.place(l.at)
		if l.module.err != nil {
			return nil
		}
		comp = b.Computation(b.Tuple(results...))
		l.module.functions[key] = comp
	}
	return elements(l.b.Call(comp, operands...))
}

// While applies body to the state for as long as condition of it is true, and returns the last state.
func (f *Function) While(condition, body compute.Function, initial ...compute.Value) ([]compute.Value, error) {
	in, err := f.values("While", initial...)
	if err != nil {
		return nil, err
	}
	cond, err := f.function("While: condition", condition, shapesOf(in))
	if err != nil {
		return nil, err
	}
	if err := f.returnsCondition("While: condition", cond); err != nil {
		return nil, err
	}
	step, err := f.function("While: body", body, shapesOf(in))
	if err != nil {
		return nil, err
	}
	if err := sameShapes("While: body", in, step.results); err != nil {
		return nil, err
	}
	captured := captures(cond, step)
	n := len(in)
	return asValues(f.addMany(compute.OpTypeWhile, shapesOf(in), append(in, captured...),
		func(l *lowering, in []xb.Op) []xb.Op { return l.while(cond, step, in, n, captured) })), nil
}

// while writes a loop. Its state is the first n operands, and the captured values, which stay as they are.
func (l *lowering) while(cond, step *Function, operands []xb.Op, n int, captured []*value) []xb.Op {
	init := l.b.Tuple(operands...)
	test := l.tupleClosure("condition", cond, init.Shape(), captured, func(_ *xb.Builder, results, _ []xb.Op) xb.Op {
		return results[0]
	})
	body := l.tupleClosure("body", step, init.Shape(), captured, func(b *xb.Builder, results, passed []xb.Op) xb.Op {
		return b.Tuple(append(results, passed...)...)
	})
	if l.module.err != nil {
		return nil
	}
	return elements(xb.While(test, body, init))[:n]
}

// If returns the results of onTrue if condition is true, else those of onFalse.
func (f *Function) If(condition compute.Value, onTrue, onFalse compute.Function) ([]compute.Value, error) {
	in, err := f.values("If", condition)
	if err != nil {
		return nil, err
	}
	if s := in[0].shape; s.DType != dtypes.Bool || s.Rank() != 0 {
		return nil, errors.Errorf("If: expected a Bool scalar as condition, got %s", s)
	}
	yes, err := f.function("If: first branch", onTrue, nil)
	if err != nil {
		return nil, err
	}
	no, err := f.function("If: second branch", onFalse, nil)
	if err != nil {
		return nil, err
	}
	if err := sameShapes("If: second branch", yes.results, no.results); err != nil {
		return nil, err
	}
	forYes, forNo := captures(yes), captures(no)
	n := 1 + len(forYes)
	return asValues(f.addMany(compute.OpTypeIf, shapesOf(yes.results), append(append(in, forYes...), forNo...),
		func(l *lowering, in []xb.Op) []xb.Op {
			branch := func(name string, fn *Function, captured []*value, operands []xb.Op) (xb.Op, xb.Computation) {
				t := l.b.Tuple(operands...)
				return t, l.tupleClosure(name, fn, t.Shape(), captured, func(b *xb.Builder, results, _ []xb.Op) xb.Op {
					return b.Tuple(results...)
				})
			}
			a, first := branch("on_true", yes, forYes, in[1:n])
			b, second := branch("on_false", no, forNo, in[n:])
			if l.module.err != nil {
				return nil
			}
			return elements(xb.Conditional(in[0], a, first, b, second))
		})), nil
}

// Sort returns the inputs sorted together along an axis: an element goes in front of another where comparator,
// called with the two elements of the first input, then those of the second and so on, says so. A comparator may use
// scalars of the functions around it.
func (f *Function) Sort(comparator compute.Function, axis int, stable bool, inputs ...compute.Value) (
	[]compute.Value, error) {
	in, err := f.values("Sort", inputs...)
	if err != nil {
		return nil, err
	}
	if len(in) == 0 {
		return nil, errors.New("Sort: expected an input, got none")
	}
	s := in[0].shape
	if axis < 0 || axis >= s.Rank() {
		return nil, errors.Errorf("Sort: expected an axis of %s, got %d", s, axis)
	}
	scalars := make([]shapes.Shape, 2*len(in))
	for i, v := range in {
		if !v.shape.EqualDimensions(s) {
			return nil, errors.Errorf("Sort: expected inputs of equal sizes, got %s and %s", s, v.shape)
		}
		scalars[2*i] = shapes.Make(v.shape.DType)
		scalars[2*i+1] = scalars[2*i]
	}
	fn, err := f.function("Sort: comparator", comparator, scalars)
	if err != nil {
		return nil, err
	}
	if err := f.returnsCondition("Sort: comparator", fn); err != nil {
		return nil, err
	}
	captured := captures(fn)
	for _, v := range captured {
		if v.shape.Rank() != 0 {
			return nil, errors.Errorf("Sort: expected the comparator to use scalars of other functions only, got %s", v.shape)
		}
	}
	n := len(in)
	return asValues(f.addMany(compute.OpTypeSort, shapesOf(in), append(in, captured...),
		func(l *lowering, in []xb.Op) []xb.Op { return l.sort(fn, in[:n], captured, in[n:], axis, stable) })), nil
}

// sort writes a sort. HLO passes elements of arrays only to a comparator, so captured scalars become arrays, of
// equal elements, that are sorted as well.
func (l *lowering) sort(fn *Function, arrays []xb.Op, captured []*value, scalars []xb.Op, axis int,
	stable bool) []xb.Op {
	n := len(arrays)
	operands := append([]xb.Op{}, arrays...)
	for _, x := range scalars {
		operands = append(operands, xb.Broadcast(x, arrays[0].Shape().Dims...))
	}
	b := l.b.SubBuilder("comparator")
	left, right := make([]xb.Op, len(operands)), make([]xb.Op, len(operands))
	for i, x := range operands { // HLO has the two elements of each array side by side
		left[i] = b.Parameter(2*i, shape.Make(x.Type()), "")
		right[i] = b.Parameter(2*i+1, shape.Make(x.Type()), "")
	}
	var params []xb.Op
	for i := range n {
		params = append(params, left[i], right[i])
	}
	results := l.inner(b, fn, params, captured, left[n:]).results()
	l.place(l.at)
	if l.module.err != nil {
		return nil
	}
	return xb.SortMany(operands, b.Computation(results[0]), axis, stable)[:n]
}
