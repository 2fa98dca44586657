package emit

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// rootsNest is, for rows r, z[i, r] = q*p+1, q being 1 / the root of what is largest in row r of x[i] and p the root of
// that in row 0, and y[i, r, j] = x[i, r, j] times that.
func rootsNest(m loop.Mem, rows, row int64) *loop.Nest {
	const outer = 3
	b := loop.NewBuilder("scaled")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: outer * rows * row * m.Bytes()})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: outer * rows * m.Bytes(), Write: true})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: outer * rows * row * m.Bytes(), Write: true})
	k := m.Kind()
	one := b.Const(k, map[loop.Kind]uint64{loop.F32: 0x3F800000, loop.F64: 0x3FF0000000000000}[k])
	b.Each(loop.Spec{Extent: outer, Parallel: true}, func(i int) {
		at := func(buffer, j int, r int) loop.Access {
			return loop.Access{Buffer: buffer, Offset: int64(r) * row, Mem: m,
				Terms: []loop.Term{{Var: i, Stride: rows * row}, {Var: j, Stride: 1}}}
		}
		var carries []loop.Reduction
		for range rows {
			carries = append(carries, loop.Reduction{Init: one, Reduce: loop.Max})
		}
		outs := b.For(loop.Spec{Extent: row, Lanes: true}, carries, func(j int, phis []loop.Value) (next []loop.Value) {
			for r, phi := range phis {
				next = append(next, b.Op(loop.Max, k, phi, b.Load(at(x, j, r), 0)))
			}
			return next
		})
		first := loop.Value(0)
		for r, v := range outs {
			root := b.Op(loop.Sqrt, k, b.Op(loop.Add, k, v, one))
			if r == 0 {
				first = root
			}
			q := b.Op(loop.Div, k, one, root)
			outs[r] = b.Op(loop.Select, k, b.Cmp(loop.LT, q, root), b.Op(loop.FMA, k, q, first, one), q)
		}
		for r, v := range outs {
			b.Store(loop.Access{Buffer: z, Offset: int64(r), Mem: m, Terms: []loop.Term{{Var: i, Stride: rows}}}, v, 0)
		}
		b.Each(loop.Spec{Extent: row, Lanes: true, Parallel: true}, func(j int) {
			for r, v := range outs {
				b.Store(at(y, j, r), b.Op(loop.Mul, k, v, b.Load(at(x, j, r), 0)), 0)
			}
		})
	})
	return b.Nest()
}

// checkRoots compares all that nest writes with package tile.
func checkRoots(t *testing.T, name string, target Target, m loop.Mem, nest *loop.Nest, run runner) {
	t.Helper()
	var got, want [][]byte
	for _, b := range nest.Buffers {
		got, want = append(got, aligned(int(b.Bytes))), append(want, aligned(int(b.Bytes)))
	}
	looptest.Fill(rand.New(rand.NewPCG(7, uint64(nest.Buffers[0].Bytes))), m, want[0])
	copy(got[0], want[0])
	portable(t, nest, want, 0, 3)
	run(t, nest, target, got, 0, 3)
	for k := range got {
		if d := looptest.Diff(m, got[k], want[k]); d >= 0 {
			t.Fatalf("%s: %s[%d]: expected %s, got %s", name, nest.Buffers[k].Name, d, element(m, want[k], d),
				element(m, got[k], d))
		}
	}
}

// TestOfFolded makes the same of the largest elements of several rows, at once for all of them.
func TestOfFolded(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64} {
		for _, rows := range []int64{1, 2, 3, 4, 5, 8} {
			nest := rootsNest(m, rows, 21)
			for name, target := range tiers() {
				checkRoots(t, name, target, m, nest, native)
			}
			for _, tier := range emulatedTiers[:2] {
				checkRoots(t, tier.name, tier.target, m, nest, emulate)
				lanes := 32 / m.Bytes()
				if tier.target.AVX512 {
					lanes *= 2
				}
				code, vectors := assemble(t, nest, tier.target), int((rows+lanes-1)/lanes)
				if roots := count(code, asm.VSQRTPS) + count(code, asm.VSQRTPD); roots != vectors {
					t.Errorf("%s: %d rows of %v: expected %d roots, got %d", tier.name, rows, m, vectors, roots)
				}
			}
		}
	}
}

// TestSumsFitRegisters: so many vectors of rows are summed side by side as have registers beside what is computed.
func TestSumsFitRegisters(t *testing.T) {
	for _, rows := range []int64{2, 4} {
		b := loop.NewBuilder("squares")
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * 256 * rows})
		z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * rows, Write: true})
		b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
			carries := slices.Repeat([]loop.Reduction{{Init: b.Float(loop.F32, 0), Reduce: loop.Add}}, int(rows))
			outs := b.For(loop.Spec{Extent: 256, Lanes: true}, carries, func(j int, phis []loop.Value) []loop.Value {
				var next []loop.Value
				for r, phi := range phis {
					v := b.Load(loop.Access{Buffer: x, Offset: int64(r) * 256, Mem: loop.MemF32,
						Terms: []loop.Term{{Var: j, Stride: 1}}}, 0)
					d := b.Op(loop.Sub, loop.F32, v, b.Float(loop.F32, 3))
					next = append(next, b.Op(loop.FMA, loop.F32, d, d, phi))
				}
				return next
			})
			for r, v := range outs {
				b.Store(loop.Access{Buffer: z, Offset: int64(r), Mem: loop.MemF32}, v, 0)
			}
		})
		for in := range decoded(assemble(t, b.Nest(), Target{})) {
			if in.Op == asm.VMOVUPS && in.Place == asm.InStore && in.Size == asm.VL256 {
				t.Errorf("%d rows: %s", rows, in.String())
			}
		}
	}
}

// TestFoldedUnderMasks: what is made of the sums of several rows where the mask of one of them is on is made again where
// that of another one is.
func TestFoldedUnderMasks(t *testing.T) {
	const rows, row = 4, 21
	b := loop.NewBuilder("under masks")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * 3 * rows * row})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * 3 * rows, Write: true})
	one := b.Float(loop.F32, 1)
	b.Each(loop.Spec{Extent: 3, Parallel: true}, func(i int) {
		at := func(buffer int, terms ...loop.Term) loop.Access {
			return loop.Access{Buffer: buffer, Mem: loop.MemF32, Terms: terms}
		}
		carries := slices.Repeat([]loop.Reduction{{Init: one, Reduce: loop.Max}}, rows)
		outs := b.For(loop.Spec{Extent: row, Lanes: true}, carries, func(j int, phis []loop.Value) (next []loop.Value) {
			for r, phi := range phis {
				a := at(x, loop.Term{Var: i, Stride: rows * row}, loop.Term{Var: j, Stride: 1})
				a.Offset = int64(r) * row
				next = append(next, b.Op(loop.Max, loop.F32, phi, b.Load(a, 0)))
			}
			return next
		})
		for r, v := range outs {
			on := b.Cmp(loop.GE, b.Index(loop.I32, i), b.Const(loop.I32, uint64(2-min(r, 2))))
			to := at(z, loop.Term{Var: i, Stride: rows})
			to.Offset = int64(r)
			was := b.Load(to, on)
			b.Store(to, b.Op(loop.Add, loop.F32, b.Op(loop.Div, loop.F32, one, v), was), on)
		}
	})
	for name, target := range tiers() {
		checkRoots(t, name, target, loop.MemF32, b.Nest(), native)
	}
	for _, tier := range emulatedTiers[:2] {
		checkRoots(t, tier.name, tier.target, loop.MemF32, b.Nest(), emulate)
	}
}
