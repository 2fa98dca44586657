package gemm

import (
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// Columns that begin at every other half of a line are read by halves of lines, where they stay near.
func TestHalvedVectors(t *testing.T) {
	pool := pools(t)
	for _, c := range []struct {
		of    shape.ElementType
		n     int
		depth int
		half  bool
	}{
		{shape.F32, 43, 200, true}, {shape.F32, 43, 208, false}, {shape.F32, 43, 204, false},
		{shape.F64, 43, 36, true}, {shape.F64, 43, 40, false}, {shape.F16, 43, 208, false},
		{shape.F32, 200, 200, true}, {shape.F32, 320, 40, true}, {shape.F64, 160, 100, true},
	} {
		s := Spec{C: c.of}
		var a, b int
		s.A, a = operand(c.of, rowMajor, 1, 1, c.depth, false)
		s.B, b = operand(c.of, columnMajor, 1, c.n, c.depth, true)
		p, err := New(s, Config{Tier: exec.AVX512, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if half := p.regs == narrowRegisters; p.routeB != dotted || half != c.half {
			t.Errorf("%v, %d columns, depth %d: expected vectors of half a line: %v, got %v, %v", c.of, c.n, c.depth,
				c.half, half, p)
		}
		for _, tier := range tiers() {
			check(t, pool, s, tier, a, b)
		}
	}
}
