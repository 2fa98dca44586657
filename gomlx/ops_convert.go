package gomlx

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapeinference"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// Identity returns x.
func (f *Function) Identity(x compute.Value) (compute.Value, error) {
	in, err := f.values("Identity", x)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeIdentity, in[0].shape, in, func(_ *lowering, in []xb.Op) xb.Op { return in[0] })
}

// ConvertDType returns the elements of x converted to another type. Floats are truncated to integers, and
// saturate.
func (f *Function) ConvertDType(x compute.Value, dtype dtypes.DType) (compute.Value, error) {
	in, err := f.values("ConvertDType", x)
	if err != nil {
		return nil, err
	}
	s := withDType(in[0].shape, dtype)
	if err := checkShape(s); err != nil {
		return nil, errors.WithMessage(err, "ConvertDType")
	}
	t := elementType(dtype)
	return f.add(compute.OpTypeConvertDType, s, in, func(_ *lowering, in []xb.Op) xb.Op { return convert(in[0], t) })
}

// convert returns x with elements of type t; x itself if it has them.
func convert(x xb.Op, t shape.ElementType) xb.Op {
	if x.Type() == t {
		return x
	}
	return xb.ConvertElementType(x, t)
}

// Bitcast returns the bits of x as elements of another type. A narrower type adds a last dimension, a wider one
// takes it away.
func (f *Function) Bitcast(x compute.Value, dtype dtypes.DType) (compute.Value, error) {
	in, err := f.values("Bitcast", x)
	if err != nil {
		return nil, err
	}
	if err := checkShape(withDType(in[0].shape, dtype)); err != nil {
		return nil, errors.WithMessage(err, "Bitcast")
	}
	s, err := bitcastShape(in[0].shape, dtype)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeBitcast, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return bitcast(in[0], elementType(dtype))
	})
}

// bitcastShape returns the shape of the bits of an array of shape s as elements of another type.
func bitcastShape(s shapes.Shape, dtype dtypes.DType) (shapes.Shape, error) {
	from, to := bitsOf(s.DType), bitsOf(dtype)
	out, last := withDType(s, dtype), s.Rank()-1
	switch {
	case from > to:
		out.Dimensions = append(out.Dimensions, from/to)
		if out.AxisNames != nil {
			out.AxisNames = append(out.AxisNames, "")
		}
	case from < to:
		if last < 0 || s.Dimensions[last] != to/from {
			return s, errors.Errorf("Bitcast: expected a last dimension of %d to make %s of, got %s", to/from, dtype, s)
		}
		out.Dimensions = out.Dimensions[:last]
		if out.AxisNames != nil {
			out.AxisNames = out.AxisNames[:last]
		}
	}
	return out, nil
}

// bitsOf is how many bits an element of type t has in a flat.
func bitsOf(t dtypes.DType) int {
	if t == dtypes.Bool {
		return 8
	}
	return elementType(t).Bits()
}

// bitcast is HLO's, and goes to and from complex numbers as pairs of their parts.
func bitcast(x xb.Op, t shape.ElementType) xb.Op {
	if x.Type() == t {
		return x
	}
	if c := x.Type(); c.IsComplex() {
		parts := xb.ConcatInDim([]xb.Op{addDim(xb.Real(x)), addDim(xb.Imag(x))}, x.Rank())
		if t.Bits() == c.Bits() { // both parts make an element
			return xb.BitcastConvertType(parts, t)
		}
		if t.IsComplex() {
			if t.Bits() > c.Bits() {
				parts = bitcast(parts, t.Component())
			}
			return bitcast(parts, t)
		}
		return flattenLast(xb.BitcastConvertType(parts, t), x.Rank())
	}
	if t.IsComplex() {
		half := t.Component()
		if x.Type() != half {
			x = bitcast(pairs(x, half), half)
		}
		n := x.Rank() - 1
		part := func(i int) xb.Op { return dropDim(xb.SliceInDim(x, i, i+1, 1, n)) }
		return xb.Complex(part(0), part(1))
	}
	if x.Type() == shape.Pred { // the bits of a truth value are those of the byte 0 or 1
		return bitcast(convert(x, shape.U8), t)
	}
	if t == shape.Pred {
		return xb.Ne(bitcast(x, shape.U8), xb.FullLike(bitcast(x, shape.U8), 0))
	}
	return xb.BitcastConvertType(x, t)
}

// pairs returns x, of which a whole element or the last dimension makes a complex number, with a last dimension but
// one for the two halves, so that what is behind it has the bits of one.
func pairs(x xb.Op, half shape.ElementType) xb.Op {
	bits := x.Type().Bits()
	if bits >= half.Bits() { // x has as many bits as the complex number, or each element is a half
		return x
	}
	ratio := half.Bits() / bits
	dims := x.Shape().Dims
	return xb.Reshape(x, append(append([]int{}, dims[:len(dims)-1]...), 2, ratio)...)
}

// flattenLast makes the dimensions from rank on one.
func flattenLast(x xb.Op, rank int) xb.Op {
	n := 1
	for _, d := range x.Shape().Dims[rank:] {
		n *= d
	}
	return xb.Reshape(x, append(append([]int{}, x.Shape().Dims[:rank]...), n)...)
}

// addDim returns x with a last dimension of size 1.
func addDim(x xb.Op) xb.Op { return xb.Reshape(x, append(append([]int{}, x.Shape().Dims...), 1)...) }

// dropDim returns x without its last dimension, of size 1.
func dropDim(x xb.Op) xb.Op { return xb.Reshape(x, x.Shape().Dims[:x.Rank()-1]...) }

// Complex returns the complex numbers with the given parts. A scalar goes with every shape.
func (f *Function) Complex(lhs, rhs compute.Value) (compute.Value, error) {
	in, err := f.values("Complex", lhs, rhs)
	if err != nil {
		return nil, err
	}
	t, ok := complexOf[in[0].shape.DType]
	if !ok {
		return nil, errors.Errorf("Complex: expected parts of type Float32 or Float64, got %s", in[0].shape)
	}
	s, err := shapeinference.BinaryOp(compute.OpTypeAdd, in[0].shape, in[1].shape)
	if err != nil {
		return nil, errors.WithMessage(err, "Complex")
	}
	return f.add(compute.OpTypeComplex, withDType(s, t), in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.Complex(in[0], in[1])
	})
}

// Real returns the real part of each element; x itself if it is not complex.
func (f *Function) Real(x compute.Value) (compute.Value, error) {
	return f.part(compute.OpTypeReal, x, xb.Real)
}

// Imag returns the imaginary part of each element: 0 for floats.
func (f *Function) Imag(x compute.Value) (compute.Value, error) {
	return f.part(compute.OpTypeImag, x, xb.Imag)
}

func (f *Function) part(code compute.OpType, x compute.Value, emit func(x xb.Op) xb.Op) (compute.Value, error) {
	in, err := f.values(code.String(), x)
	if err != nil {
		return nil, err
	}
	s := in[0].shape
	if !s.DType.IsComplex() && !s.DType.IsFloat() {
		return nil, errors.Errorf("%s: expected complex numbers or floats, got %s", code, s)
	}
	return f.add(code, withDType(s, s.DType.RealDType()), in, func(_ *lowering, in []xb.Op) xb.Op { return emit(in[0]) })
}

// Conj returns the complex conjugate of each element.
func (f *Function) Conj(x compute.Value) (compute.Value, error) {
	in, err := f.values("Conj", x)
	if err != nil {
		return nil, err
	}
	if !in[0].shape.DType.IsComplex() {
		return nil, errors.Errorf("Conj: expected complex numbers, got %s", in[0].shape)
	}
	return f.add(compute.OpTypeConj, in[0].shape, in, func(_ *lowering, in []xb.Op) xb.Op { return xb.Conj(in[0]) })
}

// Where returns the elements of onTrue where condition is true, and those of onFalse elsewhere. Scalars go with
// every shape.
func (f *Function) Where(condition, onTrue, onFalse compute.Value) (compute.Value, error) {
	in, err := f.values("Where", condition, onTrue, onFalse)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.Where(in[0].shape, in[1].shape, in[2].shape)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeWhere, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		dims := in[0].Shape().Dims
		for _, x := range in[1:] {
			if x.Rank() > 0 {
				dims = x.Shape().Dims
			}
		}
		return xb.Select(in[0], fill(in[1], dims), fill(in[2], dims))
	})
}

// fill returns x, a scalar or an array of sizes dims, in sizes dims.
func fill(x xb.Op, dims []int) xb.Op {
	if x.Rank() == len(dims) {
		return x
	}
	return xb.Broadcast(x, dims...)
}

// Clamp returns each element of x moved into the range between low and high, scalars or arrays of x's shape.
func (f *Function) Clamp(low, x, high compute.Value) (compute.Value, error) {
	in, err := f.values("Clamp", low, x, high)
	if err != nil {
		return nil, err
	}
	s := in[1].shape
	if err := checkReal(compute.OpTypeClamp, s.DType); err != nil {
		return nil, err
	}
	for _, bound := range []*value{in[0], in[2]} {
		if b := bound.shape; b.DType != s.DType || b.Rank() > 0 && !b.EqualDimensions(s) {
			return nil, errors.Errorf("Clamp: expected scalars or arrays of shape %s as bounds, got %s", s, b)
		}
	}
	return f.add(compute.OpTypeClamp, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.Clamp(in[0], in[1], in[2])
	})
}

// known returns the names of the dynamic dimensions that f can use.
func (f *Function) known() map[string]struct{} {
	names := map[string]struct{}{}
	for ; f != nil; f = f.parent {
		for _, p := range f.params {
			addNames(names, p.shape)
		}
	}
	return names
}

func addNames(names map[string]struct{}, s shapes.Shape) {
	for i, d := range s.Dimensions {
		if d == shapes.DynamicDim {
			names[s.AxisName(i)] = struct{}{}
		}
	}
}
