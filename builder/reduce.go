package builder

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Reduce returns x with the given dimensions, in any order, folded by f, starting from the
// scalar init; the other dimensions stay. f may be applied in any grouping, and init, an
// identity of f, may come in anywhere. It fails if a dimension repeats or is out of range, if
// init is no scalar of x's type, or if f is not a reducer for it. Spec: OPS.md section 5.
func Reduce[F BinaryFunc](x, init Op, dims []int, f F) Op {
	return reduce([]Op{x}, []Op{init}, dims, f)
}

// ReduceAll is Reduce over all dimensions: a scalar.
func ReduceAll[F BinaryFunc](x, init Op, f F) Op {
	return reduce([]Op{x}, []Op{init}, sequence(x.Rank()), f)
}

// ReduceMany folds several arrays of equal dimensions at once: f gets one running value and
// one element of each, and returns the new running values. It returns the arrays; see Reduce.
// Without operands it returns one value, which is invalid and says so. Spec: OPS.md section 5.
func ReduceMany[F ReducerOfMany](operands, inits []Op, dims []int, f F) []Op {
	return elements(reduce(operands, inits, dims, f), len(operands))
}

func reduce(operands, inits []Op, dims []int, f any) Op {
	const code = op.Reduce
	b, all, c, ok := reducer(code, operands, inits, f)
	if !ok {
		return b.invalid()
	}
	return b.add(code, all, &op.ReduceAttrs{Dimensions: nonNil(dims)}, shape.Shape{}, c)
}

// reducer is the beginning of an operation that folds operands, from inits on, by f. The
// running values have the types of inits.
func reducer(code op.Code, operands, inits []Op, f any) (b *Builder, all []Op, c Computation, ok bool) {
	all = append(operands[:len(operands):len(operands)], inits...)
	b, ok = enter(code, all...)
	if !ok || !b.wantSome(code, operands) || !b.wantLen(code, "init_values", len(inits), len(operands)) {
		return b, nil, c, false
	}
	c, ok = b.callee(code, "reducer", f, append(scalarsOf(inits...), scalarsOf(operands...)...)...)
	return b, all, c, ok
}

// ReduceSum returns the sums of x along dims, all of them if none is given; "or" for pred. It
// fails where Reduce does.
func ReduceSum(x Op, dims ...int) Op { return reduceBy(x, (*Builder).Zero, dims, Add) }

// ReduceProd returns the products of x along dims, all of them if none is given; "and" for
// pred. It fails where Reduce does.
func ReduceProd(x Op, dims ...int) Op { return reduceBy(x, (*Builder).One, dims, Mul) }

// ReduceMax returns the largest elements of x along dims, all of them if none is given. It
// fails where Reduce does and for complex x.
func ReduceMax(x Op, dims ...int) Op { return reduceBy(x, (*Builder).MinValue, dims, Max) }

// ReduceMin returns the smallest elements of x along dims, all of them if none is given. It
// fails where Reduce does and for complex x.
func ReduceMin(x Op, dims ...int) Op { return reduceBy(x, (*Builder).MaxValue, dims, Min) }

// ReduceAnd returns the "and" of x, pred or integer, along dims, all of them if none is given.
// It fails where Reduce does and for other types.
func ReduceAnd(x Op, dims ...int) Op {
	ones := func(b *Builder, t shape.ElementType) Op {
		if t == shape.Pred {
			return b.One(t)
		}
		return ScalarLike(x, -1)
	}
	return reduceBy(x, ones, dims, And)
}

// ReduceOr returns the "or" of x, pred or integer, along dims, all of them if none is given.
// It fails where Reduce does and for other types.
func ReduceOr(x Op, dims ...int) Op { return reduceBy(x, (*Builder).Zero, dims, Or) }

func reduceBy(x Op, init func(*Builder, shape.ElementType) Op, dims []int, f func(lhs, rhs Op, dims ...int) Op) Op {
	b, ok := enterArray(op.Reduce, x)
	if !ok {
		return b.invalid()
	}
	if len(dims) == 0 {
		dims = sequence(x.Rank())
	}
	return Reduce(x, init(b, x.Type()), slices.Clone(dims), f)
}
