package loop_test

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// scaled makes the nest that multiplies so many numbers by factor.
func scaled(b *loop.Builder, extent int64, factor float64) *loop.Nest {
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * extent})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * extent, Write: true})
	b.Each(loop.Spec{Extent: extent, Parallel: true, Lanes: true}, func(v int) {
		at := loop.Access{Buffer: x, Mem: loop.MemF32, Terms: []loop.Term{{Var: v, Stride: 1}}}
		value := b.Op(loop.Mul, loop.F32, b.Load(at, 0), b.Float(loop.F32, factor))
		at.Buffer = y
		b.Store(at, value, 0)
	})
	return b.Nest()
}

// TestFit: a nest that was made to fit is the same, has no room for more, and stays as it is when another one is made
// in the memory that it was made in.
func TestFit(t *testing.T) {
	b := loop.NewBuilder("first")
	first := scaled(b, 100, 3)
	want := first.String()
	b.Fit(first)
	if cap(first.Insts) > len(first.Insts)+1 || cap(first.Root) != len(first.Root) || first.String() != want {
		t.Errorf("expects %d instructions of\n%s, got room for %d of\n%s", len(first.Insts), want, cap(first.Insts), first)
	}
	b.Again("second")
	second := scaled(b, 200, 5)
	if err := second.Verify(); err != nil {
		t.Error(err)
	}
	if got, alone := second.String(), scaled(loop.NewBuilder("second"), 200, 5).String(); got != alone {
		t.Errorf("second nest: expects\n%s, got\n%s", alone, got)
	}
	if got := first.String(); got != want {
		t.Errorf("first nest: expects\n%s, got\n%s", want, got)
	}
}

// TestFitJammed: what was made anew stays as it is when another nest is made, and has little room for more.
func TestFitJammed(t *testing.T) {
	b := loop.NewBuilder("sums")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * 8 * 5})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * 5 * 16})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * 8 * 16, Write: true})
	b.Each(loop.Spec{Extent: 8, Parallel: true}, func(m int) {
		b.Each(loop.Spec{Extent: 16, Parallel: true, Lanes: true}, func(n int) {
			load := func(buffer int, terms ...loop.Term) loop.Value {
				return b.Load(loop.Access{Buffer: buffer, Terms: terms, Mem: loop.MemF32}, 0)
			}
			zero := []loop.Reduction{{Init: b.Float(loop.F32, 0)}}
			sum := b.For(loop.Spec{Extent: 5}, zero, func(k int, phi []loop.Value) []loop.Value {
				product := []loop.Value{load(x, loop.Term{Var: m, Stride: 5}, loop.Term{Var: k, Stride: 1}),
					load(y, loop.Term{Var: n, Stride: 1}, loop.Term{Var: k, Stride: 16}), phi[0]}
				return []loop.Value{b.Op(loop.FMA, loop.F32, product...)}
			})
			b.Store(loop.Access{Buffer: z, Terms: []loop.Term{{Var: m, Stride: 16}, {Var: n, Stride: 1}}, Mem: loop.MemF32},
				sum[0], 0)
		})
	})
	made := b.Nest()
	n := loop.Jam(made, false)
	if n == made {
		t.Fatal("expected rows side by side")
	}
	want := n.String()
	b.Fit(n)
	b.Again("second")
	scaled(b, 200, 5)
	if n.String() != want {
		t.Errorf("expected it as it was:\n%s\ngot\n%s", want, n)
	}
	if cap(n.Insts) > 2*len(n.Insts) || cap(n.Accesses) > 2*len(n.Accesses) {
		t.Errorf("expected little room for more, got %d of %d instructions, %d of %d accesses", len(n.Insts), cap(n.Insts),
			len(n.Accesses), cap(n.Accesses))
	}
}
