package gemm

import (
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestCallsKnown: what to call for the rows of a block is known before a run of a small product, and not where calls
// ask for lists, or make fewer steps each.
func TestCallsKnown(t *testing.T) {
	for _, test := range []struct {
		m, n, k int
		want    []rowCall
	}{
		{64, 64, 64, []rowCall{{mr: 4, steps: 16}}},
		{64, 64, 132, []rowCall{{mr: 6, steps: 9}, {mr: 5, steps: 2, atA: 54 * 528, atC: 54 * 256}}},
		{12, 32, 132, []rowCall{{mr: 6, steps: 2}}},
		{512, 512, 512, nil},
	} {
		s := Spec{C: shape.F32}
		s.A, _ = operand(shape.F32, rowMajor, 1, test.m, test.k, false)
		s.B, _ = operand(shape.F32, rowMajor, 1, test.n, test.k, true)
		p, err := New(s, Config{Tier: exec.AVX2, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.forms[0].calls, test.want) {
			t.Errorf("%v: calls are %+v, want %+v", p, p.forms[0].calls, test.want)
		}
	}
}

// TestFewSums: blocks of registers of little depth have few sums where rows fill them, on narrow vectors.
func TestFewSums(t *testing.T) {
	narrow, wide := Config{Tier: exec.AVX2, Threads: 1}, Config{Tier: exec.AVX512, Threads: 1}
	for _, test := range []struct {
		m, k    int
		machine Config
		rows    int // of a step
	}{
		{20, 16, narrow, 4}, {18, 16, narrow, 6}, {fewEven + 1, fewDepths, narrow, 4}, {64, fewDepths + 1, narrow, 6},
		{20, 16, wide, 12},
	} {
		p := rowsTimesRows(t, test.machine, test.m, 32, test.k)
		if got := p.stepRows(2); got != test.rows {
			t.Errorf("%v: steps of %d rows at most, want %d", p, got, test.rows)
		}
	}
}
