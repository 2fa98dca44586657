package emit

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// foldNest is z[i, r*apart] = the combination of x[i, r] by o, and of init, for rows r.
func foldNest(o loop.Op, m loop.Mem, rows, row, apart int64, init uint64) *loop.Nest {
	const outer = 3
	b := loop.NewBuilder(fmt.Sprintf("fold %v %v %d %d %d", o, m, rows, row, apart))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: outer * rows * row * m.Bytes()})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: outer * rows * apart * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: outer, Parallel: true}, func(i int) {
		carries := slices.Repeat([]loop.Reduction{{Init: b.Const(m.Kind(), init), Reduce: o}}, int(rows))
		outs := b.For(loop.Spec{Extent: row, Lanes: true}, carries, func(j int, phis []loop.Value) (next []loop.Value) {
			for r, phi := range phis {
				v := b.Load(loop.Access{Buffer: x, Offset: int64(r) * row, Mem: m,
					Terms: []loop.Term{{Var: i, Stride: rows * row}, {Var: j, Stride: 1}}}, 0)
				next = append(next, b.Op(o, m.Kind(), phi, v))
			}
			return next
		})
		for r, v := range outs {
			b.Store(loop.Access{Buffer: z, Offset: int64(r) * apart, Mem: m,
				Terms: []loop.Term{{Var: i, Stride: rows * apart}}}, v, 0)
		}
	})
	return b.Nest()
}

// TestFoldTogether combines the lanes of several rows, next to pages that cannot be accessed, and in the emulator.
func TestFoldTogether(t *testing.T) {
	for _, c := range []struct {
		mem  loop.Mem
		op   loop.Op
		init uint64
	}{
		{loop.MemF32, loop.Max, 0xFF800000}, {loop.MemF32, loop.Min, 0}, {loop.MemF64, loop.Max, 0},
		{loop.MemI32, loop.Add, 0}, {loop.MemI32, loop.Add, 7}, {loop.MemI64, loop.Add, 5}, {loop.MemI32, loop.Xor, 0},
	} {
		for _, rows := range []int64{1, 2, 3, 4, 5, 8, 11, 12, 16, 19} {
			for _, row := range []int64{1, 9, 16, 37} {
				for _, apart := range []int64{1, 2} {
					nest := foldNest(c.op, c.mem, rows, row, apart, c.init)
					for name, target := range tiers() {
						checkMoved(t, name, target, c.mem, nest, 3)
					}
					if rows <= 5 {
						checkMovedEmulated(t, c.mem, nest, 3)
					}
				}
			}
		}
	}
}

// TestFoldTogetherShort: eight rows take less code than eight times one, and are stored at once if they are neighbours.
func TestFoldTogetherShort(t *testing.T) {
	for name, target := range tiers() {
		one := len(assemble(t, foldNest(loop.Add, loop.MemI32, 1, 16, 1, 0), target))
		if n := len(assemble(t, foldNest(loop.Add, loop.MemI32, 8, 16, 1, 0), target)); n > 5*one {
			t.Errorf("%s: one row is %d bytes, eight are %d", name, one, n)
		}
		for apart, single := range map[int64]bool{1: false, 2: true} {
			stores := 0
			for code := assemble(t, foldNest(loop.Max, loop.MemF32, 8, 16, apart, 0), target); len(code) > 0; {
				in, size, err := asm.Decode(code)
				if err != nil {
					break // constants
				}
				if code = code[size:]; in.Op == asm.VMOVSS && in.Place == asm.InStore {
					stores++
				}
			}
			if (stores > 0) != single {
				t.Errorf("%s: rows %d apart: %d elements are stored alone", name, apart, stores)
			}
		}
	}
}

// TestFoldTogetherSums: sums of rows have the bits that each of them has alone.
func TestFoldTogetherSums(t *testing.T) {
	const row = 100
	m := loop.MemF32
	for name, target := range tiers() {
		in := aligned(3 * 8 * row * 4)
		quotients(loop.F32, 3, in)
		together := aligned(3 * 8 * 4)
		native(t, foldNest(loop.Add, m, 8, row, 1, 0), target, [][]byte{in, together}, 0, 3)
		for r := range 8 {
			for i := range 3 {
				at := (i*8 + r) * row * 4
				x, alone := aligned(3*row*4), aligned(3*4)
				copy(x, in[at:at+row*4])
				native(t, foldNest(loop.Add, m, 1, row, 1, 0), target, [][]byte{x, alone}, 0, 1)
				if d := looptest.Diff(m, together[(i*8+r)*4:(i*8+r)*4+4], alone[:4]); d >= 0 {
					t.Errorf("%s: row %d of %d: %s together, %s alone", name, r, i, element(m, together, i*8+r), element(m, alone, 0))
				}
			}
		}
	}
}
