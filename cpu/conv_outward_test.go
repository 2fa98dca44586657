package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestOutward: convolutions to few features whose taps are columns of one product, on every tier and for several
// threads; and near misses, which are made otherwise.
func TestOutward(t *testing.T) {
	const text = `HloModule c

ENTRY e {
  x = %T[%X] parameter(0)
  k = %T[%K] parameter(1)
  ROOT y = %T[%Y] convolution(x, k), window={size=%W}, dim_labels=%L
}
`
	const nchw, nhwc = "bf01_oi01->bf01", "b01f_01io->b01f"
	for _, test := range []struct{ name, ty, x, k, y, window, labels, want string }{
		{"planes", "f32", "2,64,13,21", "3,64,3,3", "2,3,13,21", "3x3 pad=1_1x1_1", nchw, "2 x f32[27,273]"},
		{"one", "f32", "1,64,9,17", "1,64,3,3", "1,1,9,17", "3x3 pad=1_1x1_1", nchw, "f32[9,153]"},
		{"eight", "f32", "1,100,9,17", "8,100,3,3", "1,8,7,15", "3x3", nchw, "f32[72,153]"},
		{"many_taps", "f64", "1,80,12,19", "5,7,80,2", "1,2,11,13", "5x7 pad=2_1x0_0", "bf01_01io->bf01", "f64[70,228]"},
		{"wide_windows", "f32", "3,72,11,18", "2,72,3,5", "3,2,9,22", "3x5 pad=1_1x8_4 rhs_dilate=2x2 rhs_reversal=1x0", nchw,
			"3 x f32[30,198]"},
		{"cut", "f32", "1,80,14,20", "4,80,3,3", "1,4,10,16", "3x3 pad=-1_-1x-2_0", nchw, "f32[36,280]"},
		{"lines", "f32", "2,64,301", "3,64,5", "2,3,301", "5 pad=4_0", "bf0_oi0->bf0", "2 x f32[15,301]"},
		{"volumes", "f32", "1,80,5,7,9", "2,80,3,3,3", "1,2,5,7,9", "3x3x3 pad=1_1x1_1x1_1", "bf012_oi012->bf012",
			"f32[54,315]"},
		{"halves", "bf16", "1,64,13,21", "3,64,3,3", "1,3,13,21", "3x3 pad=1_1x1_1", nchw, "f32[27,273]"},

		{"holes", "f32", "2,13,15,64", "4,4,64,3", "2,26,30,3", "4x4 pad=2_2x2_2 lhs_dilate=2x2", nhwc, "f32[390,48]"},
		{"holes_of_one", "f32", "3,9,7,64", "4,4,64,1", "3,17,14,1", "4x4 pad=1_2x2_2 lhs_dilate=2x2", nhwc, "f32[189,16]"},
		{"holes_of_three", "f64", "1,9,11,128", "6,6,128,3", "1,26,33,3", "6x6 pad=3_3x4_3 lhs_dilate=3x3", nhwc,
			"f64[99,108]"},
		{"holes_of_four", "f32", "1,9,11,128", "7,8,128,1", "1,36,48,1", "7x8 pad=5_4x7_7 lhs_dilate=4x4", nhwc,
			"f32[99,64]"},
		{"holes_in_planes", "f32", "2,64,13,15", "3,64,4,4", "2,3,26,30", "4x4 pad=2_2x2_2 lhs_dilate=2x2", nchw,
			"2 x f32[48,195]"},
		{"other_kernel", "f32", "1,128,9,15", "2,4,128,5", "1,5,18,32", "2x4 pad=1_1x3_3 lhs_dilate=2x2 rhs_reversal=1x0",
			"bf01_01io->bf01", "f32[40,135]"},
		{"rows_with_holes", "f32", "1,9,40,64", "1,4,64,3", "1,9,79,3", "1x4 pad=0_0x2_1 lhs_dilate=1x2", nhwc,
			"f32[360,12]"},
		{"rows_and_taps", "f32", "1,19,20,64", "3,2,64,3", "1,19,40,3", "3x2 pad=2_2x0_2 lhs_dilate=1x2 rhs_dilate=2x1", nhwc,
			"f32[380,18]"},
		{"lines_with_holes", "f32", "2,200,64", "4,64,2", "2,400,2", "4 pad=2_2 lhs_dilate=2", "b0f_0io->b0f", "f32[400,8]"},
		{"patches", "f32", "1,14,15,64", "2,2,64,2", "1,28,30,2", "2x2 pad=1_1x1_1 lhs_dilate=2x2 rhs_reversal=1x1", nhwc,
			"f32[210,8]"},
		{"few_taps", "f32", "1,30,128", "2,128,3", "1,91,3", "2 pad=2_2 lhs_dilate=3", "b0f_0io->b0f", "-f32[30,"},
		{"volumes_with_holes", "f32", "1,5,6,7,128", "2,2,4,128,2", "1,10,12,14,2",
			"2x2x4 pad=1_1x1_1x2_2 lhs_dilate=2x2x2", "b012f_012io->b012f", "f32[210,32]"},

		{"moves", "f32", "1,64,13,41", "3,64,3,3", "1,3,7,21", "3x3 stride=2x2 pad=1_1x1_1", nchw, "-f32[27,"},
		{"more_features", "f32", "1,128,13,21", "9,128,3,3", "1,9,13,21", "3x3 pad=1_1x1_1", nchw, "-f32[81,"},
		{"few_of_the_input", "f32", "1,16,13,21", "3,16,3,3", "1,3,13,21", "3x3 pad=1_1x1_1", nchw, "-f32[27,"},
		{"features_last", "f32", "1,13,21,64", "3,3,64,3", "1,13,21,3", "3x3 pad=1_1x1_1", nhwc, "-,27]"},
		{"holes_of_both", "f32", "1,9,11,64", "4,4,64,1", "1,18,22,1", "4x4 pad=3_4x3_4 lhs_dilate=2x2 rhs_dilate=2x2",
			nhwc, "-,16]"},
		{"beyond", "f32", "1,64,3,30", "2,64,3,3", "1,2,3,30", "3x3 pad=4_4x1_1 rhs_dilate=4x1", nchw, "-f32[18,"},
	} {
		t.Run(test.name, func(t *testing.T) {
			eps := 1e-6
			switch test.ty {
			case "f64":
				eps = 1e-14
			case "bf16":
				eps = 1.0 / 128
			}
			want, not := strings.CutPrefix(test.want, "-")
			onPools(t, strings.NewReplacer("%T", test.ty, "%X", test.x, "%K", test.k, "%Y", test.y, "%W", test.window,
				"%L", test.labels).Replace(text), eps, func(tier string, p *cpu.Program) {
				if plan := p.Plan().String(); strings.Contains(plan, want) == not {
					t.Errorf("%s: expected %q in\n%s", tier, test.want, plan)
				}
			})
		})
	}
}

// TestOutwardRandom: such convolutions of sizes that nobody chose.
func TestOutwardRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 23))
	products := 0
	for range 24 {
		n := 1 + r.IntN(2)
		x, k, y, window := []int{1 + r.IntN(3)}, []int{}, []int{}, [4][]string{}
		columns, features := 1, 1+r.IntN(5)
		for range n {
			size, holes, in, low, high := 1+r.IntN(6), 1+r.IntN(4), 2+r.IntN(12), r.IntN(7)-1, r.IntN(7)-1
			out := (in-1)*holes + 1 + low + high - (size - 1)
			if out < 1 {
				high, out = high+1-out, 1
			}
			columns *= (size + holes - 1) / holes * holes
			x, k, y = append(x, in), append(k, size), append(y, out)
			for j, v := range []string{strconv.Itoa(size), fmt.Sprintf("%d_%d", low, high), strconv.Itoa(holes),
				strconv.Itoa(r.IntN(2))} {
				window[j] = append(window[j], v)
			}
		}
		in := max(48, features*columns) + r.IntN(20)
		if columns*features > 200 {
			continue
		}
		labels := [][2]string{{"b0f_0io->b0f", "bf0_oi0->bf0"}, {"b01f_01io->b01f", "bf01_oi01->bf01"}}[n-1]
		dims := [2][]int{append(slices.Clone(x), in), slices.Insert(slices.Clone(x), 1, in)}
		kernel := [2][]int{append(slices.Clone(k), in, features), append([]int{features, in}, k...)}
		out := [2][]int{append(append([]int{x[0]}, y...), features), append([]int{x[0], features}, y...)}
		for which, l := range labels {
			text := fmt.Sprintf(`HloModule c

ENTRY e {
  x = f32[%s] parameter(0)
  k = f32[%s] parameter(1)
  ROOT y = f32[%s] convolution(x, k), window={size=%s pad=%s lhs_dilate=%s rhs_reversal=%s}, dim_labels=%s
}
`, list(dims[which]), list(kernel[which]), list(out[which]), strings.Join(window[0], "x"),
				strings.Join(window[1], "x"), strings.Join(window[2], "x"), strings.Join(window[3], "x"), l)
			onPools(t, text, 1e-6, func(_ string, p *cpu.Program) {
				if strings.Contains(p.Plan().String(), "gemm") {
					products++
				}
			})
			if t.Failed() {
				t.Fatal(text)
			}
		}
	}
	if products == 0 {
		t.Error("none is a product")
	}
}

// TestOutwardInfinite: what is infinite reaches the places that it is multiplied for, and no others.
func TestOutwardInfinite(t *testing.T) {
	for _, text := range []string{`HloModule c

ENTRY e {
  x = f32[1,7,8,128] parameter(0)
  k = f32[1,3,128,1] parameter(1)
  ROOT y = f32[1,7,16,1] convolution(x, k), window={size=1x3 pad=0_0x2_1 lhs_dilate=1x2}, dim_labels=b01f_01io->b01f
}
`, `HloModule c

ENTRY e {
  x = f32[1,64,7,8] parameter(0)
  k = f32[3,64,3,3] parameter(1)
  ROOT y = f32[1,3,7,8] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01
}
`} {
		prog, err := xla.Parse("program.hlo", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 29))
		var args []literal.Literal
		for _, q := range prog.Module().Entry().Params() {
			args = append(args, someOf(r, q.Shape()))
		}
		args[0].SetFloat(3*8*64/2+77, math.Inf(1))
		args[1].SetFloat(11, math.NaN())
		pool := exec.NewPool(2)
		eval := interp.New(t.Context(), interp.Options{})
		want, err := eval.Computation(prog.Module().Entry(), args)
		if err != nil {
			t.Fatal(err)
		}
		for tier, p := range onTiers(t, prog.Module(), pool) {
			got, err := p.Run(t.Context(), args, eval)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got.Len() {
				if a, b := want.FloatAt(i), got.FloatAt(i); math.IsNaN(a) != math.IsNaN(b) || math.IsInf(a, 0) != math.IsInf(b, 0) {
					t.Fatalf("%s: element %d: got %v, want %v", tier, i, b, a)
				}
			}
		}
		pool.Close()
	}
}
