package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestRowsAreTurned: an A whose rows are neighbours is packed row by row if its depths are far apart, and C is wide
// enough; it is read in place else.
func TestRowsAreTurned(t *testing.T) {
	transposed := func(m, k int) Operand {
		return Operand{Type: shape.F32, Free: Axis{{Size: m, Stride: 1}}, Depth: Axis{{Size: k, Stride: m}}}
	}
	for _, test := range []struct {
		a    Operand
		n    int
		tier exec.Tier
		want bool
	}{
		{transposed(512, 512), 512, exec.AVX512, true},
		{transposed(512, 512), 512, exec.AVX2, true},
		{transposed(512, 512), 512, exec.Portable, false},
		{transposed(128, 16), 64, exec.AVX512, true},
		{transposed(127, 16), 64, exec.AVX512, false}, // depths are near
		{transposed(512, 512), 63, exec.AVX512, false},
		{transposed(512, 15), 512, exec.AVX512, false},
		{matrix(512, 512), 512, exec.AVX512, false},
	} {
		m, k := test.a.Free.Size(), test.a.Depth.Size()
		p, err := New(Spec{C: shape.F32, A: test.a, B: columnsOf(k, test.n)}, Config{Tier: test.tier, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.routeA == packed && p.orderA == turned; got != test.want {
			t.Errorf("%dx%dx%d on %v: A is %s, turned: want %v", m, test.n, k, test.tier, routeNames[p.routeA], test.want)
		}
	}
}

// TestTurnedRows multiplies with turned rows: several blocks of them, some of fewer rows than a vector has lanes, parts
// of the depth and ends of both that squares overlap.
func TestTurnedRows(t *testing.T) {
	for _, tier := range tiers()[1:] {
		for _, types := range [][3]shape.ElementType{{shape.F32, shape.F32, shape.F32}, {shape.F64, shape.F64, shape.F64},
			{shape.S32, shape.S32, shape.S32}, {shape.BF16, shape.F32, shape.BF16}} {
			t.Run(fmt.Sprint(tier, types), func(t *testing.T) {
				r, hits := rand.New(rand.NewPCG(5, uint64(tier))), 0
				pool := exec.NewPool(2)
				defer pool.Close()
				for range 6 {
					batch, m, n, k := 1+r.IntN(2), 128+r.IntN(100), 64+r.IntN(100), 16+r.IntN(200)
					s, c := Spec{C: types[2]}, Config{Tier: tier, Threads: 2, L2: 64<<10 + r.IntN(2)<<18}
					var sizeA, sizeB int
					s.A, sizeA = operand(types[0], columnMajor, batch, m, k, false)
					s.B, sizeB = operand(types[1], layout(r.IntN(2)), batch, n, k, true)
					p, err := New(s, c)
					if err != nil {
						t.Fatal(err)
					}
					if p.routeA == packed && p.orderA == turned {
						hits++
					}
					checkOn(t, pool, s, c, sizeA, sizeB)
				}
				if hits < 5 {
					t.Errorf("expected 5 products with turned rows at least, got %d", hits)
				}
			})
		}
	}
}
