package gemm

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestBundles: a bundle is packed during several calls for the panels before it, and kept for more blocks of rows. The
// last bundle has each number of panels that it can have, and panels are of unequal widths, so of unequal calls.
func TestBundles(t *testing.T) {
	for _, tier := range tiers()[1:] {
		for _, ty := range [][3]shape.ElementType{{shape.F32, shape.F32, shape.F32}, {shape.F32, shape.BF16, shape.F32},
			{shape.S16, shape.S8, shape.S32}} {
			if tier >= exec.AVX512 && ty[1] == shape.F32 { // each panel is a bundle
				continue
			}
			if testing.Short() && tier == exec.AVX2 && ty[1] == shape.S8 { // only what turns it while packing differs
				continue
			}
			t.Run(fmt.Sprint(tier, ty), func(t *testing.T) { bundles(t, tier, ty) })
		}
	}
}

// bundles multiplies with more and more columns, on a machine of small caches.
func bundles(t *testing.T, tier exec.Tier, types [3]shape.ElementType) {
	pool := exec.NewPool(1)
	defer pool.Close()
	c := Config{Tier: tier, Threads: 1, VNNI: hasVNNI(tier), L2: 128 << 10}
	if tier == exec.AVX2 {
		c.L2, c.FarL3 = 512<<10, true // panels are asked for however small B is
	}
	bundle, seen := 0, map[int]bool{}
	for n := 129; n < 600 && (n < 280 || len(seen) < bundle); n += 16 {
		s := Spec{C: types[2]}
		var sizeA, sizeB int
		s.A, sizeA = operand(types[0], rowMajor, 1, 280, 384, false)
		s.B, sizeB = operand(types[1], columnMajor, 1, n, 384, true)
		p, err := New(s, c)
		if err != nil {
			t.Fatal(err)
		}
		if !p.listed || !p.keeps() || p.bundle == 1 || p.group <= p.bundle || p.sources.calls < 2*p.bundle {
			continue
		}
		bundle = p.bundle
		seen[p.group%bundle] = true
		checkOn(t, pool, s, c, sizeA, sizeB)
	}
	if bundle == 0 || len(seen) < bundle {
		t.Errorf("expected last bundles of each size, got remainders %v of %d panels", seen, bundle)
	}
}
