package match

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file evaluates small functions of scalars that only compare and choose. What such a
// function gives depends on nothing but how its arguments, and the constants in it, are
// ordered; so a handful of values of each argument tells all, and functions are recognised
// by what they do rather than by how they are written.

// scalar is a value: f of a float, i of an integer, 0 or 1 in i of a pred.
type scalar struct {
	t shape.ElementType
	f float64
	i int64
}

func (s scalar) isNaN() bool { return s.t.IsFloat() && s.f != s.f }

// same reports whether s and o are the same value: zeros differ by sign, all NaNs are one.
func (s scalar) same(o scalar) bool {
	if s.isNaN() || o.isNaN() {
		return s.isNaN() && o.isNaN()
	}
	return s.i == o.i && math.Float64bits(s.f) == math.Float64bits(o.f)
}

// rank is the place of s in the total order, in which -NaN < -inf < -0 < 0 < inf < NaN.
func (s scalar) rank() int64 {
	if !s.t.IsFloat() {
		return s.i
	}
	bits := int64(math.Float64bits(s.f))
	if bits < 0 {
		bits ^= math.MaxInt64
	}
	return bits
}

// maxFunction is how many instructions a function may have that is evaluated here, and maxChain if it is a comparator
// of which only parts are.
const (
	maxFunction = 64
	maxChain    = 512
)

// function is a computation that this file evaluates.
type function struct {
	order     []*hlo.Instruction
	params    []*hlo.Instruction
	roots     []*hlo.Instruction
	constants []scalar
	values    []scalar // by id
	out       []scalar
}

// newFunction returns c as a function; ok is false if it does more than compare and choose, or has more than most
// instructions.
func newFunction(c *hlo.Computation, most int) (f *function, ok bool) {
	if len(c.Instructions()) > most {
		return nil, false
	}
	f = &function{order: c.PostOrder(), params: c.Params(), values: make([]scalar, c.NumIDs()),
		roots: []*hlo.Instruction{c.Root()}}
	if c.Root().Code() == op.Tuple {
		f.roots = c.Root().Operands()
	}
	for _, i := range f.order {
		switch {
		case i == c.Root() && i.Code() == op.Tuple:
		case i.Code() == op.Parameter && len(i.Users()) == 0 && !i.IsRoot(): // of any type
		case !i.IsScalar() || !comparable(i.Type()):
			return nil, false
		case i.Code() == op.Constant:
			v := scalarOf(i.Attrs().(*op.ConstantAttrs).Value)
			if v.i < 0 && !v.t.IsSigned() {
				return nil, false // beyond what i can hold
			}
			f.values[i.ID()] = v
			f.constants = append(f.constants, v)
		case i.Code() == op.Parameter:
		case steps[i.Code()] == nil || !keepsOrder(i):
			return nil, false
		}
	}
	return f, true
}

// comparable reports whether the values of t fit a scalar: signed infinities and NaN in floats.
func comparable(t shape.ElementType) bool {
	format, isFloat := literal.FloatFormat(t)
	return t == shape.Pred || t.IsInteger() || isFloat && format.HasInf && format.HasNaN && format.HasSign
}

// keepsOrder reports whether a convert has the values of its operand.
func keepsOrder(i *hlo.Instruction) bool {
	if i.Code() != op.Convert {
		return true
	}
	from, to := i.Operand(0).Type(), i.Type()
	return from == to || widens(from, to) || from == shape.F32 && to == shape.F64
}

func scalarOf(v literal.Literal) scalar {
	s := scalar{t: v.Type()}
	if s.t.IsFloat() {
		s.f = v.FloatAt(0)
	} else {
		s.i = v.IntAt(0)
	}
	return s
}

// run returns the results for args, which stay valid until the next run.
func (f *function) run(args []scalar) []scalar {
	for k, p := range f.params {
		f.values[p.ID()] = args[k]
	}
	f.evaluate(f.order)
	f.out = f.out[:0]
	for _, r := range f.roots {
		f.out = append(f.out, f.values[r.ID()])
	}
	return f.out
}

// evaluate sets the values of instructions, but those of parameters and constants.
func (f *function) evaluate(order []*hlo.Instruction) {
	for _, i := range order {
		step := steps[i.Code()]
		if step == nil {
			continue
		}
		var x [3]scalar
		for k, o := range i.Operands() {
			x[k] = f.values[o.ID()]
		}
		f.values[i.ID()] = step(i, x)
	}
}

// steps evaluate the operations; what has no entry is no comparing or choosing.
var steps = [op.NumCodes]func(i *hlo.Instruction, x [3]scalar) scalar{
	op.Compare: func(i *hlo.Instruction, x [3]scalar) scalar {
		return truth(compare(i.Attrs().(*op.CompareAttrs), x[0], x[1]))
	},
	op.Select: func(_ *hlo.Instruction, x [3]scalar) scalar {
		if x[0].i != 0 {
			return x[1]
		}
		return x[2]
	},
	op.And: onBits(func(a, b int64) int64 { return a & b }),
	op.Or:  onBits(func(a, b int64) int64 { return a | b }),
	op.Xor: onBits(func(a, b int64) int64 { return a ^ b }),
	op.Not: func(i *hlo.Instruction, x [3]scalar) scalar {
		return truth(x[0].i == 0 && i.Type() == shape.Pred)
	},
	op.Convert: func(i *hlo.Instruction, x [3]scalar) scalar { x[0].t = i.Type(); return x[0] },
	op.Maximum: extreme(1),
	op.Minimum: extreme(-1),
	op.Copy:    func(_ *hlo.Instruction, x [3]scalar) scalar { return x[0] },
}

func truth(v bool) scalar {
	if v {
		return scalar{t: shape.Pred, i: 1}
	}
	return scalar{t: shape.Pred}
}

func onBits(f func(a, b int64) int64) func(*hlo.Instruction, [3]scalar) scalar {
	return func(_ *hlo.Instruction, x [3]scalar) scalar { return scalar{t: x[0].t, i: f(x[0].i, x[1].i)} }
}

// extreme returns the larger operand for sign 1, the smaller for -1; NaN if one is.
func extreme(sign int) func(*hlo.Instruction, [3]scalar) scalar {
	return func(_ *hlo.Instruction, x [3]scalar) scalar {
		switch {
		case x[0].isNaN():
			return x[0]
		case x[1].isNaN() || (x[1].rank() > x[0].rank()) == (sign > 0):
			return x[1]
		}
		return x[0]
	}
}

// compare is the operation.
func compare(a *op.CompareAttrs, x, y scalar) bool {
	less, equal := x.i < y.i, x.i == y.i
	switch {
	case x.t.IsFloat() && a.Type == op.ComparisonTotalOrder:
		less, equal = x.rank() < y.rank(), x.rank() == y.rank()
	case x.t.IsFloat():
		less, equal = x.f < y.f, x.f == y.f
		if x.f != x.f || y.f != y.f {
			return a.Direction == op.NE
		}
	}
	return [...]bool{op.EQ: equal, op.NE: !equal, op.GE: !less, op.GT: !less && !equal, op.LE: less || equal,
		op.LT: less}[a.Direction]
}

// samples returns values of type t such that every order of two values among each other and
// the constants comes up; few of them if brief.
func (f *function) samples(t shape.ElementType, brief bool) []scalar {
	if t == shape.Pred {
		return []scalar{{t: t, i: 0}, {t: t, i: 1}}
	}
	var list []scalar
	if !t.IsFloat() {
		near := []int64{1, 2, 3}
		for _, c := range f.constants {
			near = append(near, c.i-2, c.i-1, c.i, c.i+1, c.i+2)
		}
		for _, i := range near {
			if i >= 0 || t.IsSigned() {
				list = append(list, scalar{t: t, i: i})
			}
		}
		return list
	}
	near := []float64{math.NaN(), math.Copysign(math.NaN(), -1), math.Copysign(0, -1), 0, 1}
	if !brief {
		near = append(near, math.Inf(-1), -2, -1, 2, math.Inf(1))
	}
	for _, c := range f.constants {
		if c.t.IsFloat() && !math.IsInf(c.f, 0) && c.f != 0 && c.f == c.f {
			near = append(near, c.f-2, c.f-1, c.f, c.f+1, c.f+2)
		}
	}
	for _, v := range near {
		list = append(list, scalar{t: t, f: v})
	}
	return list
}
