package gemm

import (
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestFarB: of a B that comes from memory, what one step reads after another is asked for, row by row and along the
// depth; results are the same.
func TestFarB(t *testing.T) {
	pool := exec.NewPool(1)
	defer pool.Close()
	for _, c := range []struct {
		of      shape.ElementType
		lay     layout
		m, n, k int
		ask     int // in AVX-512
	}{
		{shape.F32, rowMajor, 1, 1200, 301, 4 * 4 * 1200}, {shape.F32, spaced, 3, 1100, 77, 3 * 4 * 1103},
		{shape.F32, rowMajor, 1, 20000, 9, 4 * 4 * 20000}, {shape.F32, columnMajor, 1, 83, 301, 8 * 4 * 301},
		{shape.F32, columnMajor, 1, 83, 40, 2 * 8 * 4 * 40}, {shape.F32, columnMajor, 3, 83, 301, 4 * 4 * 301},
		{shape.BF16, columnMajor, 1, 83, 304, 8 * 2 * 304}, {shape.F64, columnMajor, 1, 17, 5003, farAlong},
	} {
		s := Spec{C: c.of}
		var a, b int
		s.A, a = operand(c.of, rowMajor, 1, c.m, c.k, false)
		s.B, b = operand(c.of, c.lay, 1, c.n, c.k, true)
		for _, tier := range tiers()[1:] {
			config := Config{Tier: tier, Threads: 1, L2: 1 << 10, AskFrom: c.n * c.k * c.of.ByteSize()}
			p, err := New(s, config)
			if err != nil {
				t.Fatal(err)
			}
			ask := p.dotKeys[0].ask
			if p.routeB == swept {
				ask = p.sweepKey.ask
			}
			if tier == exec.AVX512 && ask != c.ask || ask == 0 {
				t.Errorf("%v: %v: expected %d bytes behind, got %d", tier, p, c.ask, ask)
			}
			checkOn(t, pool, s, config, a, b)
			config.AskFrom++
			far := s
			far.B.Far = true
			if p, err := New(far, config); err != nil || p.dotKeys[0].ask+p.sweepKey.ask != ask {
				t.Errorf("%v: %v does not ask for what is far, %v", tier, p, err)
			}
			near, err := New(s, config)
			next := c.m > 1 && tier == exec.AVX2 && p.routeB == dotted // the next columns are not near
			if err != nil || (near.dotKeys[0].ask != 0) != next || near.sweepKey.ask != 0 {
				t.Errorf("%v: %v asks for what is near, %v", tier, near, err)
			}
		}
	}
}
