package gemm

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestRowsAreReadInPlace: B is read where it is as long as a panel of it stays in the second-level cache until all
// rows of A were multiplied with it, unless the first rows lay it down packed. Rows that are far apart and fall on few
// sets are packed from few rows of A on.
func TestRowsAreReadInPlace(t *testing.T) {
	wide := Config{Tier: exec.AVX512, Threads: 1, L1: 48 << 10, L2: 2 << 20}
	narrow := Config{Tier: exec.AVX2, Threads: 1, L1: 32 << 10, L2: 2 << 20}
	deep := narrow
	deep.L1 = wide.L1
	for _, test := range []struct {
		m, n, k int
		machine Config
		want    bool // in place
	}{
		{m: 197, n: 768, k: 768, machine: wide, want: true}, // rows of less than two pages
		{m: 300, n: 1280, k: 768, machine: wide, want: true},
		{m: 400, n: 1280, k: 768, machine: wide, want: false},
		{m: 32, n: 2304, k: 768, machine: wide, want: false}, // 6 ways of each set that is hit
		{m: 32, n: 2304, k: 256, machine: wide, want: true},
		{m: 48, n: 2112, k: 256, machine: wide, want: true}, // far apart, on all sets
		{m: 64, n: 2112, k: 256, machine: wide, want: false},
		{m: 64, n: 2112, k: 256, machine: narrow, want: true},
		{m: 128, n: 2112, k: 256, machine: narrow, want: false},
		{m: 300, n: 2112, k: 128, machine: wide, want: true}, // all of B fits
		{m: 32, n: 3072, k: 256, machine: narrow, want: false},
		{m: 127, n: 512, k: 512, machine: deep, want: true}, // half of the ways of the sets that are hit
		{m: 128, n: 512, k: 512, machine: deep, want: false},
		{m: 383, n: 512, k: 512, machine: wide, want: true},
		{m: 384, n: 512, k: 512, machine: wide, want: false},
		{m: 384, n: 256, k: 1024, machine: wide, want: true},
		{m: 245, n: 1100, k: 768, machine: narrow, want: false}, // vectors in two lines
		{m: 128, n: 330, k: 512, machine: narrow, want: true},   // near
		{m: 245, n: 1104, k: 768, machine: narrow, want: true},
	} {
		t.Run(fmt.Sprintf("%dx%dx%d on %v", test.m, test.n, test.k, test.machine.Tier), func(t *testing.T) {
			p := rowsTimesRows(t, test.machine, test.m, test.n, test.k)
			if got := p.routeB == inPlace || p.mayStay; got != test.want {
				t.Errorf("B is %s, want in place: %v", routeNames[p.routeB], test.want)
			}
		})
	}
}

// matrix is an f32 array of m rows of which each is k deep, row-major; columnsOf one of n columns.
func matrix(m, k int) Operand {
	return Operand{Type: shape.F32, Free: Axis{{Size: m, Stride: k}}, Depth: Axis{{Size: k, Stride: 1}}}
}

func columnsOf(k, n int) Operand {
	return Operand{Type: shape.F32, Free: Axis{{Size: n, Stride: 1}}, Depth: Axis{{Size: k, Stride: n}}}
}

// TestShortRunsOfRows: A whose rows are short runs is read where it is if the columns are few; else it is packed.
func TestShortRunsOfRows(t *testing.T) {
	for _, test := range []struct {
		run, n int
		want   bool // in place
	}{{3, 16, true}, {3, 17, false}, {2, 16, false}, {4, 17, true}} {
		a := Operand{Type: shape.F32, Free: Axis{{Size: 3, Stride: 30}, {Size: test.run, Stride: 1}},
			Depth: Axis{{Size: 28, Stride: 30}, {Size: 24, Stride: 1}}}
		p, err := New(Spec{C: shape.F32, A: a, B: columnsOf(28*24, test.n)}, Config{Tier: exec.AVX512, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.routeA == inPlace; got != test.want {
			t.Errorf("runs of %d rows, %d columns: A is %s, want in place: %v", test.run, test.n, routeNames[p.routeA],
				test.want)
		}
	}
}

// TestDepthOfLines: blocks of an A in place whose depths are lines of their own are as deep as the first-level cache
// has room for these; not if depths are neighbours, fall on too few sets or C is large.
func TestDepthOfLines(t *testing.T) {
	for _, test := range []struct {
		name string
		n    int
		a    Operand
		tier exec.Tier
		want int
	}{
		{"lines", 64, depthFirst(576, 6272, 64), exec.AVX512, 56},
		{"lines", 64, depthFirst(576, 6272, 64), exec.AVX2, 84},
		{"every set", 64, depthFirst(576, 6272, 16), exec.AVX512, 504},
		{"every set", 64, depthFirst(576, 6272, 16), exec.AVX2, 252},
		{"two lines", 64, depthFirst(576, 6272, 100), exec.AVX512, 504},
		{"few sets", 64, depthFirst(576, 6272, 512), exec.AVX2, 504},
		{"large C", 2048, depthFirst(576, 6272, 64), exec.AVX2, 504},
		{"neighbours", 64, matrix(576, 6272), exec.AVX2, 484},
	} {
		t.Run(fmt.Sprintf("%s on %v", test.name, test.tier), func(t *testing.T) {
			p, err := New(Spec{C: shape.F32, A: test.a, B: columnsOf(6272, test.n)}, Config{Tier: test.tier, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			if p.kc != test.want {
				t.Errorf("blocks are %d deep, want %d", p.kc, test.want)
			}
		})
	}
}

// depthFirst is an f32 array of m rows, neighbours, of depths that are so far apart, in runs of 28.
func depthFirst(m, k, apart int) Operand {
	return Operand{Type: shape.F32, Free: Axis{{Size: m, Stride: 1}},
		Depth: Axis{{Size: k / 28, Stride: 30 * apart}, {Size: 28, Stride: apart}}}
}
