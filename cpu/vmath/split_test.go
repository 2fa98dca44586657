package vmath

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestSplitExp: where units are split exp has no mask, which takes the place of a product there, and the same bits,
// also of what is below the least number.
func TestSplitExp(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64} {
		f := (&functions[0]).body()
		wide, split := nestOf(m, 1, f, allTargets["avx512"]), nestOf(m, 1, f, allTargets["avx512 split"])
		if text := split.String(); strings.Contains(text, " cmp ") || text == wide.String() {
			t.Errorf("%v: expects other code, without a comparison, got\n%s", m, text)
		}
	}
	t.Run("f32", func(t *testing.T) { sameExp(t, loop.MemF32, func(r *rand.Rand) float32 { return point32(r) }) })
	t.Run("f64", func(t *testing.T) { sameExp(t, loop.MemF64, func(r *rand.Rand) float64 { return point(r, 760) }) })
}

func sameExp[T float32 | float64](t *testing.T, m loop.Mem, point func(*rand.Rand) T) {
	r, f := rand.New(rand.NewPCG(5, 6)), (&functions[0]).body()
	x, y, z := make([]T, block), make([]T, block), make([]T, block)
	for j := range x {
		if x[j] = point(r); j%2 == 0 {
			x[j] = T(-110 * r.Float64())
		}
	}
	for j, e := range edges {
		x[j] = T(e)
	}
	run(formFor(t, nestOf(m, 1, f, allTargets["avx512"]), "avx512"), y, x)
	run(formFor(t, nestOf(m, 1, f, allTargets["avx512 split"]), "avx512 split"), z, x)
	for j := range x {
		if !sameFloat(float64(y[j]), float64(z[j])) {
			t.Errorf("exp(%v): %v, and on split units %v", x[j], y[j], z[j])
		}
	}
}
