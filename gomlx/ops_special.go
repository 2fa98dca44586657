package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

var fftTypes = map[compute.FFTType]op.FftType{compute.FFTForward: op.FFT, compute.FFTInverse: op.IFFT,
	compute.FFTForwardReal: op.RFFT, compute.FFTInverseReal: op.IRFFT}

// complexOf are the complex types of two parts of the given ones.
var complexOf = map[dtypes.DType]dtypes.DType{dtypes.Float32: dtypes.Complex64, dtypes.Float64: dtypes.Complex128}

// FFT returns the discrete Fourier transform of x along its last axes, one for each of lengths.
func (f *Function) FFT(x compute.Value, kind compute.FFTType, lengths []int) (compute.Value, error) {
	in, err := f.values("FFT", x)
	if err != nil {
		return nil, err
	}
	s := in[0].shape.Clone()
	n := len(lengths)
	if n == 0 && s.Rank() > 0 && kind != compute.FFTInverseReal {
		lengths, n = []int{s.Dimensions[s.Rank()-1]}, 1
	}
	if n < 1 || n > 3 || n > s.Rank() {
		return nil, errors.Errorf("FFT: expected 1 to 3 lengths for the last axes of %s, got %v", s, lengths)
	}
	if err := checkTransform(kind, s, lengths); err != nil {
		return nil, err
	}
	last := s.Rank() - 1
	switch kind {
	case compute.FFTForwardReal:
		s.DType, s.Dimensions[last] = complexOf[s.DType], lengths[n-1]/2+1
	case compute.FFTInverseReal:
		s.DType, s.Dimensions[last] = s.DType.RealDType(), lengths[n-1]
	}
	lengths = slices.Clone(lengths)
	return f.add(compute.OpTypeFFT, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.Fft(in[0], fftTypes[kind], lengths...)
	})
}

// checkTransform checks that a transform takes an array of shape s with given lengths of its last axes.
func checkTransform(kind compute.FFTType, s shapes.Shape, lengths []int) error {
	if _, ok := fftTypes[kind]; !ok {
		return errors.Errorf("FFT: expected a kind of transform, got %s", kind)
	}
	if _, isReal := complexOf[s.DType]; isReal != (kind == compute.FFTForwardReal) || !isReal && !s.DType.IsComplex() {
		return errors.Errorf("FFT: expected elements that %s takes, got %s", kind, s)
	}
	for i, n := range lengths {
		axis := s.Rank() - len(lengths) + i
		want := n
		if kind == compute.FFTInverseReal && i == len(lengths)-1 {
			want = n/2 + 1
		}
		if d := s.Dimensions[axis]; n < 0 || d != want && d != shapes.DynamicDim {
			return errors.Errorf("FFT: expected axis %d of size %d for %s of lengths %v, got %s", axis, want, kind, lengths, s)
		}
	}
	return nil
}

// RNGBitGenerator returns the next state of a Philox generator and random bits in shape s.
func (f *Function) RNGBitGenerator(state compute.Value, s shapes.Shape) (next, bits compute.Value, err error) {
	in, err := f.values("RNGBitGenerator", state)
	if err != nil {
		return nil, nil, err
	}
	if st := in[0].shape; st.DType != dtypes.Uint64 || st.Rank() != 1 || st.Dimensions[0] < 2 || st.Dimensions[0] > 3 {
		return nil, nil, errors.Errorf("RNGBitGenerator: expected a state of 2 or 3 Uint64, got %s", st)
	}
	if err := checkShape(s); err != nil {
		return nil, nil, errors.WithMessage(err, "RNGBitGenerator")
	}
	s = s.Clone()
	out := f.addMany(compute.OpTypeRNGBitGenerator, []shapes.Shape{in[0].shape, s}, in,
		func(l *lowering, in []xb.Op) []xb.Op { return randomBits(in[0], elementType(s.DType), l.dims(s)) })
	return out[0], out[1], nil
}

// randomBits returns the next state and an array of type t with random bits: of a truth value one bit, of a
// complex number both parts.
func randomBits(state xb.Op, t shape.ElementType, dims []int) []xb.Op {
	drawn, sizes := t, dims
	switch bits := t.Bits(); {
	case t == shape.Pred:
		drawn = shape.U8
	case t.IsComplex():
		drawn, sizes = unsignedTypes[bits/2], append(slices.Clone(dims), 2)
	case bits < 8:
		drawn = shape.U8
	default:
		drawn = unsignedTypes[bits]
	}
	next, x := xb.RngBitGenerator(op.RngPhilox, state, shape.Make(drawn, sizes...))
	switch {
	case t == shape.Pred:
		x = xb.Ne(xb.And(x, xb.ScalarLike(x, 1)), xb.ScalarLike(x, 0))
	case t.Bits() < 8:
		x = convert(xb.And(x, xb.ScalarLike(x, 1<<t.Bits()-1)), unsignedTypes[t.Bits()])
		x = bitcast(x, t)
	default:
		x = bitcast(x, t)
	}
	return []xb.Op{next, x}
}

// unsignedTypes are the unsigned integers by their widths.
var unsignedTypes = map[int]shape.ElementType{1: shape.U1, 2: shape.U2, 4: shape.U4, 8: shape.U8, 16: shape.U16,
	32: shape.U32, 64: shape.U64}

// BatchNormForInference returns scale*(x-mean)/sqrt(variance+epsilon) + offset; all but x have one value for each
// index of the feature axis.
func (f *Function) BatchNormForInference(x, scale, offset, mean, variance compute.Value, epsilon float32, axis int) (
	compute.Value, error) {
	in, err := f.normalized("BatchNormForInference", axis, x, scale, offset, mean, variance)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeBatchNormForInference, in[0].shape, in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.BatchNormInference(in[0], in[1], in[2], in[3], in[4], epsilon, axis)
	})
}

// BatchNormForTraining returns x normalized over all axes but the feature axis, times scale plus offset, and the
// mean and variance of each feature.
func (f *Function) BatchNormForTraining(x, scale, offset compute.Value, epsilon float32, axis int) (
	normalized, mean, variance compute.Value, err error) {
	in, err := f.normalized("BatchNormForTraining", axis, x, scale, offset)
	if err != nil {
		return nil, nil, nil, err
	}
	out := f.addMany(compute.OpTypeBatchNormForTraining, []shapes.Shape{in[0].shape, in[1].shape, in[1].shape}, in,
		func(_ *lowering, in []xb.Op) []xb.Op {
			y, m, v := xb.BatchNormTraining(in[0], in[1], in[2], epsilon, axis)
			return []xb.Op{y, m, v}
		})
	return out[0], out[1], out[2], nil
}

// BatchNormGradient returns the gradients of BatchNormForTraining with respect to x, scale and offset.
func (f *Function) BatchNormGradient(x, scale, mean, variance, gradOutput compute.Value, epsilon float32, axis int) (
	gradX, gradScale, gradOffset compute.Value, err error) {
	in, err := f.normalized("BatchNormGradient", axis, x, scale, mean, variance)
	if err != nil {
		return nil, nil, nil, err
	}
	grad, err := f.values("BatchNormGradient", gradOutput)
	if err != nil {
		return nil, nil, nil, err
	}
	if s := in[0].shape; grad[0].shape.DType != s.DType || !grad[0].shape.EqualDimensions(s) {
		return nil, nil, nil, errors.Errorf("BatchNormGradient: expected a gradient of shape %s, got %s", s, grad[0].shape)
	}
	out := f.addMany(compute.OpTypeBatchNormGradient, []shapes.Shape{in[0].shape, in[1].shape, in[1].shape},
		append(in, grad...), func(_ *lowering, in []xb.Op) []xb.Op {
			x, s, o := xb.BatchNormGrad(in[0], in[1], in[2], in[3], in[4], epsilon, axis)
			return []xb.Op{x, s, o}
		})
	return out[0], out[1], out[2], nil
}

// normalized checks the operands of batch normalization: all but x have one value a feature.
func (f *Function) normalized(what string, axis int, operands ...compute.Value) ([]*value, error) {
	in, err := f.values(what, operands...)
	if err != nil {
		return nil, err
	}
	s := in[0].shape
	if !s.DType.IsFloat() || axis < 0 || axis >= s.Rank() {
		return nil, errors.Errorf("%s: expected floats with a feature axis %d, got %s", what, axis, s)
	}
	for i, v := range in[1:] {
		if v.shape.DType != s.DType || v.shape.Rank() != 1 || v.shape.Dimensions[0] != s.Dimensions[axis] {
			return nil, errors.Errorf("%s: expected a value for each of %d features as operand %d, got %s", what,
				s.Dimensions[axis], i+1, v.shape)
		}
	}
	return in, nil
}

// OptimizationBarrier returns the operands, in a way that keeps the compiler from moving things past them.
func (f *Function) OptimizationBarrier(operands ...compute.Value) ([]compute.Value, error) {
	in, err := f.values("OptimizationBarrier", operands...)
	if err != nil {
		return nil, err
	}
	return asValues(f.addMany(compute.OpTypeOptimizationBarrier, shapesOf(in), in, func(_ *lowering, in []xb.Op) []xb.Op {
		return barrier(in)
	})), nil
}

// SchedulingBarrier returns x once all of dependencies are there.
func (f *Function) SchedulingBarrier(x compute.Value, dependencies ...compute.Value) (compute.Value, error) {
	in, err := f.values("SchedulingBarrier", append([]compute.Value{x}, dependencies...)...)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeSchedulingBarrier, in[0].shape, in, func(_ *lowering, in []xb.Op) xb.Op {
		return barrier(in)[0]
	})
}

func barrier(in []xb.Op) []xb.Op {
	if len(in) == 0 {
		return nil
	}
	return elements(xb.OptimizationBarrier(xb.Tuple(in...)))
}

// elements returns the elements of a tuple.
func elements(tuple xb.Op) []xb.Op {
	out := make([]xb.Op, len(tuple.Shape().Elems))
	for i := range out {
		out[i] = xb.GetTupleElement(tuple, i)
	}
	return out
}

// AllReduce folds each operand with those of the other devices of a group, element by element.
func (f *Function) AllReduce(operands []compute.Value, kind compute.ReduceOpType, groups [][]int) (
	[]compute.Value, error) {
	in, err := f.values("AllReduce", operands...)
	if err != nil {
		return nil, err
	}
	r, ok := reducers[byReduceOp[kind]]
	for _, v := range in {
		if !ok || !r.takes(v.shape.DType) {
			return nil, errors.Errorf("AllReduce: expected a reduction that %s has, got %s", v.shape, kind)
		}
	}
	list := make([][]int, len(groups))
	for i, g := range groups {
		list[i] = slices.Clone(g)
	}
	return asValues(f.addMany(compute.OpTypeAllReduce, shapesOf(in), in, func(_ *lowering, in []xb.Op) []xb.Op {
		out := make([]xb.Op, len(in))
		for i, x := range in {
			out[i] = xb.AllReduce(x, r.f, xb.CollectiveOptions{Groups: xb.Groups(list...)})
		}
		return out
	})), nil
}
