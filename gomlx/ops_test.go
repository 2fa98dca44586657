package gomlx

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
)

type (
	function = compute.Function
	values   = []compute.Value
)

var nan, inf = float32(math.NaN()), float32(math.Inf(1))

// TestOps runs operations that GoMLX's suite for backends has no test for.
func TestOps(t *testing.T) {
	x23 := arr([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	ints := arr([]int32{-8, 1, 2, 3}, 4)
	odd := arr([]float32{-nan, -inf, -1, float32(math.Copysign(0, -1)), 0, 1, inf, nan}, 8)
	tests := []struct {
		name   string
		inputs []array
		build  buildFunc
		want   []float64 // of the first result; nil: only the comparison
	}{
		{"pad", []array{x23, arr([]float32{9})}, one(func(f function, p values) (compute.Value, error) {
			return f.Pad(p[0], p[1], compute.PadAxis{Start: 1}, compute.PadAxis{Start: -1, End: 1, Interior: 1})
		}), []float64{9, 9, 9, 9, 9, 9, 2, 9, 3, 9, 9, 5, 9, 6, 9}},
		{"shift left", []array{ints, arr([]int32{1, 2, 31, 32}, 4)}, one(func(f function, p values) (compute.Value, error) {
			return f.ShiftLeft(p[0], p[1])
		}), []float64{-16, 4, 0, 0}},
		{"shift right arithmetic", []array{ints, arr([]int32{1})}, one(func(f function, p values) (compute.Value, error) {
			return f.ShiftRightArithmetic(p[0], p[1])
		}), []float64{-4, 0, 1, 1}},
		{"shift right logical", []array{ints, arr([]int32{1})}, one(func(f function, p values) (compute.Value, error) {
			return f.ShiftRightLogical(p[0], p[1])
		}), []float64{1<<31 - 4, 0, 1, 1}},
		{"clamp", []array{arr([]float32{2}), x23, arr([]float32{5})}, one(func(f function, p values) (compute.Value, error) {
			return f.Clamp(p[0], p[1], p[2])
		}), []float64{2, 2, 3, 4, 5, 5}},
		{"dynamic slice", []array{x23, arr([]int32{5}), arr([]int64{1})}, one(
			func(f function, p values) (compute.Value, error) {
				return f.DynamicSlice(p[0], p[1:], []int{1, 2})
			}), []float64{5, 6}},
		{"dynamic slice by a vector", []array{x23, arr([]int32{0, 2}, 2)}, one(
			func(f function, p values) (compute.Value, error) {
				return f.DynamicSlice(p[0], p[1:], []int{2, 1})
			}), []float64{3, 6}},
		{"dynamic update slice", []array{x23, arr([]float32{7, 8}, 1, 2), arr([]int32{1}), arr([]int32{0})}, one(
			func(f function, p values) (compute.Value, error) {
				return f.DynamicUpdateSlice(p[0], p[1], p[2:])
			}), []float64{1, 2, 3, 7, 8, 6}},
		{"atan2", []array{arr([]float32{1, -1, 0}, 3), arr([]float32{0, -1, -2}, 3)}, one(
			func(f function, p values) (compute.Value, error) {
				return f.Atan2(p[0], p[1])
			}), []float64{math.Pi / 2, -3 * math.Pi / 4, math.Pi}},
		{"not equal", []array{odd, odd}, one(func(f function, p values) (compute.Value, error) {
			return f.NotEqual(p[0], p[1])
		}), []float64{1, 0, 0, 0, 0, 0, 0, 1}},
		{"less total order", []array{odd, arr([]float32{0})}, one(func(f function, p values) (compute.Value, error) {
			return f.LessThanTotalOrder(p[0], p[1])
		}), nil},
		{"equal total order", []array{odd, odd}, one(func(f function, p values) (compute.Value, error) {
			return f.EqualTotalOrder(p[0], p[1])
		}), []float64{1, 1, 1, 1, 1, 1, 1, 1}},
		{"greater total order", []array{arr([]float32{0, nan}, 2), arr([]float32{float32(math.Copysign(0, -1)), inf}, 2)},
			one(func(f function, p values) (compute.Value, error) {
				return f.GreaterThanTotalOrder(p[0], p[1])
			}), []float64{1, 1}},
		{"argmax with NaN", []array{arr([]float32{1, nan, 3, nan, -inf, -inf, 2, 2}, 2, 4)}, one(
			func(f function, p values) (compute.Value, error) {
				return f.ArgMinMax(p[0], 1, dtypes.Int32, false)
			}), []float64{1, 2}},
		{"cumulative sum backwards", []array{x23}, one(func(f function, p values) (compute.Value, error) {
			return f.CumSum(p[0], 1, compute.CumSumOptions{Reverse: true, Exclusive: true})
		}), []float64{5, 3, 0, 11, 6, 0}},
		{"abs of unsigned", []array{arr([]uint8{0, 7}, 2)}, one(func(f function, p values) (compute.Value, error) {
			v, err := f.Sign(p[0])
			if err != nil {
				return nil, err
			}
			return f.Abs(v)
		}), []float64{0, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := compare(t, test.inputs, test.build)
			if test.want != nil {
				check(t, out[0], test.want...)
			}
		})
	}
}

// TestTotalOrder compares each of eight numbers, in ascending order, with each other.
func TestTotalOrder(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	list := []float32{-nan, -inf, -1, float32(math.Copysign(0, -1)), 0, 1, inf, nan}
	rows, columns := make([]float32, 0, 64), make([]float32, 0, 64)
	for _, x := range list {
		for _, y := range list {
			rows, columns = append(rows, x), append(columns, y)
		}
	}
	out := compare(t, []array{arr(rows, 8, 8), arr(columns, 8, 8)}, func(f function, p values) (out values, err error) {
		for _, op := range []func(x, y compute.Value) (compute.Value, error){f.EqualTotalOrder, f.NotEqualTotalOrder,
			f.LessThanTotalOrder, f.LessOrEqualTotalOrder, f.GreaterThanTotalOrder, f.GreaterOrEqualTotalOrder} {
			v, err := op(p[0], p[1])
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	})
	for i, holds := range []func(x, y int) bool{
		func(x, y int) bool { return x == y }, func(x, y int) bool { return x != y },
		func(x, y int) bool { return x < y }, func(x, y int) bool { return x <= y },
		func(x, y int) bool { return x > y }, func(x, y int) bool { return x >= y },
	} {
		for x := range 8 {
			for y := range 8 {
				if got := out[i].FloatAt(8*x+y) == 1; got != holds(x, y) {
					t.Errorf("comparison %d of %v and %v: got %v", i, list[x], list[y], got)
				}
			}
		}
	}
}

// TestComplex runs operations on complex numbers.
func TestComplex(t *testing.T) {
	re, im := arr([]float32{1, -2, 0, 4}, 4), arr([]float32{0, 3, -1, 2}, 4)
	out := compare(t, []array{re, im}, func(f function, p values) (out values, err error) {
		z, err := f.Complex(p[0], p[1])
		if err != nil {
			return nil, err
		}
		for _, op := range []func(compute.Value) (compute.Value, error){f.Real, f.Imag, f.Conj, f.Abs, f.Exp, f.Tanh,
			f.Sqrt, f.Neg} {
			v, err := op(z)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	})
	check(t, out[0], 1, -2, 0, 4)
	check(t, out[1], 0, 3, -1, 2)
	check(t, out[3], 1, math.Sqrt(13), 1, math.Sqrt(20))
}

// TestBitcastComplex takes complex numbers apart and puts them together.
func TestBitcastComplex(t *testing.T) {
	z := arr([]complex128{1 + 2i, -3i}, 2)
	for _, through := range []dtypes.DType{dtypes.Float64, dtypes.Uint64, dtypes.Uint8, dtypes.Float32, dtypes.Complex64} {
		out := compare(t, []array{z}, one(func(f function, p values) (compute.Value, error) {
			v, err := f.Bitcast(p[0], through)
			if err != nil {
				return nil, err
			}
			return f.Bitcast(v, dtypes.Complex128)
		}))
		if got := out[0].ComplexAt(0); got != 1+2i {
			t.Errorf("through %s: got %v", through, got)
		}
		if got := out[0].ComplexAt(1); got != -3i {
			t.Errorf("through %s: got %v", through, got)
		}
	}
}

// TestFFT checks the transforms against their inverses.
func TestFFT(t *testing.T) {
	x := arr(random(1, 2*12), 2, 12)
	out := compare(t, []array{x}, func(f function, p values) (values, error) {
		z, err := f.FFT(p[0], compute.FFTForwardReal, []int{12})
		if err != nil {
			return nil, err
		}
		back, err := f.FFT(z, compute.FFTInverseReal, []int{12})
		if err != nil {
			return nil, err
		}
		c, err := f.ConvertDType(p[0], dtypes.Complex64)
		if err != nil {
			return nil, err
		}
		if c, err = f.FFT(c, compute.FFTForward, []int{2, 12}); err != nil {
			return nil, err
		}
		c, err = f.FFT(c, compute.FFTInverse, []int{2, 12})
		return values{back, c, z}, err
	})
	for i, v := range x.flat.([]float32) {
		if math.Abs(out[0].FloatAt(i)-float64(v)) > 1e-5 || math.Abs(out[1].FloatAt(i)-float64(v)) > 1e-5 {
			t.Fatalf("element %d: got %v and %v, want %v", i, out[0].FloatAt(i), out[1].FloatAt(i), v)
		}
	}
	if d := out[2].Dims(); d[1] != 7 {
		t.Errorf("half spectrum: got sizes %v", d)
	}
}

// TestBatchNorm checks the three operations of batch normalization.
func TestBatchNorm(t *testing.T) {
	inputs := []array{arr(random(2, 4*3*2), 4, 3, 2), arr([]float32{1, 2, 3}, 3), arr([]float32{0, -1, 1}, 3),
		arr(random(3, 4*3*2), 4, 3, 2)}
	out := compare(t, inputs, func(f function, p values) (values, error) {
		y, mean, variance, err := f.BatchNormForTraining(p[0], p[1], p[2], 1e-3, 1)
		if err != nil {
			return nil, err
		}
		same, err := f.BatchNormForInference(p[0], p[1], p[2], mean, variance, 1e-3, 1)
		if err != nil {
			return nil, err
		}
		dx, ds, do, err := f.BatchNormGradient(p[0], p[1], mean, variance, p[3], 1e-3, 1)
		return values{y, same, dx, ds, do}, err
	})
	for i := range out[0].Len() {
		if math.Abs(out[0].FloatAt(i)-out[1].FloatAt(i)) > 1e-5 {
			t.Fatalf("element %d: training gives %v, inference %v", i, out[0].FloatAt(i), out[1].FloatAt(i))
		}
	}
}
