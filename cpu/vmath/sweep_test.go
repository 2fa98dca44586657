//go:build sweep

package vmath

import (
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestSweep tries every number of f32, in machine code of every tier. The reference is the same function in f64, whose
// errors, which the other tests bound, are nothing in f32. With XLA_UPDATE=1 larger errors go into the document.
func TestSweep(t *testing.T) {
	if len(targets()) == 0 {
		t.Skip("expects a machine with AVX2")
	}
	for i := range functions {
		f := &functions[i]
		for _, name := range slices.Sorted(maps.Keys(targets())) {
			t.Run(f.name+" "+name, func(t *testing.T) {
				w := sweep(t, f, targets()[name])
				w.check(t, f.limit32)
				if os.Getenv("XLA_UPDATE") == "1" {
					document(t, []row{{f.name, "f32", w}})
				}
			})
		}
	}
}

func sweep(t *testing.T, f *function, target target) (w worst) {
	k32 := assemble(t, nestOf(loop.MemF32, 1, f.body(), target), target)
	k64 := assemble(t, nestOf(loop.MemF64, 1, f.body(), allTargets["avx2"]), target)
	x, y := make([]float32, block), make([]float32, block)
	wide, want := make([]float64, block), make([]float64, block)
	for from := uint64(0); from < 1<<32; from += block {
		for j := range x {
			x[j] = math.Float32frombits(uint32(from) + uint32(j))
			wide[j] = float64(x[j])
		}
		run(k32, y, x)
		run(k64, want, wide)
		for j, got := range y {
			if nothing := w.ulp * 0x1p-24 * math.Abs(want[j]); !(math.Abs(float64(got)-want[j]) <= nothing) || got == 0 {
				w.note(f32Grid, float64(got), want[j], wide[j])
			}
		}
	}
	w.ulp = max(w.ulp, 0.5) // of those that are the nearest number
	return w
}
