package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestSingles: small products of a batch, of several panels and steps of unequal rows, are a few calls each that are
// known before, on any number of threads, with operands that are evenly spaced or not.
func TestSingles(t *testing.T) {
	r, several := rand.New(rand.NewPCG(21, 22)), map[exec.Tier]int{}
	for _, threads := range []int{1, 3} {
		pool := exec.NewPool(threads)
		defer pool.Close()
		for _, tier := range tiers() {
			for i := range 12 {
				ty := []shape.ElementType{shape.F32, shape.F64, shape.S32}[i%3]
				s := Spec{C: ty}
				batch, m, n, k := 1+r.IntN(40), 1+r.IntN(30), 1+r.IntN(90), 1+r.IntN(30)
				var na, nb int
				how := layout(r.IntN(int(numLayouts)))
				s.A, na = operand(ty, how, batch, m, k, false)
				s.B, nb = operand(ty, layout(2*r.IntN(2)), batch, n, k, true)
				if how == rowMajor && batch%2 == 0 { // halves of the batch have traded places
					s.A.Batch = Axis{{2, -na / 2}, {batch / 2, na / batch}}
					s.A.Offset += na / 2
				}
				c := Config{Tier: tier, Threads: threads}
				if p, err := New(s, c); err == nil && p.run.single != nil && len(p.run.single.calls) > 1 {
					several[tier]++
				}
				checkOn(t, pool, s, c, na, nb)
			}
		}
	}
	for _, tier := range tiers() {
		if several[tier] < 3 {
			t.Errorf("%v: expected products of several calls, got %d", tier, several[tier])
		}
	}
}
