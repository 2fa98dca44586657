package emit

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// chosenNest is y[i, j] = x[i + (x[j] & 127)], or something else of it if change is set.
func chosenNest(m loop.Mem, rows, extent int64,
	change func(b *loop.Builder, j int, v loop.Value) (_, mask loop.Value)) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("chosen %v %d", m, extent))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: (128 + extent) * 8})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * extent * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(j int) {
			number := b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: j, Stride: 1}}, Mem: loop.MemI32}, 0)
			number = b.Op(loop.And, loop.I32, number, b.Int(loop.I32, 127))
			from := loop.Access{Buffer: x, Terms: []loop.Term{{Var: i, Stride: 1}}, Index: number, Mem: m}
			v, mask := b.Load(from, 0), loop.Value(0)
			if change != nil {
				v, mask = change(b, j, v)
			}
			b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: extent}, {Var: j, Stride: 1}}, Mem: m}, v, mask)
		})
	})
	return b.Nest()
}

// TestMovedSingly: where gathers are slow, whole vectors of few lanes that are only moved have none, and nothing
// changes but that.
func TestMovedSingly(t *testing.T) {
	gathers := func(n *loop.Nest, target Target) (sum int) {
		code := assemble(t, n, target)
		for _, o := range []asm.Op{asm.VPGATHERDD, asm.VPGATHERDQ, asm.VPGATHERQD, asm.VPGATHERQQ} {
			sum += count(code, o)
		}
		return sum
	}
	added := func(b *loop.Builder, _ int, v loop.Value) (loop.Value, loop.Value) {
		return b.Op(loop.Add, loop.I32, v, v), 0
	}
	masked := func(b *loop.Builder, j int, v loop.Value) (loop.Value, loop.Value) {
		five := b.Op(loop.And, loop.I32, b.Index(loop.I32, j), b.Int(loop.I32, 5))
		return v, b.Cmp(loop.NE, five, b.Int(loop.I32, 0))
	}
	for _, c := range []struct {
		n                *loop.Nest
		onAVX2, onAVX512 bool // a gather is left
	}{
		{chosenNest(loop.MemF32, 2, 8, nil), false, false},
		{chosenNest(loop.MemF32, 3, 4, nil), true, false},
		{chosenNest(loop.MemF64, 2, 16, nil), false, false},
		{chosenNest(loop.MemI64, 2, 4, nil), false, false},
		{chosenNest(loop.MemF32, 2, 64, nil), false, true},
		{chosenNest(loop.MemF64, 2, 83, nil), true, true},
		{chosenNest(loop.MemI32, 2, 8, added), true, true},
		{chosenNest(loop.MemI32, 2, 8, masked), true, true},
	} {
		m := c.n.Accesses[len(c.n.Accesses)-1].Mem
		for name, target := range tiers() {
			if gathers(c.n, target) == 0 {
				t.Errorf("%s: %s: expected gathers where they are not slow", name, c.n.Name)
			}
			target.SlowGather = true
			left := c.onAVX2
			if target.AVX512 {
				left = c.onAVX512
			}
			if n := gathers(c.n, target); (n > 0) != left {
				t.Errorf("%s: %s: expected a gather: %v, got %d", name, c.n.Name, left, n)
			}
			checkMoved(t, name, target, m, c.n, c.n.Outermost().Extent)
		}
	}
}
