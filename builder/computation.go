package builder

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Computation is a function of the module that instructions can call. It is made by
// Builder.SubComputation, Builder.SubBuilder or Builder.Import. The zero Computation is invalid.
type Computation struct {
	b    *Builder // that it was made with
	comp *hlo.Computation
}

// IsValid reports whether f is there.
func (f Computation) IsValid() bool { return f.comp != nil }

// Name returns the name of f in the module, or "".
func (f Computation) Name() string {
	if f.comp == nil {
		return ""
	}
	return f.comp.Name()
}

// Signature returns the shapes of the parameters and of the result.
func (f Computation) Signature() shape.Program {
	if f.comp == nil {
		return shape.Program{}
	}
	return f.comp.Signature()
}

// UnaryFunc is what a function of one value can be given as.
type UnaryFunc interface {
	Computation | func(x Op) Op
}

// BinaryFunc is what a function of two values can be given as: a reducer, a comparator or
// a selector. The functions of two operands, such as Add, Max and Lt, are of its third form.
type BinaryFunc interface {
	Computation | func(a, b Op) Op | func(lhs, rhs Op, broadcastDims ...int) Op
}

// ElementFunc is what a function of the elements of any number of arrays can be given as.
// The functions of one and two operands, such as Neg, Tanh and Add, are of its forms.
type ElementFunc interface {
	Computation | func(x Op) Op | func(x Op, accuracy ...op.ResultAccuracy) Op |
		func(a, b Op) Op | func(lhs, rhs Op, broadcastDims ...int) Op | func(x []Op) Op
}

// ReducerOfMany is what a reducer of n values at once can be given as: from n running
// values and n elements it returns the n new running values. A Computation has the
// parameters in this order, and returns a tuple where n > 1.
type ReducerOfMany interface {
	Computation | func(acc, x []Op) []Op
}

// ComparatorOfMany is what a comparator for a sort of n arrays can be given as: it tells
// from the n left and the n right elements whether left goes in front. A Computation has
// 2n parameters in the order left 0, right 0, left 1, right 1, ....
type ComparatorOfMany interface {
	Computation | func(left, right []Op) Op
}

// SubComputation returns the computation called name, or a variant of it, that f makes
// of parameters of the given shapes. It fails if f does not return a value of it.
func (b *Builder) SubComputation(name string, params []shape.Shape, f func(args []Op) Op) Computation {
	if !b.open(op.Invalid) {
		return Computation{b: b}
	}
	sub := b.SubBuilder(name)
	args := make([]Op, len(params))
	for i, s := range params {
		args[i] = sub.Parameter(i, s, "")
	}
	if b.s.err != nil {
		return Computation{b: b}
	}
	return sub.Computation(f(args))
}

// SubBuilder returns a builder of a new computation of the same module, called name or a
// variant of it: the way to make one step by step. Computation finishes it.
func (b *Builder) SubBuilder(name string) *Builder {
	if b == nil {
		return nil
	}
	sub := &Builder{s: b.s}
	if b.s.err == nil {
		sub.comp = b.s.module.AddComputation(name)
	}
	return sub
}

// Computation finishes the computation of b, which is from SubBuilder, with root as its result.
// It fails if root is not a value of it or a parameter number is missing.
func (b *Builder) Computation(root Op) Computation {
	if !b.open(op.Invalid) {
		return Computation{b: b}
	}
	if b.comp == b.s.module.Entry() {
		b.errorf(op.Invalid, "", "", "expected a builder from SubBuilder, got that of the entry computation")
		return Computation{b: b}
	}
	if !b.finish(root) {
		return Computation{b: b}
	}
	return Computation{b, b.comp}
}

// Import copies the entry computation of m, and all that it calls, into the module and
// returns it: the way to call a program that was made elsewhere. It fails if m is nil or
// has no entry computation.
func (b *Builder) Import(m *hlo.Module) Computation {
	if !b.open(op.Invalid) {
		return Computation{b: b}
	}
	if m == nil || m.Entry() == nil {
		b.errorf(op.Invalid, "", "", "expected a module with an entry computation to import, got none")
		return Computation{b: b}
	}
	copies := map[*hlo.Computation]*hlo.Computation{}
	for _, c := range m.PostOrder() {
		name := c.Name()
		if c == m.Entry() {
			name = m.Name
		}
		copies[c] = importComputation(b.s.module, name, c, copies)
	}
	return Computation{b, copies[m.Entry()]}
}

// importComputation copies c, whose callees are copied already, into m.
func importComputation(m *hlo.Module, name string, c *hlo.Computation,
	copies map[*hlo.Computation]*hlo.Computation) *hlo.Computation {
	to := m.AddComputation(name)
	to.ExecutionThread = c.ExecutionThread
	made := map[*hlo.Instruction]*hlo.Instruction{}
	for _, i := range c.PostOrder() {
		var operands []*hlo.Instruction
		for _, o := range i.Operands() {
			operands = append(operands, made[o])
		}
		var called []*hlo.Computation
		for _, f := range i.Called() {
			called = append(called, copies[f])
		}
		made[i] = to.AddClone(i, operands, called...)
		for _, p := range i.ControlPredecessors() {
			made[i].AddControlPredecessor(made[p])
		}
	}
	to.SetRoot(made[c.Root()])
	return to
}

// usable reports whether f is a computation that instructions of b may call.
func (b *Builder) usable(code op.Code, f Computation) bool {
	switch {
	case f.comp == nil:
		b.errorf(code, "", "", "expected a computation to call, got the zero Computation")
	case f.b.s != b.s:
		b.errorf(code, "", "", "expected a computation of this module, got %s of module %s: Import copies one",
			f.Name(), f.b.s.module.Name)
	case f.comp == b.comp:
		b.errorf(code, "", "", "expected another computation to call, got %s itself", f.Name())
	}
	return b.s.err == nil
}

// callee returns the computation for f, one of the forms of the interfaces above: f
// itself, or what f makes of parameters of the given shapes, called role.
func (b *Builder) callee(code op.Code, role string, f any, params ...shape.Shape) (Computation, bool) {
	if c, ok := f.(Computation); ok {
		return c, b.usable(code, c)
	}
	body, want := body(f)
	if body == nil || want >= 0 && want != len(params) {
		if body == nil {
			b.errorf(code, "", "", "expected a function as %s, got nil", role)
		} else {
			b.errorf(code, "", "", "expected a %s of %d parameters, got one of %d", role, len(params), want)
		}
		return Computation{}, false
	}
	c := b.SubComputation(role, params, body)
	return c, b.s.err == nil
}

// body returns f as a function of all arguments, with their number, -1 where f takes any
// number; nil if f is nil.
func body(f any) (func(args []Op) Op, int) {
	switch f := f.(type) {
	case func(Op) Op:
		return wrap(f == nil, func(x []Op) Op { return f(x[0]) }), 1
	case func(Op, ...op.ResultAccuracy) Op:
		return wrap(f == nil, func(x []Op) Op { return f(x[0]) }), 1
	case func(Op, Op) Op:
		return wrap(f == nil, func(x []Op) Op { return f(x[0], x[1]) }), 2
	case func(Op, Op, ...int) Op:
		return wrap(f == nil, func(x []Op) Op { return f(x[0], x[1]) }), 2
	case func([]Op) Op:
		return f, -1
	case func(acc, x []Op) []Op:
		return wrap(f == nil, func(x []Op) Op { return oneOrTuple(f(x[:len(x)/2], x[len(x)/2:])) }), -1
	case func(left, right []Op) Op:
		return wrap(f == nil, func(x []Op) Op { return f(pairsApart(x)) }), -1
	}
	return nil, 0
}

func wrap(isNil bool, f func([]Op) Op) func([]Op) Op {
	if isNil {
		return nil
	}
	return f
}

// oneOrTuple returns the only one of values, or the tuple of them; the zero Op for none.
func oneOrTuple(values []Op) Op {
	switch len(values) {
	case 0:
		return Op{}
	case 1:
		return values[0]
	}
	return Tuple(values...)
}

// pairsApart takes left 0, right 0, left 1, right 1, ... apart.
func pairsApart(x []Op) (left, right []Op) {
	for i := 0; i < len(x); i += 2 {
		left, right = append(left, x[i]), append(right, x[i+1])
	}
	return left, right
}

// scalarsOf returns the scalar shapes of the element types of values.
func scalarsOf(ops ...Op) []shape.Shape {
	shapes := make([]shape.Shape, len(ops))
	for i, x := range ops {
		shapes[i] = shape.Make(x.Type())
	}
	return shapes
}
