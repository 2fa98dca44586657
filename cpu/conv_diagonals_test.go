package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
)

// fewOfEach makes a random convolution of groups of as many input as output features, which are innermost.
func fewOfEach(r *rand.Rand, ty string) string {
	spatial, features := 1+r.IntN(2), 2<<r.IntN(3)
	groups := 1 + r.IntN(12)
	if r.IntN(4) > 0 {
		groups = max(2, 64/features)
	}
	all := features * groups
	x, k, y := []int{1 + r.IntN(3)}, []int{}, []int{}
	y = append(y, x[0])
	var window [6][]string
	for d := range spatial {
		var w window1
		for w.places() < 1 || d == spatial-1 && w.places() < 4 {
			w = someWindow(r, 60/spatial)
		}
		x, k, y = append(x, w.in), append(k, w.size), append(y, w.places())
		for n, s := range w.text() {
			window[n] = append(window[n], s)
		}
	}
	kernel := "io"
	if k = append(k, features, all); r.IntN(3) == 0 {
		kernel = "oi"
		slices.Reverse(k[spatial:])
	}
	places := "01"[:spatial]
	order := "b" + places // of the result
	if y = append(y, all); r.IntN(3) == 0 {
		order = order[1:] + "b"
		y = append(y[1:spatial+1], y[0], all)
	}
	var attrs []string
	for n, name := range []string{"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"} {
		attrs = append(attrs, name+"="+strings.Join(window[n], "x"))
	}
	return fmt.Sprintf("HloModule c\n\nENTRY e {\n  x = %[1]s[%[2]s] parameter(0)\n  k = %[1]s[%[3]s] parameter(1)\n"+
		"  ROOT y = %[1]s[%[4]s] convolution(x, k), window={%[5]s}, dim_labels=b%[6]sf_%[6]s%[7]s->%[9]sf, "+
		"feature_group_count=%[8]d\n}\n", ty, list(append(x, all)), list(k), list(y), strings.Join(attrs, " "),
		places, kernel, groups, order)
}

// farGroups are convolutions in groups of few features whose windows have many taps, and whose results have rows in
// another order than the input, in several blocks.
var farGroups = map[string]string{
	"taps": `
  x = f32[2,1000,8] parameter(0)
  k = f32[600,2,8] parameter(1)
  ROOT y = f32[2,401,8] convolution(x, k), window={size=600}, dim_labels=b0f_0io->b0f, feature_group_count=4`,
	"taps and zeros": `
  x = f32[1,1000,8] parameter(0)
  k = f32[600,2,8] parameter(1)
  ROOT y = f32[1,403,8] convolution(x, k), window={size=600 pad=1_1}, dim_labels=b0f_0io->b0f, feature_group_count=4`,
	"taps of two dimensions": `
  x = f32[1,10,500,8] parameter(0)
  k = f32[2,300,2,8] parameter(1)
  ROOT y = f32[1,9,201,8] convolution(x, k), window={size=2x300}, dim_labels=b01f_01io->b01f, feature_group_count=4`,
	"order": `
  x = f32[2,38,27,64] parameter(0)
  k = f32[3,3,4,64] parameter(1)
  ROOT y = f32[38,2,27,64] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->0b1f, ` +
		`feature_group_count=16`,
	"order of threads": `
  x = f32[3,19,19,32] parameter(0)
  k = f32[3,3,8,32] parameter(1)
  ROOT y = f32[19,3,19,32] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->0b1f, ` +
		`feature_group_count=4`,
}

// TestFarGroups: they agree with the evaluator on every tier, on one thread and on several.
func TestFarGroups(t *testing.T) {
	for _, threads := range []int{1, 2, 3} {
		if testing.Short() && threads != 3 {
			continue
		}
		pool := exec.NewPool(threads)
		defer pool.Close()
		for name, text := range farGroups {
			prog, err := xla.Parse(name, []byte("HloModule c\n\nENTRY e {"+text+"\n}\n"))
			if err != nil {
				t.Fatal(err)
			}
			for tier, p := range onTiers(t, prog.Module(), pool) {
				if tier != "portable" && !strings.Contains(p.Plan().String(), "gemm") {
					t.Errorf("%s on %s: expected a product:\n%v", name, tier, p.Plan())
				}
				args := wholeNumbers(prog.Module())
				got, err := p.Run(t.Context(), args, nil)
				if err != nil {
					t.Fatal(err)
				}
				agree(t, prog.Module(), args, got)
			}
		}
	}
}

// wholeNumbers are arguments of small integers, whose sums are exact in any order.
func wholeNumbers(m *hlo.Module) (args []literal.Literal) {
	r := rand.New(rand.NewPCG(1, 42))
	for _, p := range m.Entry().Params() {
		x := literal.New(p.Shape())
		for k := range x.Len() {
			x.SetFloat(k, float64(r.IntN(7)-3))
		}
		args = append(args, x)
	}
	return args
}

// TestGroupsOfFew: convolutions of groups of few features of either kind agree with the evaluator on every tier, with
// the same bits for any number of threads.
func TestGroupsOfFew(t *testing.T) {
	products, programs := map[string]int{}, 100
	if testing.Short() {
		programs = 40
	}
	for n := range programs {
		r := rand.New(rand.NewPCG(uint64(n), 41))
		ty, eps := "f32", dotTypes[0].eps
		switch n % 5 {
		case 2:
			ty, eps = "f16", 1e-3
		case 3:
			ty, eps = "f64", 1e-14
		case 4:
			ty, eps = "bf16", 1.0/128
		}
		multiplied := map[string]bool{}
		onPools(t, fewOfEach(r, ty), eps, func(tier string, p *cpu.Program) {
			multiplied[tier] = strings.Contains(p.Plan().String(), "gemm")
		})
		for tier, is := range multiplied {
			if is {
				products[tier]++
			}
		}
	}
	for _, tier := range tiers {
		if least := programs / 4; tier != "portable" && products[tier] < least {
			t.Errorf("%s: expected at least %d products, got %d", tier, least, products[tier])
		}
	}
}
