package cpu_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
)

var roundingCases = []cumulativeCase{
	{"f32", "add", []int{3, 5}, 1, false, false, false}, {"f32", "add", []int{4, 63}, 1, false, true, false},
	{"f32", "add", []int{4, 64}, 1, true, false, true}, {"f32", "add", []int{4, 65}, 1, false, true, false},
	{"f32", "add", []int{40, 1000}, 1, false, false, false}, {"f32", "add", []int{2, 70001}, 1, true, true, false},
	{"f32", "add", []int{200003}, 0, false, false, false}, {"bf16", "add", []int{9, 1031}, 1, false, false, false},
	{"bf16", "add", []int{66001}, 0, true, false, false}, {"f16", "add", []int{9, 129}, 1, false, true, true},
}

// TestCumulativeRounding: what sums of f32 and narrower floats lose before they are rounded to their type is no more
// than a few roundings of f32 of the absolute values so far, however long the line, and where they add nothing but
// negative zeros they are one.
func TestCumulativeRounding(t *testing.T) {
	const few = 6
	eps := map[string]float64{"f32": 1.0 / (1 << 24), "bf16": 1.0 / (1 << 8), "f16": 1.0 / (1 << 11)}
	for n, c := range roundingCases {
		m, err := hlotext.Parse(c.text(), hlotext.ParseOptions{})
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		arg := literal.New(m.Entry().Params()[0].Shape())
		r := rand.New(rand.NewPCG(uint64(n), 5))
		x, size := make([]float64, arg.Len()), make([]float64, arg.Len())
		for k := range x {
			arg.SetFloat(k, r.NormFloat64())
			x[k] = arg.FloatAt(k)
			size[k] = math.Abs(x[k])
		}
		want, bound, one := c.want(x), c.want(size), literal.Literal{}
		for _, threads := range racetest.Threads(1, 2, 5) {
			got := runThreads(t, m, []literal.Literal{arg, arg}[:len(m.Entry().Params())], threads)
			for k := range want {
				most := few*eps["f32"]*bound[k] + eps[c.ty]*math.Abs(want[k])
				if g := got.FloatAt(k); math.Abs(g-want[k]) > most {
					t.Fatalf("%v, %d threads: element %d: got %v, want %v, at most %v off", c, threads, k, g, want[k], most)
				}
			}
			if one.IsValid() && !slices.Equal(got.Bytes(), one.Bytes()) {
				t.Errorf("%v: other bits with %d threads", c, threads)
			}
			one = got
		}
	}
}

func TestCumulativeNegativeZeros(t *testing.T) {
	c := cumulativeCase{"f32", "add", []int{2, 150}, 1, false, false, false}
	m, err := hlotext.Parse(strings.Replace(c.text(), "constant(0)", "constant(-0.0)", 1), hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	arg := literal.New(m.Entry().Params()[0].Shape())
	for k := range arg.Len() {
		arg.SetFloat(k, math.Copysign(0, -1))
	}
	got := runThreads(t, m, []literal.Literal{arg}, 1)
	for k := range got.Len() {
		if v := got.FloatAt(k); v != 0 || !math.Signbit(v) {
			t.Fatalf("element %d: got %v, want -0", k, v)
		}
	}
}

var rangeCases = []cumulativeCase{
	{"f32", "add", []int{3, 5}, 1, false, false, false}, {"f32", "add", []int{11, 64}, 1, false, true, false},
	{"f32", "add", []int{37, 131}, 1, true, false, true}, {"f32", "add", []int{3, 2500}, 1, false, true, false},
	{"f32", "add", []int{200003}, 0, false, false, false}, {"f32", "add", []int{70, 66}, 0, false, false, false},
	{"bf16", "add", []int{9, 1031}, 1, false, false, false}, {"bf16", "add", []int{66001}, 0, true, false, false},
	{"f16", "add", []int{9, 129}, 1, false, false, true},
}

// TestCumulativeRange: neighbours that come to more than the type holds make no sum infinite that is not. Sums that are
// have its sign, those behind an infinity keep it, and those behind two of both signs are no numbers.
func TestCumulativeRange(t *testing.T) {
	for n, c := range rangeCases {
		m, err := hlotext.Parse(c.text(), hlotext.ParseOptions{})
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		arg, r := literal.New(m.Entry().Params()[0].Shape()), rand.New(rand.NewPCG(uint64(n), 7))
		big := map[string]float64{"f32": 3e38, "bf16": 3e38, "f16": 6e4}[c.ty]
		for k := range arg.Len() {
			arg.SetFloat(k, big*[]float64{-1, 1, 1, -1}[k&3])
			if r.IntN(400) == 0 {
				arg.SetFloat(k, math.Inf(1-2*r.IntN(2)))
			}
		}
		x := make([]float64, arg.Len())
		for k := range x {
			x[k] = arg.FloatAt(k)
		}
		want := literal.New(arg.Shape())
		for k, v := range c.want(x) {
			want.SetFloat(k, v)
		}
		for _, threads := range racetest.Threads(1, 2, 5) {
			pool := exec.NewPool(threads)
			for tier, p := range onTiers(t, m, pool) {
				got, err := p.Run(t.Context(), []literal.Literal{arg, arg}[:len(m.Entry().Params())], nil)
				if err != nil {
					t.Fatal(err)
				}
				for k := range got.Len() {
					g, w := got.FloatAt(k), want.FloatAt(k)
					if g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
						t.Fatalf("%v on %s, %d threads: element %d: got %v, want %v", c, tier, threads, k, g, w)
					}
				}
				p.Close()
			}
			pool.Close()
		}
	}
}
