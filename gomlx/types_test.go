package gomlx

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla/literal"
)

// A class is a set of data types.
type class []dtypes.DType

// byte8s are the floats of up to 8 bits; for GoMLX they are codes that it does no arithmetic on.
var (
	signedInts = class{dtypes.Int1, dtypes.Int2, dtypes.Int4, dtypes.Int8, dtypes.Int16, dtypes.Int32, dtypes.Int64}
	unsigneds  = class{dtypes.Uint1, dtypes.Uint2, dtypes.Uint4, dtypes.Uint8, dtypes.Uint16, dtypes.Uint32, dtypes.Uint64}
	truth      = class{dtypes.Bool}
	parts      = class{dtypes.Float32, dtypes.Float64}
	floats     = class{dtypes.Float16, dtypes.BFloat16, dtypes.Float32, dtypes.Float64}
	complexes  = class{dtypes.Complex64, dtypes.Complex128}
	byte8s     = class{dtypes.F8E5M2, dtypes.F8E4M3FN, dtypes.F8E4M3B11FNUZ, dtypes.F8E5M2FNUZ, dtypes.F8E4M3FNUZ,
		dtypes.F8E4M3, dtypes.F8E3M4, dtypes.F8E8M0FNU, dtypes.F4E2M1FN}
	ints    = slices.Concat(signedInts, unsigneds)
	inexact = slices.Concat(floats, complexes)
	numbers = slices.Concat(ints, inexact)
	ordered = slices.Concat(truth, ints, floats, byte8s)
	sums    = slices.Concat(numbers, byte8s)
	all     = slices.Concat(ordered, complexes)
)

// methods of each form, by the data types that they take.
var unaryTypes = map[string]class{
	"Abs": numbers, "Sign": numbers, "Neg": slices.Concat(signedInts, inexact),
	"BitCount": ints, "BitwiseNot": ints, "Clz": ints, "LogicalNot": truth,
	"Ceil": floats, "Floor": floats, "Round": floats, "Erf": floats,
	"Cos": inexact, "Exp": inexact, "Expm1": inexact, "Log": inexact, "Log1p": inexact, "Logistic": inexact,
	"Rsqrt": inexact, "Sin": inexact, "Sqrt": inexact, "Tanh": inexact, "Real": inexact, "Imag": inexact,
	"Conj": complexes, "IsFinite": slices.Concat(inexact, byte8s), "IsNaN": slices.Concat(inexact, byte8s),
	"Identity": all, "DynamicShape": all,
}

var binaryTypes = map[string]class{
	"Add": numbers, "Sub": numbers, "Mul": numbers, "Div": numbers, "Pow": numbers,
	"Rem": slices.Concat(ints, floats), "Max": ordered, "Min": ordered, "Atan2": inexact, "Complex": parts,
	"BitwiseAnd": ints, "BitwiseOr": ints, "BitwiseXor": ints,
	"ShiftLeft": ints, "ShiftRightArithmetic": ints, "ShiftRightLogical": ints,
	"LogicalAnd": truth, "LogicalOr": truth, "LogicalXor": truth,
	"Equal": all, "NotEqual": all, "EqualTotalOrder": all, "NotEqualTotalOrder": all,
	"LessThan": ordered, "LessOrEqual": ordered, "GreaterThan": ordered, "GreaterOrEqual": ordered,
	"LessThanTotalOrder": ordered, "LessOrEqualTotalOrder": ordered, "GreaterThanTotalOrder": ordered,
	"GreaterOrEqualTotalOrder": ordered,
}

var reduceTypes = map[string]class{
	"ReduceSum": sums, "ReduceProduct": sums, "ReduceMax": ordered, "ReduceMin": ordered,
	"ReduceBitwiseAnd": ints, "ReduceBitwiseOr": ints, "ReduceBitwiseXor": ints,
	"ReduceLogicalAnd": truth, "ReduceLogicalOr": truth, "ReduceLogicalXor": truth, "Reverse": all,
}

// otherTypes are calls of methods of forms of their own.
var otherTypes = map[string]struct {
	takes class
	build buildFunc
}{
	"ArgMinMax": {slices.Concat(truth, ints, floats), one(func(f function, p values) (compute.Value, error) {
		return f.ArgMinMax(p[0], 1, dtypes.Int32, true)
	})},
	"Clamp": {ordered, one(func(f function, p values) (compute.Value, error) { return f.Clamp(p[0], p[1], p[0]) })},
	"Concatenate": {all, one(func(f function, p values) (compute.Value, error) {
		return f.Concatenate(1, p[0], p[1])
	})},
	"CumSum": {slices.Concat(ints, floats), one(func(f function, p values) (compute.Value, error) {
		return f.CumSum(p[0], 0, compute.CumSumOptions{})
	})},
	"DotGeneral": {all, one(func(f function, p values) (compute.Value, error) {
		return f.DotGeneral(p[0], []int{1}, nil, p[1], []int{1}, nil, compute.DotGeneralConfig{})
	})},
	"DynamicSlice": {all, one(func(f function, p values) (compute.Value, error) {
		i, err := f.Constant([]int32{1})
		if err != nil {
			return nil, err
		}
		return f.DynamicSlice(p[0], values{i, i}, []int{2, 3})
	})},
	"DynamicUpdateSlice": {all, one(func(f function, p values) (compute.Value, error) {
		i, err := f.Constant([]int32{1, 2}, 2)
		if err != nil {
			return nil, err
		}
		part, err := f.Slice(p[1], []int{0, 0}, []int{2, 2}, nil)
		if err != nil {
			return nil, err
		}
		return f.DynamicUpdateSlice(p[0], part, values{i})
	})},
	"FFT": {complexes, one(func(f function, p values) (compute.Value, error) {
		return f.FFT(p[0], compute.FFTForward, []int{6})
	})},
	"FFT of reals": {parts, one(func(f function, p values) (compute.Value, error) {
		return f.FFT(p[0], compute.FFTForwardReal, []int{6})
	})},
	"If": {all, func(f function, p values) (values, error) {
		yes, err := closure(f, func(function, values) (values, error) { return p[:1], nil })
		if err != nil {
			return nil, err
		}
		no, err := closure(f, func(c function, _ values) (values, error) {
			v, err := c.Reverse(p[1], 0)
			return values{v}, err
		})
		if err != nil {
			return nil, err
		}
		pred, err := f.Constant([]bool{false})
		if err != nil {
			return nil, err
		}
		return f.If(pred, yes, no)
	}},
	"Pad": {all, one(func(f function, p values) (compute.Value, error) {
		fill, err := element(f, p[1])
		if err != nil {
			return nil, err
		}
		return f.Pad(p[0], fill, compute.PadAxis{Start: 1, Interior: 1}, compute.PadAxis{Start: -1, End: 2})
	})},
	"ReduceWindow": {ordered, one(func(f function, p values) (compute.Value, error) {
		return f.ReduceWindow(p[0], compute.ReduceOpMax, []int{2, 3}, nil, nil, nil, nil)
	})},
	"ScatterSum": {all, one(func(f function, p values) (compute.Value, error) {
		rows, err := f.Constant([]int32{2, 0, 2, 1}, 4, 1)
		if err != nil {
			return nil, err
		}
		return f.ScatterSum(p[0], rows, p[1], 1, []int{1}, []int{0}, []int{0}, false, false)
	})},
	"Gather": {all, one(func(f function, p values) (compute.Value, error) {
		rows, err := f.Constant([]int32{2, 0, 9}, 3, 1)
		if err != nil {
			return nil, err
		}
		return f.Gather(p[0], rows, 1, []int{1}, []int{0}, []int{0}, []int{1, 6}, false)
	})},
	"Sort": {ordered, func(f function, p values) (values, error) {
		s, err := f.Shape(p[0])
		if err != nil {
			return nil, err
		}
		e := shapes.Shape{DType: s.DType}
		before, err := closure(f, func(c function, x values) (values, error) {
			v, err := c.LessThan(x[0], x[1])
			return values{v}, err
		}, e, e, e, e)
		if err != nil {
			return nil, err
		}
		return f.Sort(before, 1, true, p[0], p[1])
	}},
	"Call": {all, func(f function, p values) (values, error) {
		s, err := f.Shape(p[0])
		if err != nil {
			return nil, err
		}
		g, err := f.Builder().NewFunction("swap")
		if err != nil {
			return nil, err
		}
		swap := func(_ function, x values) (values, error) { return values{x[1], x[0]}, nil }
		if err := finish(g, swap, []shapes.Shape{s, s}); err != nil {
			return nil, err
		}
		return f.Call(g, p[0], p[1])
	}},
	"Where": {all, one(func(f function, p values) (compute.Value, error) {
		c, err := f.Equal(p[0], p[1])
		if err != nil {
			return nil, err
		}
		return f.Where(c, p[0], p[1])
	})},
	"While": {all, func(f function, p values) (values, error) {
		s, err := f.Shape(p[0])
		if err != nil {
			return nil, err
		}
		zero, err := f.Constant([]int32{0})
		if err != nil {
			return nil, err
		}
		cond, err := closure(f, func(c function, x values) (values, error) {
			n, err := c.Constant([]int32{3})
			if err != nil {
				return nil, err
			}
			v, err := c.LessThan(x[0], n)
			return values{v}, err
		}, scalarS32, s, s)
		if err != nil {
			return nil, err
		}
		body, err := closure(f, func(c function, x values) (values, error) {
			n, err := c.Constant([]int32{1})
			if err != nil {
				return nil, err
			}
			v, err := c.Add(x[0], n)
			return values{v, x[2], x[1]}, err
		}, scalarS32, s, s)
		if err != nil {
			return nil, err
		}
		return f.While(cond, body, zero, p[0], p[1])
	}},
}

// element is the first element of x.
func element(f function, x compute.Value) (compute.Value, error) {
	v, err := f.Slice(x, []int{0, 0}, []int{1, 1}, nil)
	if err != nil {
		return nil, err
	}
	return f.Reshape(v)
}

// TestTypes calls operations with operands of every data type: what they take runs compiled as on the evaluator, and
// the rest is refused when the operation is added.
func TestTypes(t *testing.T) {
	for name, takes := range unaryTypes {
		t.Run(name, func(t *testing.T) {
			testTypes(t, takes, one(func(f function, p values) (compute.Value, error) {
				return method[func(compute.Value) (compute.Value, error)](f, name)(p[0])
			}))
		})
	}
	for name, takes := range binaryTypes {
		t.Run(name, func(t *testing.T) {
			testTypes(t, takes, one(func(f function, p values) (compute.Value, error) {
				return method[func(x, y compute.Value) (compute.Value, error)](f, name)(p[0], p[1])
			}))
		})
	}
	for name, takes := range reduceTypes {
		t.Run(name, func(t *testing.T) {
			testTypes(t, takes, one(func(f function, p values) (compute.Value, error) {
				return method[func(x compute.Value, axes ...int) (compute.Value, error)](f, name)(p[0], 1)
			}))
		})
	}
	for name, test := range otherTypes {
		t.Run(name, func(t *testing.T) { testTypes(t, test.takes, test.build) })
	}
}

// method returns the method of f called name.
func method[F any](f function, name string) F {
	return reflect.ValueOf(f).MethodByName(name).Interface().(F)
}

// testTypes calls build with two operands of every type.
func testTypes(t *testing.T, takes class, build buildFunc) {
	compiled, evaluated := newBackend(t, "threads=1"), newBackend(t, "run=interp")
	for dt := range compiled.Capabilities().DTypes {
		s := shapes.Shape{DType: dt, Dimensions: []int{4, 6}}
		f := compiled.Builder("types").Main()
		if _, err := build(f, parametersOf(t, f, s)); (err == nil) != slices.Contains(takes, dt) {
			t.Errorf("%s: got %v", dt, err)
		}
		if !slices.Contains(takes, dt) {
			continue
		}
		got, want := runTyped(t, compiled, s, build), runTyped(t, evaluated, s, build)
		for i := range want {
			if err := literal.Compare(got[i], want[i], toleranceOf(want[i])); err != nil {
				t.Errorf("%s: result %d: compiled and evaluated: %v", dt, i, err)
			}
		}
	}
}

// toleranceOf is how far results may be apart: some units of the last place.
func toleranceOf(l literal.Literal) literal.Tolerance {
	if l.Shape().Type.IsComplex() { // a part may be the small difference of large ones
		return literal.Tolerance{Rule: literal.WithinRelative, Rel: 1e-5, Abs: 1e-5}
	}
	return literal.Tolerance{Rule: literal.WithinULP, ULP: 8}
}

// parametersOf adds two parameters of shape s.
func parametersOf(t *testing.T, f function, s shapes.Shape) values {
	t.Helper()
	var list values
	for range 2 {
		p, err := f.Parameter("", s, nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// runTyped runs build on two arrays of shape s with small numbers.
func runTyped(t *testing.T, b compute.Backend, s shapes.Shape, build buildFunc) []literal.Literal {
	t.Helper()
	f := b.Builder("types").Main()
	out, err := build(f, parametersOf(t, f, s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	if err := f.Return(out, nil); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	exe, err := f.Builder().Compile()
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	in := make([]compute.Buffer, 2)
	for i := range in {
		if in[i], err = b.(*Backend).filled(0, s, func(l literal.Literal) { smallNumbers(r, l) }); err != nil {
			t.Fatal(err)
		}
	}
	buffers, err := exe.Execute(in, nil, 0)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	list := make([]literal.Literal, len(buffers))
	for i, buf := range buffers {
		list[i] = literalOfBuffer(t, buf)
	}
	return list
}

// smallNumbers fills l with numbers from -4 to 4, in quarters where the type has them.
func smallNumbers(r *rand.Rand, l literal.Literal) {
	t := l.Shape().Type
	for i := range l.Len() {
		n := r.IntN(33) - 16
		switch {
		case t.IsComplex():
			l.SetComplex(i, complex(float64(n)/4, float64(r.IntN(33)-16)/4))
		case t.IsFloat():
			l.SetFloat(i, float64(n)/4)
		default:
			l.SetInt(i, int64(n/4))
		}
	}
}
