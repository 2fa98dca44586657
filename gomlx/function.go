package gomlx

import (
	"reflect"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/notimplemented"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/pkg/errors"
)

// Function records the operations of one function of a computation. What an operation means in HLO is said by
// the emitFunc of its node, in the file of its family.
type Function struct {
	notimplemented.Function // operations that a later version of GoMLX adds fail

	builder  *Builder
	name     string
	parent   *Function
	params   []*value
	names    []string // of parameters
	shards   []*compute.ShardingSpec
	results  []*value
	outs     []*compute.ShardingSpec
	returned bool
}

var _ compute.Function = (*Function)(nil)

// value is a result of an operation. GoMLX holds it as a compute.Value.
type value struct {
	fn    *Function
	node  *node
	out   int // which result of the node it is
	shape shapes.Shape
}

// node is an operation of a function.
type node struct {
	op     compute.OpType
	number int // among the operations of the computation
	inputs []*value
	outs   []*value
	emit   emitFunc
}

// emitFunc writes an operation as HLO and returns its results. In l it finds the sizes of dynamic dimensions;
// all shapes of in are known.
type emitFunc func(l *lowering, in []xb.Op) []xb.Op

// emit1 is an emitFunc with one result.
type emit1 func(l *lowering, in []xb.Op) xb.Op

// Name returns the name of the function, "" for a closure.
func (f *Function) Name() string { return f.name }

// Builder returns the builder that the function belongs to.
func (f *Function) Builder() compute.Builder { return f.builder }

// Parent returns the function that a closure was made in; nil for other functions.
func (f *Function) Parent() compute.Function {
	if f.parent == nil {
		return nil
	}
	return f.parent
}

// Closure returns a new function that may use the values of f.
func (f *Function) Closure() (compute.Function, error) {
	if err := f.open(); err != nil {
		return nil, err
	}
	return f.builder.newFunction("", f), nil
}

// open returns an error if no operation can be added any more.
func (f *Function) open() error {
	if f.returned {
		return errors.Errorf("function %q has returned: nothing can be added", f.name)
	}
	return f.builder.open()
}

// Shape returns the shape of a value.
func (f *Function) Shape(v compute.Value) (shapes.Shape, error) { return f.builder.OpShape(v) }

// Parameter adds a parameter. With several devices, sharding says how it is spread over them.
func (f *Function) Parameter(name string, s shapes.Shape, sharding *compute.ShardingSpec) (compute.Value, error) {
	if err := f.open(); err != nil {
		return nil, err
	}
	if err := checkShape(s); err != nil {
		return nil, errors.WithMessagef(err, "Parameter %q", name)
	}
	if err := f.builder.checkSharding(sharding, s.Rank()); err != nil {
		return nil, errors.WithMessagef(err, "Parameter %q", name)
	}
	number := len(f.params)
	v := f.addMany(compute.OpTypeParameter, []shapes.Shape{s.Clone()}, nil, func(l *lowering, _ []xb.Op) []xb.Op {
		return []xb.Op{l.parameter(f, number)}
	})[0]
	f.params, f.names, f.shards = append(f.params, v), append(f.names, name), append(f.shards, sharding)
	return v, nil
}

// Constant adds a constant with a copy of the elements in flat.
func (f *Function) Constant(flat any, dims ...int) (compute.Value, error) {
	if err := f.open(); err != nil {
		return nil, err
	}
	v := reflect.ValueOf(flat)
	if v.Kind() != reflect.Slice {
		return nil, errors.Errorf("Constant: expected a slice, got %T", flat)
	}
	s := shapes.Shape{DType: dtypes.FromGoType(v.Type().Elem()), Dimensions: append([]int{}, dims...)}
	if err := checkShape(s); err != nil {
		return nil, errors.WithMessagef(err, "Constant of %T", flat)
	}
	for _, d := range dims {
		if d < 0 {
			return nil, errors.Errorf("Constant: expected sizes of 0 or more, got %v", dims)
		}
	}
	src, err := bytesOf(flat, s)
	if err != nil {
		return nil, errors.WithMessage(err, "Constant")
	}
	data := newBlock(len(src))
	copy(data, src)
	l, err := literalOf(data, s)
	if err != nil {
		return nil, errors.WithMessage(err, "Constant")
	}
	return f.constant(l), nil
}

func (f *Function) constant(l literal.Literal) *value {
	return f.addMany(compute.OpTypeConstant, []shapes.Shape{shapeOf(l.Shape())}, nil,
		func(lo *lowering, _ []xb.Op) []xb.Op { return []xb.Op{lo.b.Constant(l)} })[0]
}

// Return sets the results of the function.
func (f *Function) Return(outputs []compute.Value, shardings []*compute.ShardingSpec) error {
	if err := f.open(); err != nil {
		return err
	}
	values, err := f.values("Return", outputs...)
	if err != nil {
		return err
	}
	if len(shardings) != 0 && len(shardings) != len(outputs) {
		return errors.Errorf("Return: expected a sharding for each of %d outputs, got %d", len(outputs), len(shardings))
	}
	for i, s := range shardings {
		if err := f.builder.checkSharding(s, values[i].shape.Rank()); err != nil {
			return errors.WithMessagef(err, "Return: output %d", i)
		}
	}
	f.results, f.outs, f.returned = values, shardings, true
	return nil
}

// values checks that operands are values that f can use: its own, and those of the functions around it.
func (f *Function) values(what string, operands ...compute.Value) ([]*value, error) {
	if err := f.open(); err != nil {
		return nil, errors.WithMessage(err, what)
	}
	list := make([]*value, len(operands))
	for i, v := range operands {
		x, ok := v.(*value)
		if !ok || x == nil {
			return nil, errors.Errorf("%s: expected a value of backend %q as operand %d, got %T", what, Name, i, v)
		}
		if x.fn.builder != f.builder {
			return nil, errors.Errorf("%s: expected a value of computation %q as operand %d, got one of %q", what,
				f.builder.name, i, x.fn.builder.name)
		}
		if !f.sees(x.fn) {
			return nil, errors.Errorf("%s: operand %d is a value of function %q, which %q is not a closure of", what, i,
				x.fn.name, f.name)
		}
		list[i] = x
	}
	return list, nil
}

// sees reports whether f may use the values of g.
func (f *Function) sees(g *Function) bool {
	for ; f != nil; f = f.parent {
		if f == g {
			return true
		}
	}
	return false
}

// add records an operation with one result.
func (f *Function) add(op compute.OpType, s shapes.Shape, inputs []*value, emit emit1) (compute.Value, error) {
	return f.addMany(op, []shapes.Shape{s}, inputs, func(l *lowering, in []xb.Op) []xb.Op {
		return []xb.Op{emit(l, in)}
	})[0], nil
}

// addMany records an operation with a result for each of the shapes.
func (f *Function) addMany(op compute.OpType, list []shapes.Shape, inputs []*value, emit emitFunc) []*value {
	f.builder.nodes++
	n := &node{op: op, number: f.builder.nodes, inputs: inputs, emit: emit}
	for i, s := range list {
		if !slices.ContainsFunc(s.AxisNames, func(name string) bool { return name != "" }) {
			s.AxisNames = nil
		}
		n.outs = append(n.outs, &value{fn: f, node: n, out: i, shape: s})
	}
	return n.outs
}

// asValues returns results as GoMLX takes them.
func asValues(list []*value) []compute.Value {
	out := make([]compute.Value, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// shapesOf returns the shapes of values.
func shapesOf(list []*value) []shapes.Shape {
	out := make([]shapes.Shape, len(list))
	for i, v := range list {
		out[i] = v.shape
	}
	return out
}
