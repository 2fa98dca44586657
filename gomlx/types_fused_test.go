package gomlx

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla/literal"
)

// fusedTypes are calls of operations on floats, with operands [4, 6].
var fusedTypes = map[string]buildFunc{
	"FusedSoftmax": one(func(f function, p values) (compute.Value, error) { return f.FusedSoftmax(p[0], 1) }),
	"FusedGelu":    one(func(f function, p values) (compute.Value, error) { return f.FusedGelu(p[0], true) }),
	"FusedGelu by tanh": one(func(f function, p values) (compute.Value, error) {
		return f.FusedGelu(p[0], false)
	}),
	"FusedLayerNorm": one(func(f function, p values) (compute.Value, error) {
		return f.FusedLayerNorm(p[0], []int{1}, 1e-3, p[1], nil)
	}),
	"FusedDense": one(func(f function, p values) (compute.Value, error) {
		return f.FusedDense(p[0], p[1], nil, compute.DenseConfig{Activation: compute.ActivationTanh,
			WeightLayout: compute.DenseLayoutOutputsInput})
	}),
	"BatchNorm": func(f function, p values) (values, error) {
		row, err := f.ReduceMax(p[1], 0)
		if err != nil {
			return nil, err
		}
		y, mean, variance, err := f.BatchNormForTraining(p[0], row, row, 1e-2, 1)
		if err != nil {
			return nil, err
		}
		z, err := f.BatchNormForInference(p[0], row, row, mean, variance, 1e-2, 1)
		if err != nil {
			return nil, err
		}
		dx, ds, do, err := f.BatchNormGradient(p[0], row, mean, variance, p[1], 1e-2, 1)
		return values{y, mean, variance, z, dx, ds, do}, err
	},
	"FusedScaledDotProductAttention": func(f function, p values) (values, error) {
		q, err := f.Reshape(p[0], 1, 2, 4, 3)
		if err != nil {
			return nil, err
		}
		k, err := f.Reshape(p[1], 1, 2, 4, 3)
		if err != nil {
			return nil, err
		}
		const layout = compute.AttentionAxesLayoutBHSD
		o := &compute.ScaledDotProductAttentionConfig{Causal: true}
		y, states, err := f.FusedScaledDotProductAttention(q, k, k, layout, o)
		if err != nil {
			return nil, err
		}
		dq, dk, dv, err := f.FusedScaledDotProductAttentionVJP(q, k, k, layout, o, y, states, q)
		return values{y, dq, dk, dv}, err
	},
}

// TestFusedTypes runs the fused operations on every type of floats compiled and on the evaluator.
func TestFusedTypes(t *testing.T) {
	compiled, evaluated := newBackend(t, "threads=1"), newBackend(t, "run=interp")
	digits := map[dtypes.DType]float64{dtypes.BFloat16: 0x1p-5, dtypes.Float16: 0x1p-8, dtypes.Float32: 1e-5,
		dtypes.Float64: 1e-12}
	for name, build := range fusedTypes {
		t.Run(name, func(t *testing.T) {
			for dt, digit := range digits {
				s := shapes.Make(dt, 4, 6)
				got, want := runTyped(t, compiled, s, build), runTyped(t, evaluated, s, build)
				for i := range want {
					close := literal.Tolerance{Rule: literal.WithinLargest, Rel: digit}
					if err := literal.Compare(got[i], want[i], close); err != nil {
						t.Errorf("%s: result %d: compiled and evaluated: %v", dt, i, err)
					}
				}
			}
		})
	}
}

// TestConversions converts numbers from each type to each other one, and draws random bits in each, compiled and on the
// evaluator.
func TestConversions(t *testing.T) {
	compiled, evaluated := newBackend(t, "threads=1"), newBackend(t, "run=interp")
	for from := range compiled.Capabilities().DTypes {
		build := func(f function, p values) (out values, err error) {
			for to := range dtypes.DType(len(elementTypes)) {
				if !compiled.Capabilities().DTypes[to] {
					continue
				}
				v, err := f.ConvertDType(p[0], to)
				if err != nil {
					return nil, err
				}
				out = append(out, v)
			}
			state, err := f.Constant([]uint64{1, 2, 3}, 3)
			if err != nil {
				return nil, err
			}
			next, bits, err := f.RNGBitGenerator(state, shapes.Shape{DType: from, Dimensions: []int{3, 5}})
			return append(out, next, bits), err
		}
		s := shapes.Shape{DType: from, Dimensions: []int{4, 6}}
		got, want := runTyped(t, compiled, s, build), runTyped(t, evaluated, s, build)
		for i := range want {
			if err := literal.Compare(got[i], want[i], literal.Tolerance{}); err != nil {
				t.Errorf("%s: result %d, %s: compiled and evaluated: %v", from, i, want[i].Shape(), err)
			}
		}
	}
}
