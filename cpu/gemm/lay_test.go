package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

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
		{m: 256, n: 25, k: 256, machine: wide, want: false},  // steps of many rows
		{m: 256, n: 512, k: 256, machine: two, want: true},
		{m: 256, n: 150, k: 256, machine: wide, want: true},
		{m: 256, n: 150, k: 256, machine: two, want: false}, // one thread would have two panels, the other one
	} {
		t.Run(fmt.Sprintf("%dx%dx%d on %v, %d threads", test.m, test.n, test.k, test.machine.Tier, test.machine.Threads),
			func(t *testing.T) {
				p := rowsTimesRows(t, test.machine, test.m, test.n, test.k)
				if p.lays != test.want {
					t.Errorf("B is %s; laid down by the first rows: want %v", routeNames[p.routeB], test.want)
				}
			})
	}
}

// rowsTimesRows is the product for a machine of f32 matrices as they lie.
func rowsTimesRows(t *testing.T, c Config, m, n, k int) *Product {
	t.Helper()
	p, err := New(Spec{C: shape.F32, A: matrix(m, k), B: columnsOf(k, n)}, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFewRowsLayDown: few rows lay panels down, too, if B comes from a last cache that is far away, and from no
// further.
func TestFewRowsLayDown(t *testing.T) {
	far := Config{Tier: exec.AVX512, Threads: 1, FarL3: true, L3: 18 << 20}
	near, narrow, two, small := far, far, far, far
	near.FarL3, narrow.Tier, two.Threads, small.L3 = false, exec.AVX2, 2, 2<<20
	for _, test := range []struct {
		m, n, k int
		machine Config
		want    bool
	}{
		{m: 13, n: 768, k: 3072, machine: far, want: true},
		{m: 12, n: 768, k: 3072, machine: far, want: false}, // row by row
		{m: 31, n: 1024, k: 1024, machine: far, want: true},
		{m: 47, n: 3072, k: 768, machine: narrow, want: false}, // a row of a panel is a line
		{m: 16, n: 768, k: 3072, machine: two, want: true},
		{m: 16, n: 768, k: 3072, machine: near, want: false},
		{m: 16, n: 768, k: 3072, machine: small, want: false},
		{m: 16, n: 4096, k: 1024, machine: far, want: false}, // more than half of the last cache
		{m: 16, n: 512, k: 512, machine: far, want: true},
		{m: 16, n: 512, k: 511, machine: far, want: false}, // the second-level cache has B
	} {
		p := rowsTimesRows(t, test.machine, test.m, test.n, test.k)
		if p.lays != test.want {
			t.Errorf("%dx%dx%d on %+v: b is %s, laid down %v", test.m, test.n, test.k, test.machine, routeNames[p.routeB],
				p.lays)
		}
	}
}

// TestCrowdedRowsAreLaidDown: few rows lay narrow panels down if rows of a large B fall on few sets of a cache.
func TestCrowdedRowsAreLaidDown(t *testing.T) {
	narrow := Config{Tier: exec.AVX2, Threads: 1, L2: 1 << 20}
	wide := narrow
	wide.Tier = exec.AVX512
	for _, test := range []struct {
		m, n, k int
		machine Config
		want    bool
	}{
		{m: 7, n: 1024, k: 1024, machine: narrow, want: false}, // which goes row by row
		{m: 17, n: 1024, k: 1024, machine: narrow, want: true},
		{m: 31, n: 3072, k: 768, machine: narrow, want: true},
		{m: 24, n: 1025, k: 1024, machine: narrow, want: true},
		{m: 24, n: 1022, k: 1024, machine: narrow, want: true},
		{m: 24, n: 1040, k: 1024, machine: narrow, want: false}, // a line more than a page apart
		{m: 24, n: 768, k: 3072, machine: narrow, want: false},
		{m: 12, n: 512, k: 512, machine: narrow, want: false}, // the second-level cache has B
		{m: 24, n: 9216, k: 16, machine: narrow, want: true},  // as here, but the nearest one has too few sets for it
		{m: 24, n: 1024, k: 64, machine: narrow, want: true},
		{m: 24, n: 1025, k: 16, machine: narrow, want: true},
		{m: 24, n: 1024, k: 15, machine: narrow, want: false},  // it is hardly larger than that
		{m: 6, n: 1024, k: 1024, machine: narrow, want: false}, // one step
		{m: 24, n: 1024, k: 1024, machine: wide, want: false},
	} {
		if p := rowsTimesRows(t, test.machine, test.m, test.n, test.k); p.lays != test.want {
			t.Errorf("%dx%dx%d on %v: B is %s; laid down by the first rows: want %v", test.m, test.n, test.k,
				test.machine.Tier, routeNames[p.routeB], test.want)
		}
	}
}

// TestAllIsAskedFor: calls of steps of unequal rows ask for all lines of the next panel.
func TestAllIsAskedFor(t *testing.T) {
	for _, m := range []int{13, 16, 32, 47, 64} {
		p := rowsTimesRows(t, Config{Tier: exec.AVX512, Threads: 1, FarL3: true, L3: 18 << 20}, m, 512, 512)
		if !p.lays {
			t.Fatalf("%d rows: b is %s", m, routeNames[p.routeB])
		}
		p.listSources(map[listing]lists{})
		f := &p.forms[0]
		seen := map[uintptr]int{}
		f.layEntry, f.layBothEntry = maxRows+1, maxRows+1
		if f.rows == nil {
			f.rows = new(byRows)
		}
		for mr := range f.entry {
			f.entry[mr], f.rows.entry[mr] = uintptr(mr), uintptr(mr)
		}
		p.emulate = func(mr uintptr, bytes []byte) {
			args := (*microArgs)(unsafe.Pointer(unsafe.SliceData(bytes)))
			if mr > maxRows {
				return
			}
			lines := unsafe.Slice((*int32)(args.list), args.steps*p.turns(args.depth)*f.micro[mr].ahead)
			for _, at := range lines {
				seen[(args.next+uintptr(at))/line]++
			}
		}
		mem := func(n int) []byte { return make([]byte, n) }
		args := Args{A: mem(4 * m * 512), B: mem(4 * 512 * 512), C: mem(4 * m * 512), Scratch: mem(p.ScratchBytes())}
		pool := exec.NewPool(1)
		new(Job).Run(pool, p, args)
		pool.Close()
		base := uintptr(unsafe.Pointer(unsafe.SliceData(args.B)))
		for at := uintptr(0); at < uintptr(len(args.B)); at += line {
			first := at < uintptr(p.kc*p.rowB) && at%uintptr(p.rowB) < uintptr(f.nv*p.regs.vector) // panel
			if seen[(base+at)/line] == 0 && !first {
				t.Fatalf("%d rows: line %d of B is not asked for", m, at/line)
			}
		}
	}
}

// TestLaidDown multiplies with panels that are laid down: of several parts of the depth, with ends of all lengths, of
// batches and of converted elements.
func TestLaidDown(t *testing.T) {
	for _, tier := range tiers()[1:] {
		for _, types := range [][3]shape.ElementType{{shape.F32, shape.F32, shape.F32}, {shape.F64, shape.F64, shape.F64},
			{shape.S32, shape.S32, shape.S32}, {shape.BF16, shape.F32, shape.BF16}} {
			t.Run(fmt.Sprint(tier, types), func(t *testing.T) {
				r, hits, few := rand.New(rand.NewPCG(7, uint64(tier))), 0, 0
				for i := range 18 {
					threads := 1 + r.IntN(3)
					batch, m, n, k := 1+r.IntN(2)*r.IntN(6), 32+r.IntN(60), 66+r.IntN(150), 1+r.IntN(300)
					far := i >= 12
					if far {
						m, k = m-19, k+400
					}
					if types[1] == shape.S32 {
						n &^= 7 // no part of a vector where there are no opmasks
					}
					s, c := Spec{C: types[2]}, Config{Tier: tier, Threads: threads, L1: 8 << 10, L2: 256 << 10}
					if far {
						c.FarL3, c.L2, c.L3 = true, 160<<10, 8<<20
					}
					var sizeA, sizeB int
					s.A, sizeA = operand(types[0], rowMajor, batch, m, k, false)
					s.B, sizeB = operand(types[1], rowMajor, batch, n, k, true)
					p, err := New(s, c)
					if err != nil {
						t.Fatal(err)
					}
					if !p.lays {
						continue
					}
					hits++
					if m < reuseRows {
						few++
					}
					pool := exec.NewPool(threads)
					checkOn(t, pool, s, c, sizeA, sizeB)
					pool.Close()
				}
				if hits < 3 || few == 0 && tier >= exec.AVX512 && types[0] != shape.BF16 {
					t.Errorf("expected 3 products with panels that are laid down, one of few rows, got %d and %d", hits, few)
				}
			})
		}
	}
}

// TestLaidDownStrides: rows of B and of A may be the same one, and depths of A the same; rows of B in the opposite
// order are not laid down.
func TestLaidDownStrides(t *testing.T) {
	const m, n, k = 70, 70, 33
	pool := exec.NewPool(1)
	defer pool.Close()
	for _, tier := range tiers()[1:] {
		for _, rowB := range []int{n, n + 3, 0, -n} {
			for _, a := range [][2]int{{k, 1}, {0, 1}, {k, 0}, {0, 0}} {
				s, c := Spec{C: shape.F32}, Config{Tier: tier, Threads: 1, L1: 4 << 10}
				s.A = Operand{Type: shape.F32, Free: Axis{{m, a[0]}}, Depth: Axis{{k, a[1]}}}
				s.B = Operand{Type: shape.F32, Free: Axis{{n, 1}}, Depth: Axis{{k, rowB}}, Offset: max(0, -rowB*(k-1))}
				p, err := New(s, c)
				if err != nil {
					t.Fatal(err)
				}
				if p.lays != (rowB >= 0) {
					t.Errorf("%v, rows of B %d apart, A %d: b is %s", tier, rowB, a, routeNames[p.routeB])
				}
				checkOn(t, pool, s, c, m*k, (n+3)*k)
			}
		}
	}
}
