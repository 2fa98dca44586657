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
