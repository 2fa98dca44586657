package gemm

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

func TestSweepEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for k := range kindPairs {
		for typ := range loadings[k] {
			for rows := 1; rows <= narrowSweepRows; rows++ {
				if rows > heldRows && numerics[k].fma == 0 {
					continue
				}
				for i := range 6 {
					sweepEmulated(t, r, []registers{narrowRegisters, wideRegisters}[i%2], k, typ, rows)
				}
			}
		}
	}
}

func sweepEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, typ shape.ElementType, rows int) {
	t.Helper()
	vector, size := regs.vector, k.size()
	lanes := vector / size
	vectors, tail, depth, add := r.IntN(6), 0, 1+r.IntN(11), r.IntN(2)
	if regs.loads(k, typ, 1) {
		tail = r.IntN(lanes)
	}
	if vectors+tail == 0 {
		vectors = 1
	}
	cols := vectors*lanes + tail
	lda, ldb, ldc := depth+r.IntN(3), cols+r.IntN(3), cols+r.IntN(3)
	block := regs.sweepBlock(rows, numerics[k].fma != 0)
	if r.IntN(3) == 0 && !block.held {
		block.depths = crowdedDepths
	}
	key := sweepKey{kind: k, vector: vector, rows: rows, sweepBlock: block, rest: depth % block.depths,
		typeB: typ, tail: tail, lda: lda * size, stepA: size, ldb: ldb * typ.ByteSize(), ldc: ldc * size}
	a, b := fill(r, k.elementType(), (rows-1)*lda+depth), fill(r, typ, (depth-1)*ldb+cols)
	c := fill(r, k.elementType(), (rows-1)*ldc+cols)
	if typ.IsInteger() { // so small that sums are nearly exact
		for i := range b.Len() {
			b.SetInt(i, int64(r.IntN(10)))
		}
	}
	want := c.Clone()
	for i := range rows {
		for j := range cols {
			sum := float64(add) * c.FloatAt(i*ldc+j)
			for d := range depth {
				sum += a.FloatAt(i*lda+d) * b.FloatAt(d*ldb+j)
			}
			if k == kindS32 {
				want.SetInt(i*ldc+j, int64(sum))
				continue
			}
			want.SetFloat(i*ldc+j, sum)
		}
	}
	code := emit(t, !regs.wide(), func(a *asm.Assembler) { emitSweep(a, key) })
	args := words(depth, addrA, addrB, addrC, vectors, tail, add)
	if err := machine(!regs.wide(), args, a.Bytes(), b.Bytes(), c.Bytes()).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	if err := same(k, c.Bytes(), want.Bytes()); err != nil {
		t.Fatalf("%+v, depth %d, vectors %d, add %d: %v", key, depth, vectors, add, err)
	}
}

// TestSweep: B goes by row by row, in several panels and parts of the depth, with a packed A, too, and sums of another
// type; on vectors of 64 bytes it does not where B is near.
func TestSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	seen, many := map[registers]map[route]int{narrowRegisters: {}, wideRegisters: {}}, map[registers]int{}
	for _, threads := range []int{1, 3} {
		pool := exec.NewPool(threads)
		defer pool.Close()
		for _, tier := range tiers()[1:] {
			for i := range 8 * len(types) {
				if testing.Short() && i%2 != threads/2 {
					continue
				}
				ty := types[i%len(types)]
				s := Spec{C: ty[2]}
				far, asks := r.IntN(2) == 0, r.IntN(3) == 0
				rows := heldRows
				switch {
				case tier < exec.AVX512:
					rows = narrowSweepRows
				case far || asks:
					rows = farSweepRows
				}
				batch, m, n, k := 1+r.IntN(3)/2, 1+r.IntN(rows), 64+r.IntN(40)*32, 1+r.IntN(300)
				if r.IntN(2) == 0 {
					n += r.IntN(8)
				}
				var na, nb int
				s.A, na = operand(ty[0], layout(r.IntN(int(numLayouts))), batch, m, k, false)
				s.B, nb = operand(ty[1], layout(2*r.IntN(2)), batch, n, k, true)
				c := Config{Tier: tier, Threads: threads, L1: 4 << 10, L2: 64 << 10, FarL3: far}
				if asks {
					c.AskFrom, s.B.Far = 1<<30, true
				}
				if p, err := New(s, c); err == nil && p.routeB == swept {
					if seen[p.regs][p.routeA]++; m > heldRows {
						many[p.regs]++
					}
					if p.regs.wide() && p.nearB() && !asks {
						t.Errorf("%v sweeps B", p)
					}
				}
				checkOn(t, pool, s, c, na, nb)
			}
		}
	}
	for _, tier := range tiers()[1:] {
		regs := narrowRegisters
		if tier >= exec.AVX512 {
			regs = wideRegisters
		}
		if seen[regs][inPlace] < 5 || seen[regs][packed] < 5 || many[regs] < 5 {
			t.Errorf("%v: expected products with A in place and packed, and of many rows, got %v and %v", tier, seen, many)
		}
	}
}

// TestSweepOnThreads: rows of B that are too short to be shared go by in panels on several threads, with the same sums;
// those of blocks of narrow vectors go by in pieces.
func TestSweepOnThreads(t *testing.T) {
	for _, tier := range tiers()[1:] {
		for _, ty := range []shape.ElementType{shape.F32, shape.BF16} {
			sweepOnThreads(t, Config{Tier: tier}, ty, 3, 104, 9000)
			n := 1040 * 4 / ty.ByteSize()
			sweepOnThreads(t, Config{Tier: tier, FarL3: true}, ty, heldRows, n, 450)
			sweepOnThreads(t, Config{Tier: tier, FarL3: true}, ty, 7, n, 450)
			if tier == exec.AVX2 {
				sweepOnThreads(t, Config{Tier: tier}, ty, heldRowsFew, 520, 9000)
				sweepOnThreads(t, Config{Tier: tier}, shape.F32, narrowSweepRows, 1037, 1027)
			}
		}
	}
}

func sweepOnThreads(t *testing.T, c Config, ty shape.ElementType, m, n, k int) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	s := Spec{C: shape.F32}
	var na, nb int
	s.A, na = operand(ty, rowMajor, 1, m, k, false)
	s.B, nb = operand(ty, rowMajor, 1, n, k, true)
	args := Args{A: fill(r, ty, na).Bytes(), B: fill(r, ty, nb).Bytes()}
	var want []byte
	routes := map[route]bool{}
	for _, threads := range []int{1, 2, 7} {
		c.Threads = threads
		p, got := sweepOn(t, s, c, args)
		if routes[p.routeB] = true; want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%v: %v on %d threads: other sums", c.Tier, p, threads)
		}
	}
	if alone := c.Tier < exec.AVX512 && m > heldRowsFew; !routes[swept] || routes[inPlace] == alone {
		t.Errorf("%v, %d rows: expected B row by row and in panels, or %v: only so, got %v", c.Tier, m, alone, routes)
	}
}

func sweepOn(t *testing.T, s Spec, c Config, args Args) (*Product, []byte) {
	t.Helper()
	p, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := new(Library).Compile(p); err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(c.Threads)
	defer pool.Close()
	args.C, args.Scratch = make([]byte, sizeOfC(&s)*s.C.ByteSize()), scratchFor(p)
	var j Job
	j.Run(pool, p, args)
	return p, args.C
}

// TestNarrowRowsAreSwept: B goes by row by row for up to 16 rows of A on narrow vectors, for fewer where its rows are
// short or it is near, and those that are asked for meanwhile are not on the same set of the first-level cache.
func TestNarrowRowsAreSwept(t *testing.T) {
	narrow := Config{Tier: exec.AVX2, Threads: 1, L2: 512 << 10}
	wide := narrow
	wide.Tier = exec.AVX512
	for _, test := range []struct {
		m, n, k int
		machine Config
		want    bool
		ask     int
	}{
		{4, 3088, 768, narrow, true, 8 * 4 * 3088}, {16, 3072, 768, narrow, true, 0}, {17, 3072, 768, narrow, false, 0},
		{12, 768, 768, narrow, true, 8 * 4 * 768}, {13, 768, 768, narrow, false, 0}, {8, 256, 256, narrow, true, 0},
		{9, 256, 256, narrow, false, 0}, {2, 3088, 768, narrow, true, 0}, {8, 3072, 768, wide, false, 0},
	} {
		p := rowsTimesRows(t, test.machine, test.m, test.n, test.k)
		if got := p.routeB == swept; got != test.want || p.sweepKey.ask != test.ask {
			t.Errorf("%v: row by row: %v, asks for %d bytes behind; want %v, %d", p, got, p.sweepKey.ask, test.want, test.ask)
		}
	}
}
