package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/racetest"
)

// patches makes a random convolution whose windows do not overlap, places innermost.
func patches(r *rand.Rand, ty string) string {
	spatial := 1 + r.IntN(2)
	in, out := 1+r.IntN(5), 8+r.IntN(40)
	x, k, y := []int{1 + r.IntN(3), in}, []int{out, in}, []int{}
	y = append(y, x[0], out)
	var size, stride []string
	for range spatial {
		taps, places := 4+r.IntN(9), 1+r.IntN(24/spatial)
		step := taps + r.IntN(2)*r.IntN(4)
		x = append(x, (places-1)*step+taps+r.IntN(step))
		k, y = append(k, taps), append(y, places)
		size, stride = append(size, fmt.Sprint(taps)), append(stride, fmt.Sprint(step))
	}
	places := "01"[:spatial]
	return fmt.Sprintf("HloModule c\n\nENTRY e {\n  x = %[1]s[%[2]s] parameter(0)\n  k = %[1]s[%[3]s] parameter(1)\n"+
		"  ROOT y = %[1]s[%[4]s] convolution(x, k), window={size=%[5]s stride=%[6]s}, "+
		"dim_labels=bf%[7]s_oi%[7]s->bf%[7]s\n}\n",
		ty, list(x), list(k), list(y), strings.Join(size, "x"), strings.Join(stride, "x"), places)
}

// TestPatches: they agree with the evaluator on every tier, with the same bits for any number of threads, and the input
// is not transposed.
func TestPatches(t *testing.T) {
	products := 0
	for n := range 40 {
		r := rand.New(rand.NewPCG(uint64(n), 51))
		text := patches(r, []string{"f32", "f64"}[n%4/3])
		prog, err := xla.Parse("conv.hlo", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		args := wholeNumbers(prog.Module())
		first := map[string][]byte{}
		for _, threads := range racetest.Threads(1, 2, 5) {
			pool := exec.NewPool(threads)
			for tier, p := range onTiers(t, prog.Module(), pool) {
				if plan := p.Plan().String(); strings.Contains(plan, "gemm") {
					products++
					if strings.Contains(plan, "x=b0") {
						t.Errorf("on %s: expected the product to read the input:\n%s", tier, plan)
					}
				}
				got, err := p.Run(t.Context(), args, nil)
				if err != nil {
					t.Fatal(err)
				}
				if first[tier] == nil {
					first[tier] = got.Bytes()
					agree(t, prog.Module(), args, got)
				}
				if !slices.Equal(first[tier], got.Bytes()) {
					t.Fatalf("%s: other bits by several threads:\n%s", tier, text)
				}
			}
			pool.Close()
		}
	}
	if products < 40 {
		t.Errorf("expected more products, got %d", products)
	}
}
