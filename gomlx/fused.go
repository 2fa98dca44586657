package gomlx

import (
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/pkg/errors"
)

// The fused operations are written as the simple ones that they consist of: the compiler fuses those.

// FusedSoftmax returns exp(x) divided by its sum along an axis.
func (f *Function) FusedSoftmax(x compute.Value, axis int) (compute.Value, error) {
	in, err := f.values("FusedSoftmax", x)
	if err != nil {
		return nil, err
	}
	if s := in[0].shape; !s.DType.IsFloat() || axis < 0 || axis >= s.Rank() {
		return nil, errors.Errorf("FusedSoftmax: expected floats with an axis %d, got %s", axis, s)
	}
	return f.add(compute.OpTypeFusedSoftmax, in[0].shape, in, func(_ *lowering, in []xb.Op) xb.Op {
		return softmax(in[0], axis)
	})
}

func softmax(x xb.Op, axis int) xb.Op {
	e := xb.Exp(xb.Sub(x, along(x, xb.ReduceMax(x, axis), axis)))
	return xb.Div(e, along(x, xb.ReduceSum(e, axis), axis))
}

// along returns r, which lacks the given axes of x, in x's sizes.
func along(x, r xb.Op, axes ...int) xb.Op {
	var kept []int
	for i := range x.Rank() {
		if !slices.Contains(axes, i) {
			kept = append(kept, i)
		}
	}
	return xb.BroadcastInDim(r, x.Shape().Dims, kept)
}

// FusedGelu returns x times the normal distribution function of x; by the tanh approximation if not exact.
func (f *Function) FusedGelu(x compute.Value, exact bool) (compute.Value, error) {
	in, err := f.values("FusedGelu", x)
	if err != nil {
		return nil, err
	}
	if !in[0].shape.DType.IsFloat() {
		return nil, errors.Errorf("FusedGelu: expected floats, got %s", in[0].shape)
	}
	return f.add(compute.OpTypeFusedGelu, in[0].shape, in, func(_ *lowering, in []xb.Op) xb.Op {
		if exact {
			return gelu(in[0])
		}
		return geluTanh(in[0])
	})
}

// times is x times a number.
func times(x xb.Op, c float64) xb.Op { return xb.Mul(x, xb.ScalarLike(x, c)) }

// plus is x plus a number.
func plus(x xb.Op, c float64) xb.Op { return xb.Add(x, xb.ScalarLike(x, c)) }

func gelu(x xb.Op) xb.Op {
	return xb.Mul(x, times(plus(xb.Erf(times(x, math.Sqrt2/2)), 1), 0.5))
}

func geluTanh(x xb.Op) xb.Op {
	cubed := xb.Mul(xb.Mul(x, x), x)
	inner := times(xb.Add(x, times(cubed, 0.044715)), math.Sqrt(2/math.Pi))
	return xb.Mul(x, times(plus(xb.Tanh(inner), 1), 0.5))
}

// FusedLayerNorm returns x normalized over axes, times gamma plus beta, which may be nil.
func (f *Function) FusedLayerNorm(x compute.Value, axes []int, epsilon float64, gamma, beta compute.Value) (
	compute.Value, error) {
	list := []compute.Value{x}
	for _, v := range []compute.Value{gamma, beta} {
		if v != nil {
			list = append(list, v)
		}
	}
	in, err := f.values("FusedLayerNorm", list...)
	if err != nil {
		return nil, err
	}
	s := in[0].shape
	if !s.DType.IsFloat() || len(axes) == 0 {
		return nil, errors.Errorf("FusedLayerNorm: expected floats and axes, got %s and %v", s, axes)
	}
	axes, err = checkAxes(axes, s.Rank())
	if err != nil {
		return nil, errors.WithMessage(err, "FusedLayerNorm")
	}
	for _, v := range in[1:] {
		if !fitsAxes(v.shape, s, axes) {
			return nil, errors.Errorf("FusedLayerNorm: expected a factor and an offset for axes %v of %s, got %s", axes, s,
				v.shape)
		}
	}
	return f.add(compute.OpTypeFusedLayerNorm, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		y, rest := layerNorm(in[0], axes, epsilon), in[1:]
		if gamma != nil {
			y, rest = xb.Mul(y, onAxes(y, rest[0], axes)), rest[1:]
		}
		if beta != nil {
			y = xb.Add(y, onAxes(y, rest[0], axes))
		}
		return y
	})
}

// fitsAxes reports whether an array of shape v has the given axes of x, or can be stretched to all of them.
func fitsAxes(v, x shapes.Shape, axes []int) bool {
	if v.DType != x.DType {
		return false
	}
	if v.Rank() == x.Rank() {
		return stretches(v.Dimensions, x.Dimensions)
	}
	if v.Rank() != len(axes) {
		return false
	}
	for i, a := range axes {
		if v.Dimensions[i] != x.Dimensions[a] {
			return false
		}
	}
	return true
}

func layerNorm(x xb.Op, axes []int, epsilon float64) xb.Op {
	n := 1
	for _, a := range axes {
		n *= x.Dim(a)
	}
	mean := func(y xb.Op) xb.Op { return along(x, times(xb.ReduceSum(y, axes...), 1/float64(n)), axes...) }
	centered := xb.Sub(x, mean(x))
	return xb.Mul(centered, xb.Rsqrt(plus(mean(xb.Mul(centered, centered)), epsilon)))
}

// onAxes returns v, which has the given axes of x or all of them, in x's sizes.
func onAxes(x, v xb.Op, axes []int) xb.Op {
	if v.Rank() == x.Rank() {
		return v
	}
	return xb.BroadcastInDim(v, x.Shape().Dims, axes)
}

// activations are what a dense layer applies to its sums.
var activations = map[compute.ActivationType]func(x xb.Op) xb.Op{
	compute.ActivationNone: func(x xb.Op) xb.Op { return x },
	compute.ActivationGelu: gelu,
	compute.ActivationRelu: func(x xb.Op) xb.Op { return xb.Max(x, xb.ScalarLike(x, 0)) },
	compute.ActivationSilu: func(x xb.Op) xb.Op { return xb.Mul(x, xb.Logistic(x)) },
	compute.ActivationHardSwish: func(x xb.Op) xb.Op {
		return xb.Mul(x, xb.Clamp(xb.ScalarLike(x, 0), plus(times(x, 1.0/6), 0.5), xb.ScalarLike(x, 1)))
	},
	compute.ActivationTanh: func(x xb.Op) xb.Op { return xb.Tanh(x) },
}

// FusedDense returns activation(x @ weight + bias); bias may be nil.
func (f *Function) FusedDense(x, weight, bias compute.Value, o compute.DenseConfig) (compute.Value, error) {
	list := []compute.Value{x, weight}
	if bias != nil {
		list = append(list, bias)
	}
	in, err := f.values("FusedDense", list...)
	if err != nil {
		return nil, err
	}
	activate, ok := activations[o.Activation]
	if !ok {
		return nil, errors.Errorf("FusedDense: expected an activation, got %d", o.Activation)
	}
	xs, ws := in[0].shape, in[1].shape
	contracting := 0
	if o.WeightLayout == compute.DenseLayoutOutputsInput {
		contracting = ws.Rank() - 1
	}
	if xs.Rank() < 1 || ws.Rank() < 2 || xs.DType != ws.DType ||
		xs.Dimensions[xs.Rank()-1] != ws.Dimensions[contracting] {
		return nil, errors.Errorf("FusedDense: expected weights whose axis %d goes with the last one of %s, got %s",
			contracting, xs, ws)
	}
	outputs := slices.Delete(slices.Clone(ws.Dimensions), contracting, contracting+1)
	if bias != nil && (in[2].shape.DType != xs.DType || !slices.Equal(in[2].shape.Dimensions, outputs)) {
		return nil, errors.Errorf("FusedDense: expected a bias of sizes %v, got %s", outputs, in[2].shape)
	}
	s := denseShape(xs, outputs)
	return f.add(compute.OpTypeFusedDense, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return activate(dense(in[0], in[1], contracting, in[2:]))
	})
}

// denseShape returns x with its last dimension replaced by those of outputs.
func denseShape(x shapes.Shape, outputs []int) shapes.Shape {
	last := x.Rank() - 1
	s := shapes.Shape{DType: x.DType, Dimensions: append(slices.Clone(x.Dimensions[:last]), outputs...)}
	if x.AxisNames != nil {
		s.AxisNames = append(slices.Clone(x.AxisNames[:last]), make([]string, len(outputs))...)
	}
	return s
}

// trailing returns v, which has the last dimensions of x, in x's sizes.
func trailing(x, v xb.Op) xb.Op {
	dims := make([]int, v.Rank())
	for i := range dims {
		dims[i] = x.Rank() - v.Rank() + i
	}
	return xb.BroadcastInDim(v, x.Shape().Dims, dims)
}

// FusedAttentionQKVProjection returns x times each of the parts of wQKV, plus their biases, which may be nil.
func (f *Function) FusedAttentionQKVProjection(x, wQKV, biasQ, biasK, biasV compute.Value, queryDim, keyValueDim int) (
	query, key, value compute.Value, err error) {
	list := []compute.Value{x, wQKV}
	biases := []compute.Value{biasQ, biasK, biasV}
	for _, b := range biases {
		if b != nil {
			list = append(list, b)
		}
	}
	in, err := f.values("FusedAttentionQKVProjection", list...)
	if err != nil {
		return nil, nil, nil, err
	}
	xs, ws := in[0].shape, in[1].shape
	sizes := []int{queryDim, keyValueDim, keyValueDim}
	if xs.Rank() < 1 || ws.Rank() != 2 || xs.DType != ws.DType || xs.Dimensions[xs.Rank()-1] != ws.Dimensions[0] ||
		ws.Dimensions[1] != queryDim+2*keyValueDim {
		return nil, nil, nil, errors.Errorf("FusedAttentionQKVProjection: expected weights [inputs, %d] for %s, got %s",
			queryDim+2*keyValueDim, xs, ws)
	}
	var outs []shapes.Shape
	given := in[2:]
	for i, n := range sizes {
		outs = append(outs, denseShape(xs, []int{n}))
		if biases[i] != nil {
			if b := given[0].shape; b.DType != xs.DType || b.Rank() != 1 || b.Dimensions[0] != n {
				return nil, nil, nil, errors.Errorf("FusedAttentionQKVProjection: expected a bias of %d, got %s", n, b)
			}
			given = given[1:]
		}
	}
	out := f.addMany(compute.OpTypeFusedAttentionQKVProjection, outs, in, func(_ *lowering, in []xb.Op) []xb.Op {
		y, given, start := dense(in[0], in[1], 0, nil), in[2:], 0
		var parts []xb.Op
		for i, n := range sizes {
			part := xb.SliceInDim(y, start, start+n, 1, y.Rank()-1)
			if biases[i] != nil {
				part, given = xb.Add(part, trailing(part, given[0])), given[1:]
			}
			parts, start = append(parts, part), start+n
		}
		return parts
	})
	return out[0], out[1], out[2], nil
}
