package perturb_test

import (
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/perturb"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestAnswers: another implementation, here another program, may differ in roundings and in what follows from them.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name, program, other string
		x                    any
		accepted             bool
	}{
		{"bits of a rounding", "y = f32[2] exponential(x)\n ROOT r = s32[2] bitcast-convert(y)",
			"y = f32[2] exponential(x)\n b = s32[2] bitcast-convert(y)\n i = s32[2] iota(), iota_dimension=0\n" +
				" ROOT r = s32[2] add(b, i)", []float32{1, 2}, true},
		{"other bits", "y = f32[2] exponential(x)\n ROOT r = s32[2] bitcast-convert(y)",
			"y = f32[2] exponential(x)\n b = s32[2] bitcast-convert(y)\n m = s32[2] constant({64, 0})\n" +
				" ROOT r = s32[2] add(b, m)", []float32{1, 2}, false},
		{"a rounding to integers at the edge", "y = f32[2] exponential(x)\n ROOT r = f32[2] ceil(y)",
			"ROOT r = f32[2] constant({2, 1})", []float32{0, 0}, true},
		{"far from the edge", "y = f32[2] exponential(x)\n ROOT r = f32[2] ceil(y)",
			"ROOT r = f32[2] constant({3, 2})", []float32{0.5, 0.5}, false},
		{"what is exact is not rounded", "y = f32[2] add(x, x)\n ROOT r = f32[2] ceil(y)",
			"ROOT r = f32[2] constant({2, 3})", []float32{1, 1}, false},
		{"cancellation", "y = f32[2] sine(x)\n z = f32[2] sine(x)\n ROOT r = f32[2] subtract(y, z)",
			"ROOT r = f32[2] constant({-6e-8, 6e-8})", []float32{1, 1}, true},
		{"too much of it", "y = f32[2] sine(x)\n z = f32[2] sine(x)\n ROOT r = f32[2] subtract(y, z)",
			"ROOT r = f32[2] constant({-6e-6, 6e-6})", []float32{1, 1}, false},
		{"a difference where none is", "ROOT r = f32[2] multiply(x, x)", "y = f32[2] multiply(x, x)\n" +
			" h = f32[2] constant({0.9999, 1})\n ROOT r = f32[2] multiply(y, h)", []float32{1, 1}, false},
		{"signs of NaNs show in bits", "y = f32[2] log(x)\n ROOT r = s32[2] bitcast-convert(y)",
			"ROOT r = s32[2] constant({2143289344, -4194304})", []float32{-1, -1}, true},
		{"not those of numbers", "y = f32[2] log(x)\n ROOT r = s32[2] bitcast-convert(y)",
			"ROOT r = s32[2] constant({2143289344, -4194304})", []float32{-1, 1}, false},
		{"transforms of what is infinite", fft, "ROOT r = c64[2] constant({(nan, nan), (inf, nan)})",
			[]complex64{1, complex64(cmplx.Inf())}, true},
		{"the finite part of them", fft, "ROOT r = c64[2] constant({(nan, 1), (inf, nan)})",
			[]complex64{1, complex64(complex(math.NaN(), 1))}, true},
		{"of what is not", fft, "ROOT r = c64[2] constant({(nan, nan), (inf, nan)})", []complex64{1, 2}, false},
		{"transforms that cancel", repeated, cancelled, slices.Repeat([]float32{.4}, 10), true},
		{"that do not", repeated, cancelled, []float32{.4, .4, .4, .4, .4, .4, .4, .4, .4, .4001}, false},
		{"reciprocals of noise", variance, "ROOT r = f32[1] constant({1.2e7})", twelve, true},
		{"of the wrong noise", variance, "ROOT r = f32[1] constant({8.39e8})", twelve, false},
		{"no noise", variance, "ROOT r = f32[1] constant({inf})", twelve, true},
		{"a variance that is none", variance, "ROOT r = f32[1] constant({inf})", different, false},
		{"products that are too large beside a zero", product, "ROOT r = f32[] constant(nan)",
			[]float32{0, 1e30, 1e30, 1}, true},
		{"beside none", product, "ROOT r = f32[] constant(nan)", []float32{1, 1e30, 1e30, 1}, false},
		{"of small numbers", product, "ROOT r = f32[] constant(nan)", []float32{0, 1e3, 1e3, 1}, false},
		{"of each row for itself", products, "ROOT r = f32[2] constant({nan, inf})",
			[][]float32{{0, 1e30, 1e30}, {1, 1e30, 1e30}}, true},
		{"and of no other", products, "ROOT r = f32[2] constant({nan, nan})",
			[][]float32{{0, 1e30, 1e30}, {1, 1e30, 1e30}}, false},
		{"integers", "ROOT r = s32[2] add(x, x)", "ROOT r = s32[2] constant({2, 3})", []int32{1, 1}, false},
	} {
		t.Run(c.name, func(t *testing.T) { checkAnswers(t, c.program, c.other, literal.Of(c.x), c.accepted) })
	}
}

// TestAnswersOfTuples: what is in tuples of tuples is compared, each array with that in its place.
func TestAnswersOfTuples(t *testing.T) {
	const body = "a = f32[2] add(x, x)\n n = (f32[2], f32[2]) tuple(x, a)\n e = () tuple()\n"
	x := literal.Of([]float32{1, 2})
	m := module(t, x, body+" ROOT r = ((f32[2], f32[2]), (), f32[2]) tuple(n, e, x)")
	answers, err := perturb.NewAnswers(t.Context(), m, []literal.Literal{x})
	if err != nil {
		t.Fatal(err)
	}
	two := literal.Of([]float32{2, 4})
	for _, c := range []struct {
		k        int
		got      literal.Literal
		accepted bool
	}{
		{0, literal.MakeTuple(x, two), true}, {0, literal.MakeTuple(x, x), false}, {0, literal.MakeTuple(two, two), false},
		{1, literal.MakeTuple(), true}, {0, literal.MakeTuple(), false}, {2, x, true}, {2, two, false},
	} {
		if err := answers.Check(c.k, c.got, 0); (err == nil) != c.accepted {
			t.Errorf("result %d: %v: error %v", c.k, c.got, err)
		}
	}
}

// variance is a reciprocal of the deviation of numbers that are all the same.
const variance = "o = f32[1] constant({1})\n" +
	" b = (f32[12,1], f32[1], f32[1]) batch-norm-training(x, o, o), epsilon=0.5, feature_index=1\n" +
	" v = f32[1] get-tuple-element(b), index=2\n ROOT r = f32[1] rsqrt(v)"

var twelve = [][]float32{{-1.855}, {-1.855}, {-1.855}, {-1.855}, {-1.855}, {-1.855}, {-1.855}, {-1.855}, {-1.855},
	{-1.855}, {-1.855}, {-1.855}}

// different are numbers of a small variance.
var different = [][]float32{{1}, {1}, {1}, {1}, {1}, {1}, {1.0001}, {1}, {1}, {1}, {1}, {1}}

const fft = "ROOT r = c64[2] fft(x), fft_type=FFT, fft_length={2}"

const cancelled = "ROOT r = f32[10] constant({1.3862944, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf})"

const repeated = "c = c64[10] convert(x)\n f = c64[10] fft(c), fft_type=FFT, fft_length={10}\n" +
	" a = f32[10] abs(f)\n ROOT r = f32[10] log(a)"

// times is a computation that programs may call.
const times = "times {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] multiply(a, b)\n}\n"

const product = "o = f32[] constant(1)\n ROOT r = f32[] reduce(x, o), dimensions={0}, to_apply=times"

const products = "o = f32[] constant(1)\n ROOT r = f32[2] reduce(x, o), dimensions={1}, to_apply=times"

func checkAnswers(t *testing.T, program, other string, x literal.Literal, accepted bool) {
	answers, err := perturb.NewAnswers(t.Context(), module(t, x, program), []literal.Literal{x})
	if err != nil {
		t.Fatal(err)
	}
	if err := answers.Extend(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	got, err := interp.Run(t.Context(), module(t, x, other), []literal.Literal{x}, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := answers.Check(0, got, 1e-5); (err == nil) != accepted {
		t.Errorf("%v instead of %s: error %v", got, program, err)
	}
}

func module(t *testing.T, x literal.Literal, body string) *hlo.Module {
	t.Helper()
	m, err := hlotext.Parse(times+"ENTRY e {\n x = "+x.Shape().String()+" parameter(0)\n "+body+"\n}",
		hlotext.ParseOptions{File: "case.hlo"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
