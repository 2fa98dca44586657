package vmath

import (
	"math"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestF32 compares with package math in float64.
func TestF32(t *testing.T) {
	for i := range functions {
		f := &functions[i]
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			k := unary(t, loop.MemF32, f)
			x, y := make([]float32, block), make([]float32, block)
			var w worst
			for from := uint64(0); from < 1<<32; {
				for j := range x {
					x[j] = math.Float32frombits(uint32(min(from, 1<<32-1)))
					from += stride32
				}
				run(k, y, x)
				for j := range x {
					w.note(f32Grid, float64(y[j]), f.value(float64(x[j])), float64(x[j]))
				}
			}
			w.check(t, f.limit32)
		})
	}
}
