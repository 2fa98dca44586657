package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapeinference"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// reducer is a way to fold elements: an operation and the value that it starts from.
type reducer struct {
	f     binaryFunc
	init  func(b *xb.Builder, t shape.ElementType) xb.Op
	takes func(t dtypes.DType) bool
}

func anyType(dtypes.DType) bool          { return true }
func integers(t dtypes.DType) bool       { return t.IsInt() }
func truthValues(t dtypes.DType) bool    { return t == dtypes.Bool }
func orderedTypes(t dtypes.DType) bool   { return !t.IsComplex() }
func arithmeticType(t dtypes.DType) bool { return t != dtypes.Bool }

var reducers = map[compute.OpType]reducer{
	compute.OpTypeReduceBitwiseAnd: {xb.And, allOnes, integers},
	compute.OpTypeReduceBitwiseOr:  {xb.Or, (*xb.Builder).Zero, integers},
	compute.OpTypeReduceBitwiseXor: {xb.Xor, (*xb.Builder).Zero, integers},
	compute.OpTypeReduceLogicalAnd: {xb.And, (*xb.Builder).One, truthValues},
	compute.OpTypeReduceLogicalOr:  {xb.Or, (*xb.Builder).Zero, truthValues},
	compute.OpTypeReduceLogicalXor: {xb.Xor, (*xb.Builder).Zero, truthValues},
	compute.OpTypeReduceMax:        {xb.Max, (*xb.Builder).MinValue, orderedTypes},
	compute.OpTypeReduceMin:        {xb.Min, (*xb.Builder).MaxValue, orderedTypes},
	compute.OpTypeReduceProduct:    {xb.Mul, (*xb.Builder).One, arithmeticType},
	compute.OpTypeReduceSum:        {xb.Add, (*xb.Builder).Zero, arithmeticType},
}

// byReduceOp are the reducers of windows and collectives.
var byReduceOp = map[compute.ReduceOpType]compute.OpType{
	compute.ReduceOpSum: compute.OpTypeReduceSum, compute.ReduceOpProduct: compute.OpTypeReduceProduct,
	compute.ReduceOpMax: compute.OpTypeReduceMax, compute.ReduceOpMin: compute.OpTypeReduceMin,
}

// allOnes is the integer of type t with all bits set.
func allOnes(b *xb.Builder, t shape.ElementType) xb.Op {
	l := literal.New(shape.Make(t))
	l.SetBits(0, ^uint64(0))
	return b.Constant(l)
}

// reduce records a reduction of x.
func (f *Function) reduce(code compute.OpType, x compute.Value, axes []int) (compute.Value, error) {
	in, err := f.values(code.String(), x)
	if err != nil {
		return nil, err
	}
	s := in[0].shape
	r := reducers[code]
	if !r.takes(s.DType) {
		return nil, errors.Errorf("%s: expected another data type, got %s", code, s)
	}
	axes, err = checkAxes(axes, s.Rank())
	if err != nil {
		return nil, errors.WithMessage(err, code.String())
	}
	out, err := shapeinference.Reduce(s, axes)
	if err != nil {
		return nil, err
	}
	parts := f.builder.partsOf(in[0])
	return f.add(code, out, in, func(l *lowering, in []xb.Op) xb.Op {
		x, inner, outer := byParts(in[0], parts, axes)
		init := r.init(l.b, x.Type())
		x = xb.Reduce(x, init, inner, r.f)
		if len(outer) > 0 {
			x = xb.Reduce(x, init, outer, r.f)
		}
		return x
	})
}

// checkAxes returns axes of an array, all of them for none, and an error unless they are different ones of it.
func checkAxes(axes []int, rank int) ([]int, error) {
	if len(axes) == 0 {
		all := make([]int, rank)
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	for i, a := range axes {
		if a < 0 || a >= rank || slices.Contains(axes[:i], a) {
			return nil, errors.Errorf("expected different axes below %d, got %v", rank, axes)
		}
	}
	return slices.Clone(axes), nil
}

// ArgMinMax returns the index of the smallest or largest element along an axis, the first one of several; a NaN
// counts as both.
func (f *Function) ArgMinMax(x compute.Value, axis int, dtype dtypes.DType, isMin bool) (compute.Value, error) {
	in, err := f.values("ArgMinMax", x)
	if err != nil {
		return nil, err
	}
	operand := in[0].shape
	if operand.DType == dtypes.Bool { // false is the smaller one
		operand = withDType(operand, dtypes.Uint8)
	}
	if err := checkShape(withDType(shapes.Shape{}, dtype)); err != nil {
		return nil, errors.WithMessage(err, "ArgMinMax")
	}
	s, err := shapeinference.ArgMinMax(operand, axis, dtype)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeArgMinMax, s, in, func(l *lowering, in []xb.Op) xb.Op {
		return convert(argMinMax(l.b, in[0], axis, isMin), elementType(dtype))
	})
}

func argMinMax(b *xb.Builder, x xb.Op, axis int, isMin bool) xb.Op {
	t := shape.S32
	first, better := b.MinValue(x.Type()), xb.Gt
	if isMin {
		first, better = b.MaxValue(x.Type()), xb.Lt
	}
	out := xb.ReduceMany([]xb.Op{x, iota(b, t, x.Shape().Dims, axis)}, []xb.Op{first, b.Zero(t)}, []int{axis},
		func(acc, e []xb.Op) []xb.Op {
			was, is := xb.Ne(acc[0], acc[0]), xb.Ne(e[0], e[0]) // NaN
			take := xb.Or(better(e[0], acc[0]), is)
			same := xb.Or(xb.Eq(e[0], acc[0]), xb.And(was, is))
			take = xb.Select(same, xb.Lt(e[1], acc[1]), xb.And(take, xb.Not(was)))
			return []xb.Op{xb.Select(take, e[0], acc[0]), xb.Select(take, e[1], acc[1])}
		})
	return out[1]
}

// CumSum returns the sums of the elements up to each one along an axis; from each one on with Reverse, and without
// the element itself with Exclusive.
func (f *Function) CumSum(x compute.Value, axis int, options compute.CumSumOptions) (compute.Value, error) {
	in, err := f.values("CumSum", x)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.CumSum(in[0].shape, axis)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeCumSum, s, in, func(l *lowering, in []xb.Op) xb.Op {
		return cumSum(l.b, in[0], axis, options)
	})
}

func cumSum(b *xb.Builder, x xb.Op, axis int, o compute.CumSumOptions) xb.Op {
	n := x.Dim(axis)
	if n == 0 {
		return x
	}
	zero := b.Zero(x.Type())
	if o.Exclusive {
		low := 1
		if o.Reverse {
			low = -1
		}
		x = xb.PadInDim(x, zero, axis, low, -low)
	}
	w := xb.Window{Sizes: slices.Repeat([]int{1}, x.Rank()), Edges: make([][2]int, x.Rank())}
	w.Sizes[axis] = n
	w.Edges[axis] = [2]int{n - 1, 0}
	if o.Reverse {
		w.Edges[axis] = [2]int{0, n - 1}
	}
	return xb.ReduceWindow(x, zero, xb.Add, w)
}

// ReduceBitwiseAnd folds integers by bitwise "and" along axes; without axes, along all.
func (f *Function) ReduceBitwiseAnd(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceBitwiseAnd, x, axes)
}

// ReduceBitwiseOr folds integers by bitwise "or" along axes; without axes, along all.
func (f *Function) ReduceBitwiseOr(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceBitwiseOr, x, axes)
}

// ReduceBitwiseXor folds integers by bitwise "exclusive or" along axes; without axes, along all.
func (f *Function) ReduceBitwiseXor(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceBitwiseXor, x, axes)
}

// ReduceLogicalAnd returns whether all truth values are true along axes; without axes, along all.
func (f *Function) ReduceLogicalAnd(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceLogicalAnd, x, axes)
}

// ReduceLogicalOr returns whether a truth value is true along axes; without axes, along all.
func (f *Function) ReduceLogicalOr(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceLogicalOr, x, axes)
}

// ReduceLogicalXor returns whether an odd number of truth values is true along axes; without axes, along all.
func (f *Function) ReduceLogicalXor(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceLogicalXor, x, axes)
}

// ReduceMax returns the largest of the elements along axes; without axes, along all.
func (f *Function) ReduceMax(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceMax, x, axes)
}

// ReduceMin returns the smallest of the elements along axes; without axes, along all.
func (f *Function) ReduceMin(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceMin, x, axes)
}

// ReduceProduct returns the product of the elements along axes; without axes, along all.
func (f *Function) ReduceProduct(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceProduct, x, axes)
}

// ReduceSum returns the sum of the elements along axes; without axes, along all.
func (f *Function) ReduceSum(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(compute.OpTypeReduceSum, x, axes)
}
