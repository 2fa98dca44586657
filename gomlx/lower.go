package gomlx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// lowering writes one function as a computation of HLO, for known sizes of all parameters.
//
// A closure becomes a computation of its own, which in HLO sees nothing of the one around it: what it uses from
// there is passed to it as further parameters (see capture). Only constants are written anew where they are used.
type lowering struct {
	module *moduleLowering
	b      *xb.Builder
	fn     *Function // whose values belong to the computation
	params []xb.Op
	env    map[*value]xb.Op
	sizes  map[string]int // of dynamic dimensions, by their names
	at     *node          // that is written
}

// moduleLowering is what the lowerings of one module share.
type moduleLowering struct {
	sizes     map[*value]int // of scalars that are used as sizes and depend on arguments
	functions map[string]xb.Computation
	err       error
}

// needSize is the error of a lowering that must know the value of a scalar, which is used as a size.
type needSize struct{ v *value }

// Error says what is missing.
func (e *needSize) Error() string {
	return fmt.Sprintf("the size of a dimension depends on the value of a %s in a loop or a called function",
		e.v.node.op)
}

// lowerMain returns the module that computes the roots, values of main, from parameters of the given shapes.
func lowerMain(main *Function, roots []*value, params []shapes.Shape, sizes map[*value]int, replicas int) (
	*hlo.Module, error) {
	b := xb.NewWith(moduleName(main.builder.name), xb.Options{Replicas: replicas})
	l := &lowering{module: &moduleLowering{sizes: sizes, functions: map[string]xb.Computation{}}, b: b, fn: main,
		env: map[*value]xb.Op{}}
	for i, s := range params {
		l.place(main.params[i].node)
		l.params = append(l.params, b.Parameter(i, hloShape(s), identifier(main.names[i])))
	}
	if err := l.bind(main); err != nil {
		return nil, err
	}
	ops := make([]xb.Op, len(roots))
	for i, r := range roots {
		ops[i] = l.op(r)
	}
	if l.module.err != nil {
		return nil, l.module.err
	}
	return b.BuildTuple(ops...)
}

// bind sets the sizes of the dynamic dimensions that the parameters of fn name.
func (l *lowering) bind(fn *Function) error {
	bindings := shapes.AxisBindings{}
	for i, p := range fn.params {
		if err := bindings.Extract(p.shape, shapeOf(l.params[i].Shape())); err != nil {
			return errors.WithMessagef(err, "parameter %d %q", i, fn.names[i])
		}
	}
	if l.sizes == nil {
		l.sizes = map[string]int{}
	}
	for name, size := range bindings {
		l.sizes[name] = size
	}
	return nil
}

// place gives what is written from now on the place of n, for errors: the operation, and which of all it is.
func (l *lowering) place(n *node) {
	l.at = n
	if n != nil {
		l.b.At(op.Pos{File: n.op.String(), Line: n.number}, nil)
	}
}

// fail keeps the first error of the module.
func (l *lowering) fail(err error) {
	if l.module.err == nil {
		l.module.err = err
	}
}

// parameter returns parameter number of fn.
func (l *lowering) parameter(fn *Function, number int) xb.Op {
	if fn != l.fn {
		l.fail(errors.Errorf("parameter %q of another function is not passed on", fn.names[number]))
		return xb.Op{}
	}
	return l.params[number]
}

// op returns the value v in HLO, and writes what it needs.
func (l *lowering) op(v *value) xb.Op {
	if x, ok := l.env[v]; ok || l.module.err != nil {
		return x
	}
	in := make([]xb.Op, len(v.node.inputs))
	for i, x := range v.node.inputs {
		in[i] = l.op(x)
	}
	if l.module.err != nil {
		return xb.Op{}
	}
	around := l.at
	l.place(v.node)
	outs := v.node.emit(l, in)
	for i, o := range v.node.outs {
		if i < len(outs) {
			l.check(o, outs[i])
			l.env[o] = outs[i]
		}
	}
	l.place(around)
	return l.env[v]
}

// check compares the shape of v with what it became.
func (l *lowering) check(v *value, x xb.Op) {
	if l.module.err != nil {
		return
	}
	if !x.IsValid() {
		err := l.b.Err()
		if err == nil {
			err = errors.Errorf("%s: no instruction was made", v.node.op)
		}
		l.fail(err)
		return
	}
	got := x.Shape()
	ok := got.Type == elementType(v.shape.DType) && got.Rank() == v.shape.Rank()
	for i := 0; ok && i < got.Rank(); i++ {
		d := v.shape.Dimensions[i]
		ok = d == shapes.DynamicDim || d == got.Dims[i]
	}
	if !ok {
		l.fail(errors.Errorf("%s: expected a result of shape %s, got %s", v.node.op, v.shape, got.StringNoLayout()))
	}
}

// captures returns the values of functions around fn that fn, which has returned, uses. Constants are left out.
func captures(fns ...*Function) []*value {
	var list []*value
	seen := map[*value]bool{}
	for _, fn := range fns {
		var visit func(v *value)
		visit = func(v *value) {
			if seen[v] {
				return
			}
			seen[v] = true
			if v.fn != fn {
				if v.node.op != compute.OpTypeConstant && !slices.Contains(list, v) {
					list = append(list, v)
				}
				return
			}
			for _, in := range v.node.inputs {
				visit(in)
			}
		}
		for _, r := range fn.results {
			visit(r)
		}
	}
	return list
}

// inner returns the lowering of the body of fn into b: params are its parameters and captured the values that it
// uses from outside.
func (l *lowering) inner(b *xb.Builder, fn *Function, params []xb.Op, captured []*value, passed []xb.Op) *lowering {
	in := &lowering{module: l.module, b: b, fn: fn, params: params, env: map[*value]xb.Op{}, sizes: map[string]int{}}
	if fn.parent != nil {
		for name, size := range l.sizes {
			in.sizes[name] = size
		}
	}
	for i, v := range captured {
		in.env[v] = passed[i]
	}
	if err := in.bind(fn); err != nil {
		in.fail(err)
	}
	return in
}

// results returns the results of the function.
func (l *lowering) results() []xb.Op {
	ops := make([]xb.Op, len(l.fn.results))
	for i, r := range l.fn.results {
		ops[i] = l.op(r)
	}
	return ops
}

// tupleClosure returns fn as a computation of one tuple: its parameters, then the captured values. root makes
// the result of what fn returns and of the passed values.
func (l *lowering) tupleClosure(name string, fn *Function, state shape.Shape, captured []*value,
	root func(b *xb.Builder, results, passed []xb.Op) xb.Op) xb.Computation {
	b := l.b.SubBuilder(name)
	p := b.Parameter(0, state, "state")
	elems := make([]xb.Op, len(state.Elems))
	for i := range elems {
		elems[i] = xb.GetTupleElement(p, i)
	}
	n := len(elems) - len(captured)
	in := l.inner(b, fn, elems[:n], captured, elems[n:])
	results := in.results()
	l.place(l.at)
	if l.module.err != nil {
		return xb.Computation{}
	}
	return b.Computation(root(b, results, elems[n:]))
}

// moduleName returns name as a module of HLO can be called.
func moduleName(name string) string {
	if s := identifier(name); s != "" {
		return s
	}
	return "computation"
}

// identifier returns name with what an identifier of HLO cannot have replaced.
func identifier(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, name), "_")
}
