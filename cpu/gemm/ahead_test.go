package gemm

import (
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestRowsAsked: a step of many lines asks for those of C late, or from the first turn on if it has few turns; one of
// few lines asks for all at once, unless it is short.
func TestRowsAsked(t *testing.T) {
	for _, test := range []struct {
		tier       exec.Tier
		k          int
		stream     bool
		rows, late int
	}{
		{exec.AVX512, 3, false, 0, 0},
		{exec.AVX512, 8, false, 3, 0},
		{exec.AVX512, 72, false, 1, 0},
		{exec.AVX512, 76, false, 1, 6 + lateTurns},
		{exec.AVX512, 256, false, 1, 6 + lateTurns},
		{exec.AVX512, 256, true, 0, 0},
		{exec.AVX2, 72, false, 1, 0},
		{exec.AVX2, 76, false, 0, 0},
	} {
		s := Spec{C: shape.F32, A: matrix(60, test.k), B: columnsOf(test.k, 256), Stream: test.stream}
		p, err := New(s, Config{Tier: test.tier, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		k := p.forms[0].micro[6]
		if k == nil {
			t.Fatalf("%v: expected steps of 6 rows", p)
		}
		if k.rowsAsked != test.rows || k.late != test.late {
			t.Errorf("%v on %v: expected %d rows a turn, %d late turns, got %d and %d", p, test.tier, test.rows, test.late,
				k.rowsAsked, k.late)
		}
	}
}
