package gemm

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestPanelsAreLaidDown: the first rows lay panels of B down packed for the others if these are some, and B in place
// has vectors across lines or rows on few sets of the nearest cache.
func TestPanelsAreLaidDown(t *testing.T) {
	wide := Config{Tier: exec.AVX512, Threads: 1}
	narrow, two, portable := wide, wide, Config{Threads: 1}
	narrow.Tier, two.Threads = exec.AVX2, 2
	for _, test := range []struct {
		m, n, k int
		machine Config
		want    bool
	}{
		{m: 48, n: 512, k: 256, machine: wide, want: true},
		{m: 48, n: 512, k: 256, machine: narrow, want: true},
		{m: 48, n: 512, k: 256, machine: portable, want: false},
		{m: 31, n: 512, k: 256, machine: wide, want: false},
		{m: 96, n: 192, k: 256, machine: wide, want: false}, // rows on all sets
		{m: 96, n: 192, k: 256, machine: narrow, want: true},
		{m: 96, n: 264, k: 256, machine: wide, want: true}, // vectors across lines
		{m: 64, n: 64, k: 64, machine: narrow, want: false},
		{m: 127, n: 128, k: 128, machine: wide, want: false}, // little more than the nearest cache
		{m: 128, n: 128, k: 128, machine: wide, want: true},
		{m: 512, n: 512, k: 512, machine: wide, want: false}, // several blocks of rows
		{m: 256, n: 512, k: 256, machine: two, want: true},
		{m: 256, n: 150, k: 256, machine: wide, want: true},
		{m: 256, n: 150, k: 256, machine: two, want: false}, // one thread would have two panels, the other one
	} {
		t.Run(fmt.Sprintf("%dx%dx%d on %v, %d threads", test.m, test.n, test.k, test.machine.Tier, test.machine.Threads),
			func(t *testing.T) {
				p, err := New(Spec{C: shape.F32, A: matrix(test.m, test.k), B: columnsOf(test.k, test.n)}, test.machine)
				if err != nil {
					t.Fatal(err)
				}
				if p.lays != test.want {
					t.Errorf("B is %s; laid down by the first rows: want %v", routeNames[p.routeB], test.want)
				}
			})
	}
}
