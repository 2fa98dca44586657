package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestSplit multiplies by few columns, of which vectors of even and odd depths take fewer: windows of an image, rows
// and depths of which are runs, and whole matrices.
func TestSplit(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers()[1:] {
		r := rand.New(rand.NewPCG(11, uint64(tier)))
		var used [numKinds]int
		for range 160 {
			n, features := 1+r.IntN(60), 2*(1+r.IntN(20))
			high, wide, taps, groups := 4+r.IntN(9), 4+r.IntN(20), 1+r.IntN(3), 1+r.IntN(3)
			typ := []shape.ElementType{shape.F32, shape.F32, shape.F64}[r.IntN(3)]
			if typ == shape.F64 && r.IntN(2) == 0 {
				n = 1 + r.IntN(4)
			}
			s, width, all := windowsOf(typ, high, wide, taps, groups, features, n)
			s.Constant = r.IntN(3) == 0
			if r.IntN(2) == 0 { // columns along the depth
				s.B.Batch, s.B.Free, s.B.Depth = Axis{{groups, n * all}}, Axis{{n, all}}, Axis{{all, 1}}
			}
			s.Products, s.Rows = Axis{{groups, n}}, Axis{{high, wide * groups * n}, {wide, groups * n}}
			p, err := New(s, Config{Tier: tier, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			used[p.kind]++
			check(t, pool, s, tier, (high+taps-1)*width, all*groups*n)
		}
		if used[kindSplit] < 15 || used[kindSplit64] < 10 {
			t.Errorf("%v: expected at least 15 products by even and odd depths, and 10 of f64, got %d and %d", tier,
				used[kindSplit], used[kindSplit64])
		}
	}
}

// TestSplitsWhat: columns of one vector, or that leave half of one of several empty, go by even and odd depths, fewer
// by four depths; others, few rows and odd depths do not.
func TestSplitsWhat(t *testing.T) {
	for _, c := range []struct {
		tier    exec.Tier
		m, n, k int
		want    kind
		stream  bool
	}{
		{exec.AVX512, 64, 16, 32, kindSplit, false},
		{exec.AVX512, 64, 16, 32, kindF32, true},
		{exec.AVX512, 64, 8, 32, kindSplit, false},
		{exec.AVX512, 64, 8, 124, kindSplit, false},
		{exec.AVX512, 64, 8, 128, kindQuads, false},
		{exec.AVX512, 64, 9, 128, kindSplit, false},
		{exec.AVX512, 64, 24, 32, kindSplit, false},
		{exec.AVX512, 64, 32, 32, kindF32, false},
		{exec.AVX512, 31, 16, 32, kindF32, false},
		{exec.AVX512, 64, 16, 33, kindF32, false},
		{exec.AVX512, 64, 4, 32, kindQuads, false},
		{exec.AVX2, 64, 8, 32, kindSplit, false},
		{exec.AVX2, 64, 16, 32, kindF32, false},
	} {
		s := Spec{C: shape.F32, Stream: c.stream}
		s.A, _ = operand(shape.F32, rowMajor, 1, c.m, c.k, false)
		s.B, _ = operand(shape.F32, rowMajor, 1, c.n, c.k, true)
		p, err := New(s, Config{Tier: c.tier, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if p.kind != c.want {
			t.Errorf("%v: %dx%dx%d: expected kind %d, got %d", c.tier, c.m, c.n, c.k, c.want, p.kind)
		}
	}
}

// TestSplitEmulated packs rows of B and multiplies them, for both tiers, in the emulator.
func TestSplitEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for nv := 1; nv <= regs.most; nv++ {
			for mr := 1; mr <= regs.rowsFor(nv); mr++ {
				splitEmulated(t, r, regs, kindSplit, mr, nv)
				splitEmulated(t, r, regs, kindSplit64, mr, nv)
			}
		}
	}
}

func splitEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, mr, nv int) {
	t.Helper()
	typ, size := k.elementType(), k.size()
	narrow, lanes, depth := regs == narrowRegisters, regs.vector/(2*size), 1+r.IntN(9)
	tail := r.IntN(lanes)
	cols := nv*lanes - (lanes-tail)%lanes
	b := fill(r, typ, 2*depth*cols)
	panel := make([]byte, depth*nv*regs.vector)
	pk := packKey{order: copied, kind: k, vector: regs.vector, typ: typ, nv: nv, tail: tail, ld: 2 * size * cols,
		to: nv * regs.vector}
	code := emit(t, narrow, func(a *asm.Assembler) { emitPack(a, pk) })
	if err := machine(narrow, words(depth, addrA, addrC), b.Bytes(), nil, panel).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", pk, err)
	}
	a, c := fill(r, typ, mr*2*depth), fill(r, typ, mr*cols)
	want, add := literal.New(shape.Make(typ, mr*cols)), r.IntN(2)
	for i := range mr {
		for j := range cols {
			sum := float64(add) * c.FloatAt(i*cols+j)
			for d := range 2 * depth {
				sum += a.FloatAt(i*2*depth+d) * b.FloatAt(d*cols+j)
			}
			want.SetFloat(i*cols+j, sum)
		}
	}
	key := microKey{kind: k, vector: regs.vector, mr: mr, nv: nv, tail: tail, packedB: true,
		lda: 2 * size * depth, stepA: 2 * size, ldb: nv * regs.vector, ldc: size * cols}
	code = emit(t, narrow, func(a *asm.Assembler) { emitMicro(a, key) })
	args := words(depth, addrA, addrB, addrC, 1, add)
	if err := machine(narrow, args, a.Bytes(), panel, c.Bytes()).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	if err := same(k.sums(), c.Bytes(), want.Bytes()); err != nil {
		t.Fatalf("%+v, depth %d, add %d: %v", key, depth, add, err)
	}
}

// windowsOf multiplies the windows of an image, of taps by taps places of features each, by n columns, for each of so
// many groups; width is that of a row of the image in memory, and all the depth.
func windowsOf(typ shape.ElementType, high, wide, taps, groups, features, n int) (s Spec, width, all int) {
	width, all = (wide+taps-1)*features*groups, taps*taps*features
	s = Spec{C: typ}
	s.A = Operand{Type: typ, Batch: Axis{{groups, features}},
		Free:  Axis{{high, width}, {wide, features * groups}},
		Depth: Axis{{taps, width}, {taps, features * groups}, {features, 1}}}
	s.B = Operand{Type: typ, Batch: Axis{{groups, n}}, Free: Axis{{n, 1}}, Depth: Axis{{all, groups * n}}}
	return s, width, all
}
