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

// TestDotRows: up to 24 rows go along the depth, on narrow vectors up to 32 if it is deep; the next columns of a B that
// is not near are asked for where they do not fall on few sets.
func TestDotRows(t *testing.T) {
	narrow := Config{Tier: exec.AVX2, Threads: 1, L2: 512 << 10}
	wide := narrow
	wide.Tier, wide.Halves = exec.AVX512, true
	for _, test := range []struct {
		m, k    int
		machine Config
		want    bool
		ask     int
	}{
		{24, 240, narrow, true, 2 * 4 * 240}, {25, 240, narrow, false, 0}, {32, 256, narrow, true, 2 * 4 * 256},
		{33, 256, narrow, false, 0}, {4, 1024, narrow, true, 0}, {1, 240, narrow, true, 0}, {24, 256, wide, true, 0},
		{25, 256, wide, false, 0},
	} {
		s := Spec{C: shape.F32, A: matrix(test.m, test.k)}
		s.B, _ = operand(shape.F32, columnMajor, 1, 512, test.k, true)
		p, err := New(s, test.machine)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.routeB == dotted; got != test.want || p.dotKeys[0].ask != test.ask {
			t.Errorf("%v: along the depth: %v, asks for %d bytes behind; want %v, %d", p, got, p.dotKeys[0].ask, test.want,
				test.ask)
		}
	}
}
