package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestQuads multiplies by so few columns that four depths go at once: windows of an image, rows and depths of which are
// runs, whose C is in rows of its own or a part of others, and a kernel of any order.
func TestQuads(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers()[1:] {
		r := rand.New(rand.NewPCG(21, uint64(tier)))
		used, ones, doubles, several := 0, 0, 0, 0
		for range 160 {
			n, features := 1+r.IntN(4), 4*(1+r.IntN(10))
			typ := shape.F32
			if n == 1 {
				features = 8 * (1 + r.IntN(6))
				typ = []shape.ElementType{shape.F32, shape.F32, shape.F64}[r.IntN(3)]
			} else if r.IntN(4) == 0 {
				features = 16 * (1 + r.IntN(4))
				typ = []shape.ElementType{shape.F32, shape.F64}[r.IntN(2)]
			}
			high, wide, taps, groups := 4+r.IntN(9), 4+r.IntN(20), 1+r.IntN(3), 1+r.IntN(3)
			s, width, all := windowsOf(typ, high, wide, taps, groups, features, n)
			s.Constant = r.IntN(3) == 0
			if r.IntN(2) == 0 { // columns along the depth
				s.B.Batch, s.B.Free, s.B.Depth = Axis{{groups, n * all}}, Axis{{n, all}}, Axis{{all, 1}}
			}
			if r.IntN(2) == 0 {
				s.Products, s.Rows = Axis{{groups, n}}, Axis{{high, wide * groups * n}, {wide, groups * n}}
			}
			p, err := New(s, Config{Tier: tier, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case p.kind == kindQuads:
				used++
			case p.kind.ones() && n > 1:
				several++
			case p.kind.ones() && typ == shape.F64:
				doubles++
			case p.kind.ones():
				ones++
			}
			check(t, pool, s, tier, (high+taps-1)*width, all*groups*n)
		}
		if tier >= exec.AVX512 && several < 10 {
			t.Errorf("%v: expected at least 10 products of a few columns by vectors, got %d", tier, several)
		}
		if used < 30 || ones < 2 || doubles < 2 {
			t.Errorf("%v: expected at least 30 products by four depths, 2 of one column by vectors, and of f64, "+
				"got %d, %d and %d", tier, used, ones, doubles)
		}
	}
}

// TestQuadsEmulated packs rows or columns of B and multiplies them, for both tiers, in the emulator.
func TestQuadsEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for n := 1; n <= regs.vector/8; n++ {
			for mr := 1; mr <= regs.rowsFor(parts(n, regs.vector/16)); mr++ {
				quadsEmulated(t, r, regs, mr, n)
			}
		}
	}
}

func quadsEmulated(t *testing.T, r *rand.Rand, regs registers, mr, n int) {
	t.Helper()
	narrow, depth := regs == narrowRegisters, 1+r.IntN(9)
	nv, tail := parts(n, regs.vector/16), n%(regs.vector/16)
	b := fill(r, shape.F32, 4*depth*n)
	panel := make([]byte, depth*nv*regs.vector)
	pk := packKey{order: copied, kind: kindQuads, vector: regs.vector, typ: shape.F32, nv: nv, tail: tail, ld: 16 * n,
		to: nv * regs.vector}
	rowB, colB := n, 1
	if r.IntN(2) == 0 {
		pk.ld, pk.column, rowB, colB = 16, 16*depth, 1, 4*depth
	}
	code := emit(t, narrow, func(a *asm.Assembler) { emitPack(a, pk) })
	if err := machine(narrow, words(depth, addrA, addrC), b.Bytes(), nil, panel).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", pk, err)
	}
	a, c := fill(r, shape.F32, mr*4*depth), fill(r, shape.F32, mr*n)
	want, add := literal.New(shape.Make(shape.F32, mr*n)), r.IntN(2)
	for i := range mr {
		for j := range n {
			sum := float64(add) * c.FloatAt(i*n+j)
			for k := range 4 * depth {
				sum += a.FloatAt(i*4*depth+k) * b.FloatAt(k*rowB+j*colB)
			}
			want.SetFloat(i*n+j, sum)
		}
	}
	key := microKey{kind: kindQuads, vector: regs.vector, mr: mr, nv: nv, tail: tail, packedB: true,
		lda: 16 * depth, stepA: 16, ldb: nv * regs.vector, ldc: 4 * n}
	code = emit(t, narrow, func(a *asm.Assembler) { emitMicro(a, key) })
	args := words(depth, addrA, addrB, addrC, 1, add)
	if err := machine(narrow, args, a.Bytes(), panel, c.Bytes()).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	if err := same(kindF32, c.Bytes(), want.Bytes()); err != nil {
		t.Fatalf("%+v, depth %d, add %d: %v", key, depth, add, err)
	}
}

// TestOnesEmulated packs a column and multiplies it, for both tiers, rows of C near and apart, in the emulator; and
// multiplies a few columns.
func TestOnesEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for mr := 1; mr <= regs.rowsFor(1); mr++ {
			for apart := 1; apart <= 2; apart++ {
				onesEmulated(t, r, regs, shape.F32, mr, apart)
				onesEmulated(t, r, regs, shape.F64, mr, apart)
			}
		}
	}
	for columns := 2; columns <= mostOnes; columns++ {
		for mr := 1; mr <= wideRegisters.rowsFor(columns); mr++ {
			severalEmulated(t, r, shape.F32, mr, columns)
			severalEmulated(t, r, shape.F64, mr, columns)
		}
	}
}

func severalEmulated(t *testing.T, r *rand.Rand, typ shape.ElementType, mr, columns int) {
	t.Helper()
	size := typ.ByteSize()
	k, lanes, vectors := kindSixteens, wideRegisters.vector/size, 1+r.IntN(9)
	if typ == shape.F64 {
		k = kindEights64
	}
	depth, width := vectors*lanes, columns+r.IntN(3)
	a, b, c := fill(r, typ, mr*depth), fill(r, typ, depth*columns), fill(r, typ, (mr-1)*width+columns)
	want, add := literal.New(c.Shape()), r.IntN(2)
	copy(want.Bytes(), c.Bytes())
	for i := range mr {
		for j := range columns {
			sum := float64(add) * c.FloatAt(i*width+j)
			for d := range depth { // in b a column has a vector for each step
				sum += a.FloatAt(i*depth+d) * b.FloatAt((d/lanes*columns+j)*lanes+d%lanes)
			}
			want.SetFloat(i*width+j, sum)
		}
	}
	key := microKey{kind: k, vector: wideRegisters.vector, mr: mr, nv: columns, packedB: true, lda: size * depth,
		stepA: wideRegisters.vector, ldb: columns * wideRegisters.vector, ldc: size * width}
	code := emit(t, false, func(a *asm.Assembler) { emitMicro(a, key) })
	args := words(vectors, addrA, addrB, addrC, 1, add)
	if err := machine(false, args, a.Bytes(), b.Bytes(), c.Bytes()).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	if err := same(k.sums(), c.Bytes(), want.Bytes()); err != nil {
		t.Fatalf("%+v, %d vectors, add %d: %v", key, vectors, add, err)
	}
}

func onesEmulated(t *testing.T, r *rand.Rand, regs registers, typ shape.ElementType, mr, apart int) {
	t.Helper()
	size := typ.ByteSize()
	lanes := regs.vector / size
	k := map[int]kind{8: kindEights, 16: kindSixteens}[lanes]
	if typ == shape.F64 {
		k = map[int]kind{4: kindFours64, 8: kindEights64}[lanes]
	}
	narrow, vectors := regs == narrowRegisters, 1+r.IntN(9)
	depth := vectors * lanes
	b, panel := fill(r, typ, depth), make([]byte, size*depth)
	pk := packKey{order: copied, kind: k, vector: regs.vector, typ: typ, nv: 1, ld: regs.vector, to: regs.vector}
	code := emit(t, narrow, func(a *asm.Assembler) { emitPack(a, pk) })
	if err := machine(narrow, words(vectors, addrA, addrC), b.Bytes(), nil, panel).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", pk, err)
	}
	a, c := fill(r, typ, mr*depth), fill(r, typ, (mr-1)*apart+1)
	want, add := literal.New(c.Shape()), r.IntN(2)
	copy(want.Bytes(), c.Bytes())
	for i := range mr {
		sum := float64(add) * c.FloatAt(i*apart)
		for d := range depth {
			sum += a.FloatAt(i*depth+d) * b.FloatAt(d)
		}
		want.SetFloat(i*apart, sum)
	}
	key := microKey{kind: k, vector: regs.vector, mr: mr, nv: 1, packedB: true, lda: size * depth, stepA: regs.vector,
		ldb: regs.vector, ldc: size * apart}
	code = emit(t, narrow, func(a *asm.Assembler) { emitMicro(a, key) })
	args := words(vectors, addrA, addrB, addrC, 1, add)
	if err := machine(narrow, args, a.Bytes(), panel, c.Bytes()).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	if err := same(k.sums(), c.Bytes(), want.Bytes()); err != nil {
		t.Fatalf("%+v, %d vectors, add %d: %v", key, vectors, add, err)
	}
}

// TestQuadsOfOneColumn: columns that are one column, in memory once, have its product each.
func TestQuadsOfOneColumn(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers() {
		for _, n := range []int{2, 4, 8} {
			s := Spec{C: shape.F32, A: matrix(48, 128), B: Operand{Type: shape.F32, Free: Axis{{n, 0}}, Depth: Axis{{128, 1}}}}
			check(t, pool, s, tier, 48*128, 128)
		}
	}
}
