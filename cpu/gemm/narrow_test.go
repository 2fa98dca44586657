package gemm

import (
	"testing"

	"github.com/goxla/xla/shape"
)

// TestFewNarrowColumns: rows of few elements of a narrow type, which follow one another or are apart.
func TestFewNarrowColumns(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers() {
		for _, types := range [][2]shape.ElementType{{shape.BF16, shape.BF16}, {shape.F16, shape.F16},
			{shape.F32, shape.BF16}, {shape.S8, shape.S8}} {
			for n := 1; n <= 5; n++ {
				for _, m := range []int{1, 3, 7, 40, 301} {
					const k = 32
					for _, apart := range []int{0, 3} {
						s := Spec{C: types[1], Rows: Axis{{m, n + apart}}}
						s.A = Operand{Type: types[0], Free: Axis{{m, k}}, Depth: Axis{{k, 1}}}
						s.B = Operand{Type: types[0], Free: Axis{{n, 1}}, Depth: Axis{{k, n}}}
						checkOn(t, pool, s, Config{Tier: tier, Threads: pool.Threads()}, m*k, k*n)
					}
				}
			}
		}
	}
}
