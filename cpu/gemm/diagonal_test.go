package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestDiagonals multiplies windows of an image of groups of few features, whose sums are of diagonals if the groups
// fill vectors.
func TestDiagonals(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers()[1:] {
		r := rand.New(rand.NewPCG(31, uint64(tier)))
		var used [numKinds]int
		for range 200 {
			typ, g := shape.F32, 2<<r.IntN(3)
			if r.IntN(3) == 0 {
				typ, g = shape.F64, 2<<r.IntN(2)
			}
			high, wide, taps, groups := 1+r.IntN(12), 1+r.IntN(20), 1+r.IntN(4), 1+r.IntN(20)
			s, width, all := windowsOf(typ, high, wide, taps, groups, g, g)
			s.Constant = r.IntN(3) == 0
			s.B.Batch, s.B.Depth[0].Stride = Axis{{groups, g}}, groups*g
			s.Products, s.Rows = Axis{{groups, g}}, Axis{{high, wide * groups * g}, {wide, groups * g}}
			p, err := New(s, Config{Tier: tier, Threads: 2, L2: 1 << 10 << r.IntN(8)})
			if err != nil {
				t.Fatal(err)
			}
			used[p.kind]++
			if want, got := s.String(), p.Spec(); p.kind.diagonals() && got.String() != want {
				t.Errorf("expected the product to say that it is %v, got %v", want, got.String())
			}
			check(t, pool, s, tier, (high+taps-1)*width, all*groups*g)
		}
		for k := kindTwos; k <= kindFoursOf64; k++ {
			if used[k] < 8 && (k.wide() < wideDiagonal || tier >= exec.AVX512) {
				t.Errorf("%v: expected at least 8 products of kind %d, got %d", tier, k, used[k])
			}
		}
	}
}

// TestDiagonalsWhat: groups that fill vectors of 32 bytes, of as many columns as depths, go by diagonals; others, and
// those whose columns are not neighbours, do not.
func TestDiagonalsWhat(t *testing.T) {
	for _, c := range []struct {
		tier                           exec.Tier
		typ                            shape.ElementType
		groups, features, columns, gap int
		vector                         int // 0: not by diagonals
	}{
		{exec.AVX512, shape.F32, 8, 4, 4, 0, 64},
		{exec.AVX512, shape.F32, 6, 4, 4, 0, 32},
		{exec.AVX512, shape.F32, 5, 4, 4, 0, 0},
		{exec.AVX512, shape.F32, 8, 4, 8, 0, 0},
		{exec.AVX512, shape.F32, 8, 4, 4, 4, 0},
		{exec.AVX512, shape.F32, 8, 3, 3, 0, 0},
		{exec.AVX512, shape.F32, 2, 8, 8, 0, 64},
		{exec.AVX512, shape.F32, 3, 8, 8, 0, 0},
		{exec.AVX2, shape.F32, 2, 8, 8, 0, 0},
		{exec.AVX512, shape.F32, 2, 16, 16, 0, 0},
		{exec.AVX512, shape.F64, 2, 4, 4, 0, 64},
		{exec.AVX512, shape.F64, 2, 8, 8, 0, 0},
		{exec.AVX2, shape.F32, 6, 4, 4, 0, 32},
		{exec.AVX2, shape.F64, 3, 4, 4, 0, 32},
		{exec.Portable, shape.F32, 8, 4, 4, 0, 0},
	} {
		s, _, _ := windowsOf(c.typ, 8, 8, 3, c.groups, c.features, c.columns)
		all := c.groups*c.columns + c.gap
		s.B.Batch, s.B.Depth[0].Stride = Axis{{c.groups, c.columns}}, all
		s.Products = Axis{{c.groups, c.columns + c.gap}}
		s.Rows = Axis{{8, 8 * c.groups * (c.columns + c.gap)}, {8, c.groups * (c.columns + c.gap)}}
		p, err := New(s, Config{Tier: c.tier, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if by := p.kind.diagonals(); by != (c.vector > 0) || by && p.regs.vector != c.vector {
			t.Errorf("%+v: got kind %d by vectors of %d bytes", c, p.kind, p.regs.vector)
		}
	}
}

// TestDiagonalsBlocks: rows of products by diagonals are cut where A and C are more than half of the second-level
// cache, but for windows that reach over much of a block.
func TestDiagonalsBlocks(t *testing.T) {
	for _, c := range []struct {
		high, wide, taps, groups, l2, want int
	}{
		{32, 16, 3, 8, 512 << 10, 1}, {32, 16, 3, 8, 64 << 10, 6}, {32, 16, 3, 8, 32 << 10, 8}, {32, 16, 3, 8, 4 << 10, 16},
		{6, 16, 3, 8, 4 << 10, 3},
	} {
		s, _, _ := windowsOf(shape.F32, c.high, c.wide, c.taps, c.groups, 4, 4)
		all := c.groups * 4
		s.B.Batch, s.B.Depth[0].Stride, s.Products = Axis{{c.groups, 4}}, all, Axis{{c.groups, 4}}
		s.Rows = Axis{{c.high, c.wide * all}, {c.wide, all}}
		p, err := New(s, Config{Tier: exec.AVX2, Threads: 1, L2: c.l2})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.rowBlocks(); p.kind != kindFours || got != c.want {
			t.Errorf("%+v: %v: %d blocks", c, p, got)
		}
	}
}

// TestDiagonalsEmulated packs B of groups and multiplies, for both tiers, in the emulator.
func TestDiagonalsEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for k := kindTwos; k <= kindFoursOf64; k++ {
			top := narrowTop
			if regs.wide() {
				top = wideTop
			}
			for mr := 1; mr <= (top-1)/(k.wide()+1); mr++ {
				if err := diagonalsEmulated(t, r, regs, k, mr); err != nil {
					t.Errorf("%d rows of kind %d, vectors of %d bytes: %v", mr, k, regs.vector, err)
				}
			}
		}
	}
}

func diagonalsEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, mr int) error {
	t.Helper()
	typ, size, g := k.elementType(), k.size(), k.wide()
	narrow, lanes, depth, add := regs == narrowRegisters, regs.vector/k.size(), 1+r.IntN(9), r.IntN(2)
	b := fill(r, typ, depth*g*lanes)
	panel := make([]byte, depth*g*regs.vector)
	pk := packKey{order: copied, kind: k, vector: regs.vector, typ: typ, nv: g, ld: g * regs.vector, to: g * regs.vector}
	code := emit(t, narrow, func(a *asm.Assembler) { emitPack(a, pk) })
	if err := machine(narrow, words(depth, addrA, addrC), b.Bytes(), nil, panel).Call(code, addrArgs); err != nil {
		return fmt.Errorf("packing: %w", err)
	}
	a, c := fill(r, typ, mr*depth*lanes), fill(r, typ, mr*lanes)
	want := literal.New(shape.Make(typ, mr*lanes))
	for i := range mr {
		for j := range lanes {
			sum := float64(add) * c.FloatAt(i*lanes+j)
			for d := range depth * g {
				sum += a.FloatAt((i*depth+d/g)*lanes+j/g*g+d%g) * b.FloatAt(d*lanes+j)
			}
			want.SetFloat(i*lanes+j, sum)
		}
	}
	key := microKey{kind: k, vector: regs.vector, mr: mr, nv: g, packedB: true, lda: regs.vector * depth,
		stepA: regs.vector, ldb: g * regs.vector, ldc: size * lanes}
	code = emit(t, narrow, func(a *asm.Assembler) { emitMicro(a, key) })
	args := words(depth, addrA, addrB, addrC, 1, add)
	if err := machine(narrow, args, a.Bytes(), panel, c.Bytes()).Call(code, addrArgs); err != nil {
		return fmt.Errorf("multiplying: %w", err)
	}
	return same(k.sums(), c.Bytes(), want.Bytes())
}
