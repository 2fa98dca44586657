package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestRowsThatAreLaidDown: A is laid down where several blocks of rows wait for packed B, or rows are pages apart, and
// several panels read it.
func TestRowsThatAreLaidDown(t *testing.T) {
	for _, test := range []struct {
		m, n, k  int
		constant bool
		want     bool
	}{
		{m: 512, n: 512, k: 512, want: true},
		{m: 1000, n: 1000, k: 1000, want: true},
		{m: 256, n: 1024, k: 1024, want: true},
		{m: 256, n: 1024, k: 1008, want: false}, // one block of rows, which are not pages apart
		{m: 63, n: 1024, k: 1024, want: false},  // few rows
		{m: 512, n: 128, k: 1024, want: false},  // few panels
		{m: 1024, n: 1024, k: 1024, constant: true, want: true},
		{m: 1024, n: 1024, k: 1008, constant: true, want: false},
		{m: 128, n: 1024, k: 1024, constant: true, want: false}, // one block
	} {
		s := Spec{C: shape.F32, A: matrix(test.m, test.k), B: columnsOf(test.k, test.n), Constant: test.constant}
		p, err := New(s, Config{Tier: exec.AVX512, Threads: 1, FarL3: true, L3: 18 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if p.laysA != test.want {
			t.Errorf("%+v: %v", test, p)
		}
	}
	turned := Spec{C: shape.F32, A: columnsOf(1024, 1024), B: columnsOf(1024, 1024)}
	if p, err := New(turned, Config{Tier: exec.AVX512, Threads: 1, FarL3: true}); err != nil || p.laysA {
		t.Errorf("depths apart: %v, %v", p, err)
	}
}

// TestRowsLaidDown multiplies with rows that are laid down: with panels that are, too, with those that were packed
// before, of batches, with ends of depths and of rows of all lengths, and with sums that are rounded at the end.
func TestRowsLaidDown(t *testing.T) {
	for _, tier := range tiers()[1:] {
		seen := map[string]int{}
		for _, types := range [][2]shape.ElementType{{shape.F32, shape.F32}, {shape.F64, shape.F64},
			{shape.S32, shape.S32}, {shape.F32, shape.BF16}} {
			t.Run(fmt.Sprint(tier, types), func(t *testing.T) {
				r := rand.New(rand.NewPCG(9, uint64(tier)))
				for range 24 {
					rowsLaidDown(t, r, seen, tier, types)
				}
			})
		}
		if min(seen["both"], seen["kept"], seen["before"]) < 3 {
			t.Errorf("%v: expected rows that are laid down beside panels that are, that are kept, and that were packed, got %v",
				tier, seen)
		}
	}
}

func rowsLaidDown(t *testing.T, r *rand.Rand, seen map[string]int, tier exec.Tier, types [2]shape.ElementType) {
	batch, m, n, k, threads := 1+r.IntN(2), 64+r.IntN(60), 200+r.IntN(150), 256+r.IntN(150), 1+r.IntN(3)
	apart := k
	if r.IntN(3) > 0 { // whole pages
		apart = (4 << 10) / types[0].ByteSize()
	}
	n &^= 7 // no part of a vector where there are no opmasks
	s := Spec{C: types[1], Constant: r.IntN(3) == 0 && types[0] != shape.S32}
	sizeA := batch*m*apart - apart + k
	s.A = Operand{Type: types[0], Batch: Axis{{batch, m * apart}}, Free: Axis{{m, apart}}, Depth: Axis{{k, 1}}}
	var sizeB int
	s.B, sizeB = operand(types[0], rowMajor, batch, n, k, true)
	c := Config{Tier: tier, Threads: threads, L2: []int{128 << 10, 512 << 10}[r.IntN(2)]}
	p, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case !p.laysA:
		return
	case p.lays:
		seen["both"]++
	case p.routeB == constant:
		seen["before"]++
	case p.keeps():
		seen["kept"]++
	}
	pool := exec.NewPool(threads)
	defer pool.Close()
	checkOn(t, pool, s, c, sizeA, sizeB)
}

// TestRowsToPackWide: B that would come from the second-level cache is packed for some hundred rows of A, and laid down
// for fewer where that can be, if the last cache is far away.
func TestRowsToPackWide(t *testing.T) {
	far := Config{Tier: exec.AVX512, Threads: 1, FarL3: true, L3: 18 << 20}
	near := far
	near.FarL3 = false
	for _, test := range []struct {
		m, n, k int
		machine Config
		want    bool
	}{
		{m: 48, n: 320, k: 512, machine: far, want: true},
		{m: 47, n: 320, k: 512, machine: far, want: false},
		{m: 48, n: 320, k: 512, machine: near, want: false},
		{m: 256, n: 320, k: 512, machine: far, want: true},
		{m: 256, n: 192, k: 192, machine: far, want: false},  // the cache has much room beside B
		{m: 1024, n: 64, k: 2048, machine: far, want: false}, // one panel, in the order of memory
	} {
		p := rowsTimesRows(t, test.machine, test.m, test.n, test.k)
		if got := p.routeB != inPlace; got != test.want {
			t.Errorf("%dx%dx%d, far %v: %v", test.m, test.n, test.k, test.machine.FarL3, p)
		}
	}
}
