package gemm

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestPairsOfParts: rows of B that end within a vector go in pairs where nothing can load a part of one, too: it is
// read whole, but for rows behind which there is nothing.
func TestPairsOfParts(t *testing.T) {
	pool := pools(t)
	if slices.Contains(tiers(), exec.AVX2) { // others have instructions for parts
		pairsOfParts(t, pool)
	}
}

func pairsOfParts(t *testing.T, pool *exec.Pool) {
	machine := Config{Tier: exec.AVX2, Threads: pool.Threads()}
	for _, ty := range [][2]shape.ElementType{{shape.S8, shape.S8}, {shape.U8, shape.S8}, {shape.S8, shape.U8},
		{shape.S16, shape.S16}, {shape.S8, shape.S16}} {
		for _, n := range []int{1, 3, 5, 7, 9, 17, 20, 30, 44, 63} {
			for i, k := range []int{16, 18, 50, 300} {
				t.Run(fmt.Sprintf("%v_%v_%d_%d", ty[0], ty[1], n, k), func(t *testing.T) {
					s := Spec{C: shape.S32}
					var na, nb int
					s.A, na = operand(ty[0], rowMajor, 1+i%2, 7+i*6, k, false)
					s.B, nb = operand(ty[1], rowMajor, 1+i%2, n, k, true)
					p, err := New(s, machine)
					if err != nil {
						t.Fatal(err)
					}
					if p.kind != kindPairs && n > 1 {
						t.Errorf("%v: not in pairs", p)
					}
					checkOn(t, pool, s, machine, na, nb)
				})
			}
		}
	}
}
