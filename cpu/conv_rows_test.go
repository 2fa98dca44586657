package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// inRowsText is a random depthwise convolution with features in lanes, or places, in two or three dimensions, on whose
// result something more is computed, or not.
func inRowsText(r *rand.Rand, places bool) string {
	ty := []string{"f32", "f32", "f32", "f64"}[r.IntN(4)]
	spatial, features := 2+r.IntN(5)/4, 17+r.IntN(60)
	x, k, y := []int{1 + r.IntN(2)}, []int{}, []int{0}
	y[0] = x[0]
	var window [6][]string
	for d := range spatial {
		w := window1{}
		for w.places() < 1 {
			w = someWindow(r, 50/spatial)
			w.holes, w.size = 1, 1+r.IntN(7)
			if d == spatial-1 {
				w.size, w.dilation = max(w.size, 3), 1+r.IntN(2)
			}
			if places && d >= spatial-2 {
				w.size, w.stride = max(w.size, 3), 1+r.IntN(2)*(spatial-1-d)
			}
		}
		x, k, y = append(x, w.in), append(k, w.size), append(y, w.places())
		for n, s := range w.text() {
			window[n] = append(window[n], s)
		}
	}
	labels := "b012"[:1+spatial] + "f_" + "012"[:spatial] + "io->" + "b012"[:1+spatial] + "f"
	x, k, y = append(x, features), append(k, 1, features), append(y, features)
	feature := len(y) - 1
	if places {
		labels = "bf012"[:2+spatial] + "_oi" + "012"[:spatial] + "->" + "bf012"[:2+spatial]
		x, k, y = slices.Insert(x[:feature], 1, features), slices.Insert(k[:spatial], 0, features, 1),
			slices.Insert(y[:feature], 1, features)
		feature = 1
	}
	var attrs []string
	for n, name := range []string{"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"} {
		attrs = append(attrs, name+"="+strings.Join(window[n], "x"))
	}
	last := fmt.Sprintf("ROOT z = %[1]s[%[2]s] negate(y)", ty, list(y))
	if r.IntN(2) == 0 {
		last = fmt.Sprintf("b = %[1]s[%[2]s] broadcast(c), dimensions={%[3]d}\n  ROOT z = %[1]s[%[2]s] add(b, y)", ty,
			list(y), feature)
	}
	return fmt.Sprintf("HloModule c\n\nENTRY e {\n  x = %[1]s[%[2]s] parameter(0)\n  k = %[1]s[%[3]s] parameter(1)\n"+
		"  c = %[1]s[%[4]d] parameter(2)\n  y = %[1]s[%[5]s] convolution(x, k), window={%[6]s}, dim_labels=%[7]s, "+
		"feature_group_count=%[4]d\n  %[8]s\n}\n", ty, list(x), list(k), features, list(y), strings.Join(attrs, " "),
		labels, last)
}

// TestDepthwiseInRows compares random depthwise convolutions of features in lanes with the evaluator, on every tier.
func TestDepthwiseInRows(t *testing.T) { testInRows(t, false) }

// TestDepthwiseInPlanes does so for places in lanes.
func TestDepthwiseInPlanes(t *testing.T) { testInRows(t, true) }

func testInRows(t *testing.T, places bool) {
	programs := 60
	if testing.Short() {
		programs = 20
	}
	inRows := 0
	for n := range programs {
		text := inRowsText(rand.New(rand.NewPCG(uint64(n), 27)), places)
		onPools(t, text, 1e-6, func(tier string, p *cpu.Program) {
			nests := p.Plan().Text(true)
			if tier == "portable" || strings.Contains(nests, "scratch") || strings.Contains(nests, " when ") ||
				strings.Contains(nests, "pad(") || strings.Contains(nests, "select") {
				return
			}
			if places || strings.Count(nests, "lanes") > 1 {
				inRows++
			}
		})
		if t.Failed() {
			t.Fatal(text)
		}
	}
	if inRows < programs && len(tiers) > 1 {
		t.Errorf("expected a quarter of the code to be by rows, got %d of %d", inRows, 6*programs)
	}
}

// TestInRowsInfinite: what lies beyond the ends of rows is left out, an infinite element of the kernel or not.
func TestInRowsInfinite(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	prog, err := xla.Parse("program.hlo", []byte(`HloModule c

ENTRY e {
  x = f32[1,9,11,64] parameter(0)
  k = f32[5,5,1,64] parameter(1)
  ROOT y = f32[1,9,11,64] convolution(x, k), window={size=5x5 pad=2_2x2_2}, dim_labels=b01f_01io->b01f,
    feature_group_count=64
}
`))
	if err != nil {
		t.Fatal(err)
	}
	m, inf := prog.Module(), math.Inf(1)
	x, k := literal.New(shape.Make(shape.F32, 1, 9, 11, 64)), literal.New(shape.Make(shape.F32, 5, 5, 1, 64))
	for n := range x.Len() {
		x.SetFloat(n, 1)
	}
	for n := range k.Len() {
		k.SetFloat(n, 1)
	}
	for tier, p := range onTiers(t, m, pool) {
		if tier == "portable" {
			continue
		}
		for row, column := range map[int]int{0: 0, 4: 4, 2: 0, 1: 3} {
			at := (row*5 + column) * 64
			k.SetFloat(at, inf)
			got, err := p.Run(t.Context(), []literal.Literal{x, k}, interp.New(t.Context(), interp.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			for place := range 9 * 11 {
				i, j := place/11+row-2, place%11+column-2
				inside := i >= 0 && i < 9 && j >= 0 && j < 11
				if v := got.FloatAt(place * 64); v != v || (v == inf) != inside {
					t.Fatalf("%s: tap %d, %d, place %d: got %v", tier, row, column, place, v)
				}
			}
			k.SetFloat(at, 1)
		}
	}
}
