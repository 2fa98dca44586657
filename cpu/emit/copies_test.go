package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// polynomialNest is y[i] = p(x[i]) for a polynomial p of some terms, in one chain. Values beside, which are used at the
// end only, are made first.
func polynomialNest(extent int64, terms, beside int) *loop.Nest {
	b := loop.NewBuilder("polynomial")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * extent})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * extent, Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		at := []loop.Term{{Var: i, Stride: 1}}
		v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: loop.MemF32}, 0)
		var more []loop.Value
		for k := range beside {
			more = append(more, b.Op(loop.Mul, loop.F32, v, b.Float(loop.F32, 1.5+float64(k))))
		}
		p := b.Float(loop.F32, 0.25)
		for k := range terms {
			p = b.Op(loop.FMA, loop.F32, p, v, b.Float(loop.F32, 1/float64(k+2)))
		}
		for _, m := range more {
			p = b.Op(loop.Add, loop.F32, p, m)
		}
		b.Store(loop.Access{Buffer: y, Terms: at, Mem: loop.MemF32}, p, 0)
	})
	return b.Nest()
}

// TestSharedConstants makes several copies of bodies with more constants than there are registers: each is loaded once
// for all copies, unless other values need the registers; and the results are those of one copy.
func TestSharedConstants(t *testing.T) {
	const terms = 24
	r := rand.New(rand.NewPCG(5, 6))
	for _, extent := range []int64{7, 96, 101, 211} {
		for _, beside := range []int{0, 2, 6, 9, 12} {
			n := polynomialNest(extent, terms, beside)
			for _, tier := range emulatedTiers {
				t.Run(fmt.Sprintf("%d/%d/%s", extent, beside, tier.name), func(t *testing.T) {
					in, out, want := make([]byte, 4*extent), make([]byte, 4*extent), make([]byte, 4*extent)
					looptest.Fill(r, loop.MemF32, in)
					portable(t, n, [][]byte{in, want}, 0, extent)
					emulate(t, n, tier.target, [][]byte{in, out}, 0, extent)
					if d := looptest.Diff(loop.MemF32, out, want); d >= 0 {
						t.Errorf("[%d] differs", d)
					}
				})
			}
		}
	}
	total, folded := multiplyAdds(t, polynomialNest(101, terms, 0))
	if total < 5*terms || folded > 2*terms {
		t.Errorf("expected four copies, one and a rest, of %d multiply-adds, of which only the latter read constants; "+
			"got %d, and %d that do", terms, total, folded)
	}
}

// multiplyAdds counts the fused multiply-adds of the code of n on AVX2, and those that read memory.
func multiplyAdds(t *testing.T, n *loop.Nest) (total, folded int) {
	t.Helper()
	for in := range decoded(assemble(t, n, Target{})) {
		switch in.Op {
		case asm.VFMADD132PS, asm.VFMADD213PS, asm.VFMADD231PS:
			total++
			if in.Place == asm.InLoad {
				folded++
			}
		}
	}
	return total, folded
}

// TestStreamsOfWork stores past the caches where little is computed for a line; where that is much, and a line more
// than a vector, the caches take it.
func TestStreamsOfWork(t *testing.T) {
	for _, c := range []struct {
		terms        int
		avx2, avx512 string
	}{{4, "ymm", "zmm"}, {24, "ymm", "zmm"}, {40, "", "zmm"}} {
		for _, tier := range emulatedTiers[:2] {
			want := c.avx2
			if tier.target.AVX512 {
				want = c.avx512
			}
			n := polynomialNest(960, c.terms, 0)
			streaming(n)
			if got := streamed(t, n, tier.target); got != want {
				t.Errorf("%s: %d terms: expected streams of %q, got %q", tier.name, c.terms, want, got)
			}
		}
	}
}

// TestMasksStay: masks that a loop carries, side by side, are in registers.
func TestMasksStay(t *testing.T) {
	const rows, n = 4000, 8
	b := loop.NewBuilder("any")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows, Write: true})
	b.Each(loop.Spec{Extent: rows, Lanes: true, Parallel: true}, func(i int) {
		any := b.For(loop.Spec{Extent: n}, []loop.Reduction{{Init: b.Bool(false)}},
			func(k int, in []loop.Value) []loop.Value {
				at := []loop.Term{{Var: i, Stride: n}, {Var: k, Stride: 1}}
				v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: loop.MemPred}, 0)
				return []loop.Value{b.Op(loop.Or, loop.Mask, in[0], v)}
			})
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: loop.MemPred}, any[0], 0)
	})
	for in := range decoded(assemble(t, b.Nest(), Target{AVX512: true})) {
		if in.Op == asm.KMOVQ && in.Place == asm.InStore {
			t.Errorf("a mask goes to memory: %s", in.String())
		}
	}
}

// TestOverlappedVectors: on AVX-512 a body of medium size that is one long chain runs four vectors side by side, one
// that divides two, and so does one whose tables fill the registers.
func TestOverlappedVectors(t *testing.T) {
	for _, c := range []struct {
		name   string
		tables int
		divide bool
		copies int
	}{{"chain", 0, false, 4}, {"quotient", 0, true, 2}, {"tables", 8, false, 4}, {"more tables", 15, false, 2}} {
		code := assemble(t, chainNest(961, c.tables, c.divide), Target{AVX512: true})
		// The store of each copy, that of one vector at a time, and that of the rest.
		if got := count(code, asm.VMULPS) - 2; got != c.copies {
			t.Errorf("%s: %d vectors side by side, expected %d", c.name, got, c.copies)
		}
	}
}

// TestSpilledVectors: on AVX2 some vectors more than registers hold run side by side where bodies are of medium size.
func TestSpilledVectors(t *testing.T) {
	const terms = 20
	for beside, copies := range map[int]int{0: 4, 4: 3, 6: 2} {
		// Beside the copies there are one vector at a time, and the rest.
		if total, _ := multiplyAdds(t, polynomialNest(101, terms, beside)); total != (copies+2)*terms {
			t.Errorf("%d values beside: expected %d vectors side by side, got %d multiply-adds", beside, copies, total)
		}
	}
}

// chainNest is y = x*x, or 2 over it, and a sum of 15 numbers, some of which are looked up in tables of 32.
func chainNest(extent int64, tables int, divide bool) *loop.Nest {
	b := loop.NewBuilder("chain")
	b.Code, b.Wide = true, true
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * extent})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * extent, Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		at := []loop.Term{{Var: i, Stride: 1}}
		p := b.Load(loop.Access{Buffer: x, Terms: at, Mem: loop.MemF32}, 0)
		index := b.Op(loop.And, loop.I32, b.Op(loop.Bitcast, loop.I32, p), b.Int(loop.I32, 31))
		p = b.Op(loop.Mul, loop.F32, p, p)
		if divide {
			p = b.Op(loop.Div, loop.F32, b.Float(loop.F32, 2), p)
		}
		for k := range tables {
			table := make([]uint64, 32)
			for n := range table {
				table[n] = uint64(n + k)
			}
			p = b.Op(loop.Add, loop.F32, p, b.Table(loop.F32, table, index))
		}
		for k := range 15 - tables {
			p = b.Op(loop.Add, loop.F32, p, b.Float(loop.F32, 1+float64(k)))
		}
		b.Store(loop.Access{Buffer: y, Terms: at, Mem: loop.MemF32}, p, 0)
	})
	return b.Nest()
}
