package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestRowsArePackedAlong: rows of B are packed for several panels at a time if A has few rows and B comes from a last
// cache that is far away, in pieces of rows that are far apart.
func TestRowsArePackedAlong(t *testing.T) {
	far := Config{Tier: exec.AVX512, Threads: 1, FarL3: true}
	near, narrow, two, portable := far, far, far, Config{Threads: 1, FarL3: true}
	near.FarL3, narrow.Tier, two.Threads = false, exec.AVX2, 2
	large := far
	large.L3 = 18 << 20
	for _, test := range []struct {
		m, n, k int
		machine Config
		want    bool
	}{
		{m: 13, n: 3072, k: 768, machine: far, want: true},
		{m: 13, n: 3072, k: 768, machine: near, want: false},
		{m: 13, n: 3072, k: 768, machine: narrow, want: true},
		{m: 13, n: 3072, k: 768, machine: two, want: true},
		{m: 13, n: 3072, k: 768, machine: portable, want: false},
		{m: 12, n: 3072, k: 768, machine: far, want: false}, // row by row
		{m: 47, n: 3072, k: 768, machine: far, want: true},
		{m: 48, n: 3072, k: 768, machine: far, want: false}, // the first rows lay down
		{m: 24, n: 511, k: 4096, machine: far, want: false}, // rows are near each other
		{m: 13, n: 1024, k: 256, machine: far, want: false}, // B fits the second-level cache
		{m: 31, n: 1024, k: 256, machine: far, want: false},
		{m: 13, n: 3072, k: 768, machine: large, want: false}, // the first rows lay down
		{m: 13, n: 4096, k: 1024, machine: large, want: true},
		{m: 32, n: 1024, k: 256, machine: far, want: false},
		{m: 24, n: 512, k: 256, machine: far, want: false},
		{m: 8, n: 130, k: 2048, machine: far, want: false},
	} {
		t.Run(fmt.Sprintf("%dx%dx%d on %v, %d threads, far %v", test.m, test.n, test.k, test.machine.Tier,
			test.machine.Threads, test.machine.FarL3), func(t *testing.T) {
			p := rowsTimesRows(t, test.machine, test.m, test.n, test.k)
			if got := p.along && p.routeB == packedBy; got != test.want {
				t.Errorf("B is %s; along: want %v", routeNames[p.routeB], test.want)
			}
		})
	}
}

// TestConvertedRowsArePackedAlong: those of a B that is converted are from a smaller B on.
func TestConvertedRowsArePackedAlong(t *testing.T) {
	c := Config{Tier: exec.AVX512, Threads: 1, FarL3: true, L3: 18 << 20}
	for _, test := range []struct {
		m, n, k int
		want    bool
	}{{16, 1024, 512, true}, {15, 1024, 512, false}, {31, 1024, 512, true}, {32, 1024, 512, false}, {16, 1024, 256, false},
		{24, 2048, 1024, true}} {
		s := Spec{C: shape.F32, A: matrix(test.m, test.k)}
		s.B, _ = operand(shape.BF16, rowMajor, 1, test.n, test.k, true)
		p, err := New(s, c)
		if err != nil {
			t.Fatal(err)
		}
		if p.along != test.want {
			t.Errorf("%dx%dx%d: B is %s, along %v", test.m, test.n, test.k, routeNames[p.routeB], p.along)
		}
	}
}

// TestAlongEmulated runs kernels that pack rows along, of both tiers, in the emulator against the definition.
func TestAlongEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for k := range kindPairs {
			for typ := range loadings[k] {
				if !regs.loads(k, typ, 0) {
					continue
				}
				nv, count, depth, panels := 1+r.IntN(regs.most), 1+r.IntN(5), 1+r.IntN(4), 1+r.IntN(4)
				cols, deep := nv*regs.vector/k.size(), depth+count // panels have room for more depths
				ld := panels*cols + r.IntN(3)
				offsets := make([]int, 0, panels*deep*cols)
				for n := range panels {
					for d := range deep {
						for j := range cols {
							at := d*ld + n*cols + j
							if d >= depth {
								at = -1
							}
							offsets = append(offsets, at)
						}
					}
				}
				key := packKey{along: true, order: copied, kind: k, vector: regs.vector, typ: typ, nv: nv,
					ld: ld * typ.ByteSize(), to: nv * regs.vector}
				args := words(depth, addrA, addrC, panels, 0, deep*nv*regs.vector)
				packEmulated(t, key, args, fill(r, typ, (depth-1)*ld+panels*cols).Bytes(), offsets)
			}
		}
	}
}

// TestFewRowsOfConstant: a constant B that would be packed along is packed before.
func TestFewRowsOfConstant(t *testing.T) {
	for _, far := range []bool{false, true} {
		c := Config{Tier: exec.AVX512, Threads: 1, FarL3: far}
		p, err := New(Spec{C: shape.F32, A: matrix(5, 768), B: columnsOf(768, 3072), Constant: true}, c)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.routeB == constant; got != far || p.along {
			t.Errorf("far %v: B is %s, along %v", far, routeNames[p.routeB], p.along)
		}
	}
}

// TestNearDepth: panels that are laid down stay in the first-level cache if B comes from a last cache that is far away.
func TestNearDepth(t *testing.T) {
	for _, test := range []struct {
		m, n, k int
		far     bool
		want    int
	}{
		{m: 64, n: 1024, k: 1024, far: true, want: 96},
		{m: 64, n: 1024, k: 1024, far: false, want: 512},
		{m: 64, n: 512, k: 256, far: true, want: 256},  // B fits the second-level cache
		{m: 512, n: 512, k: 512, far: true, want: 512}, // packed panels are kept
		{m: 40, n: 1024, k: 1024, far: true, want: 96}, // packed along
		{m: 32, n: 1024, k: 256, far: true, want: 256}, // few rows
		{m: 192, n: 1000, k: 999, far: true, want: 92}, // whole turns
		{m: 192, n: 1000, k: 50, far: true, want: 50},  // less than a part
		{m: 64, n: 1024, k: 1020, far: false, want: 512},
	} {
		c := Config{Tier: exec.AVX512, Threads: 1, FarL3: test.far}
		p := rowsTimesRows(t, c, test.m, test.n, test.k)
		if p.kc != test.want {
			t.Errorf("%dx%dx%d, far %v: blocks are %d deep, want %d", test.m, test.n, test.k, test.far, p.kc, test.want)
		}
	}
}

// TestAlong multiplies with rows that are packed along: of several parts of the depth, with ends of all lengths, of
// batches, of rows with elements between them and of converted elements.
func TestAlong(t *testing.T) {
	for _, tier := range tiers()[1:] {
		for _, types := range [][3]shape.ElementType{{shape.F32, shape.F32, shape.F32}, {shape.F64, shape.F64, shape.F64},
			{shape.S32, shape.S32, shape.S32}, {shape.BF16, shape.F32, shape.BF16}, {shape.F32, shape.BF16, shape.F32}} {
			t.Run(fmt.Sprint(tier, types), func(t *testing.T) {
				r, hits := rand.New(rand.NewPCG(8, uint64(tier))), 0
				for range 5 {
					threads := 1 + r.IntN(3)
					batch, m, n, k := 1+r.IntN(2), 13+r.IntN(6)*r.IntN(6), 512+r.IntN(160), 33+r.IntN(20)
					if types[1].ByteSize() == 2 {
						n *= 2
					}
					if types[1] == shape.S32 || !(tier > exec.AVX2) {
						n &^= 15 // no part of a vector where there are no opmasks
					}
					s := Spec{C: types[2]}
					c := Config{Tier: tier, Threads: threads, L1: 4 << 10, L2: 64 << 10, FarL3: true}
					var sizeA, sizeB int
					s.A, sizeA = operand(types[0], rowMajor, batch, m, k, false)
					s.B, sizeB = operand(types[1], rowMajor, batch, n, k, true)
					p, err := New(s, c)
					if err != nil {
						t.Fatal(err)
					}
					if !p.along || p.routeB != packedBy {
						continue
					}
					hits++
					pool := exec.NewPool(threads)
					checkOn(t, pool, s, c, sizeA, sizeB)
					pool.Close()
				}
				if hits < 3 {
					t.Errorf("expected 3 products with rows that are packed along at least, got %d", hits)
				}
			})
		}
	}
}

// TestCopiesRows: narrow panels that a thread packs for itself, several at a time, are copied row by row; not wide
// ones, which are not several, nor those of a B whose columns are its rows.
func TestCopiesRows(t *testing.T) {
	for _, test := range []struct {
		tier   exec.Tier
		layout layout
		want   bool
	}{{exec.AVX2, rowMajor, true}, {exec.AVX2, columnMajor, false}, {exec.AVX512, rowMajor, false}} {
		s := Spec{C: shape.F32}
		s.A, _ = operand(shape.F32, rowMajor, 1, 1024, 1024, false)
		s.B, _ = operand(shape.F32, test.layout, 1, 1024, 1024, true)
		p, err := New(s, Config{Tier: test.tier, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.forms[0].along.along; got != test.want {
			t.Errorf("%v of %v: copied row by row: %v, want %v", p, test.tier, got, test.want)
		}
	}
}
