package gemm

import (
	"bytes"
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

// TestSinglesAreWhole: the calls known before make whole products, so threads that share the panels of few products
// do not use them, and nothing behind the results is written.
func TestSinglesAreWhole(t *testing.T) {
	const guard = 1 << 16
	r := rand.New(rand.NewPCG(23, 24))
	for _, threads := range []int{1, 3, 8} {
		pool := exec.NewPool(threads)
		defer pool.Close()
		for _, tier := range tiers() {
			for i := range 24 {
				batch, m, n, k := 1+i%3, 1+r.IntN(90), 1+r.IntN(120), 1+r.IntN(90)
				s := Spec{C: shape.F32}
				var na, nb int
				s.A, na = operand(shape.F32, rowMajor, batch, m, k, false)
				s.B, nb = operand(shape.F32, rowMajor, batch, n, k, true)
				p, err := New(s, Config{Tier: tier, Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				if p.run.single != nil && p.run.items != batch {
					t.Errorf("%v, %d threads, %d of %dx%dx%d: expected an item a product, got %d", tier, threads, batch, m, n,
						k, p.run.items)
				}
				if err := new(Library).Compile(p); err != nil {
					t.Fatal(err)
				}
				c := make([]byte, 4*batch*m*n+guard)
				new(Job).Run(pool, p, Args{A: fill(r, shape.F32, na).Bytes(), B: fill(r, shape.F32, nb).Bytes(),
					C: c[:4*batch*m*n], Scratch: scratchFor(p)})
				if len(bytes.TrimRight(c[4*batch*m*n:], "\x00")) > 0 {
					t.Errorf("%v, %d threads, %d of %dx%dx%d: bytes behind the results are written", tier, threads, batch,
						m, n, k)
				}
			}
		}
	}
}
