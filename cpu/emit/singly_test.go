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

// numberedNest is y[i] = x[number[i]], where numbers are read as they are, or one of 19 elements of x; plus adds to it.
func numberedNest(m, number loop.Mem, extent int64, plus bool) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("numbered %v %v %d %v", m, number, extent, plus))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: (256 + 19*extent) * 8})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: extent * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		from := loop.Access{Buffer: x, Mem: m, Terms: []loop.Term{{Var: i, Stride: 19}}}
		if number != loop.MemPred {
			from.Terms = nil
			from.Index = b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: number}, 0)
		}
		v := b.Load(from, 0)
		if plus {
			v = b.Op(loop.Add, m.Kind(), v, v)
		}
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: m}, v, 0)
	})
	return b.Nest()
}

// TestMovedSingly: where gathers are slow, vectors whose lanes are known to be wanted are put together, or only moved,
// element by element; nothing changes but that.
func TestMovedSingly(t *testing.T) {
	added := func(b *loop.Builder, _ int, v loop.Value) (loop.Value, loop.Value) {
		return b.Op(loop.Add, loop.I32, v, v), 0
	}
	masked := func(b *loop.Builder, j int, v loop.Value) (loop.Value, loop.Value) {
		five := b.Op(loop.And, loop.I32, b.Index(loop.I32, j), b.Int(loop.I32, 5))
		return v, b.Cmp(loop.NE, five, b.Int(loop.I32, 0))
	}
	for _, c := range []struct {
		n    *loop.Nest
		left bool // a gather is left: of a rest that is known at run time only
	}{
		{chosenNest(loop.MemF32, 2, 8, nil), false},
		{chosenNest(loop.MemF32, 3, 4, nil), false},
		{chosenNest(loop.MemF64, 2, 16, nil), false},
		{chosenNest(loop.MemI64, 2, 4, nil), false},
		{chosenNest(loop.MemF32, 2, 64, nil), false},
		{chosenNest(loop.MemF64, 2, 83, nil), false},
		{chosenNest(loop.MemI32, 2, 8, added), false},
		{chosenNest(loop.MemI32, 2, 8, masked), false},
		{numberedNest(loop.MemF32, loop.MemU8, 100, false), true},
		{numberedNest(loop.MemF64, loop.MemU8, 101, false), true},
		{numberedNest(loop.MemI64, loop.MemU8, 37, true), true},
		{numberedNest(loop.MemF32, loop.MemU8, 77, true), true},
		{numberedNest(loop.MemF32, loop.MemPred, 77, true), true},
		{numberedNest(loop.MemI64, loop.MemPred, 77, true), true},
	} {
		m := c.n.Accesses[len(c.n.Accesses)-1].Mem
		for name, target := range tiers() {
			if gathersOf(t, c.n, target) == 0 {
				t.Errorf("%s: %s: expected gathers where they are not slow", name, c.n.Name)
			}
			fast := gathersOf(t, c.n, target)
			target.SlowGather = true
			if n := gathersOf(t, c.n, target); (n > 0) != c.left || n >= fast {
				t.Errorf("%s: %s: expected a gather: %v, got %d of %d", name, c.n.Name, c.left, n, fast)
			}
			checkMoved(t, name, target, m, c.n, c.n.Outermost().Extent)
		}
	}
}

// TestNumbersInMemory: numbers that are read as they are do not come by vectors, of whatever form they are.
func TestNumbersInMemory(t *testing.T) {
	for number, op := range map[loop.Mem]asm.Op{loop.MemU8: asm.MOVZX8, loop.MemS8: asm.MOVSX8, loop.MemU16: asm.MOVZX16,
		loop.MemS16: asm.MOVSX16, loop.MemI32: asm.MOVSXD} {
		for name, target := range tiers() {
			target.SlowGather = true
			n := numberedNest(loop.MemF32, number, 64, false)
			if code := assemble(t, n, target); count(code, op) == 0 {
				t.Errorf("%s: %s: expected %v", name, n.Name, op)
			}
		}
	}
}

// TestPairedGather: numbers of lanes that come out of a vector by two are those of a gather, below 0 too.
func TestPairedGather(t *testing.T) {
	below := func(m loop.Mem, extent int64) *loop.Nest {
		b := loop.NewBuilder(fmt.Sprintf("below %v %d", m, extent))
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: 400 * 8})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: extent * m.Bytes(), Write: true})
		b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
			terms := []loop.Term{{Var: i, Stride: 1}}
			number := b.Load(loop.Access{Buffer: x, Terms: terms, Mem: loop.MemI32}, 0)
			number = b.Op(loop.Or, loop.I32, number, b.Int(loop.I32, -128))
			v := b.Load(loop.Access{Buffer: x, Offset: 128, Terms: terms, Index: number, Mem: m}, 0)
			b.Store(loop.Access{Buffer: y, Terms: terms, Mem: m}, v, 0)
		})
		return b.Nest()
	}
	for _, m := range []loop.Mem{loop.MemF32, loop.MemI32, loop.MemF64, loop.MemI64} {
		for _, extent := range []int64{5, 16, 64, 83, 200} {
			for _, n := range []*loop.Nest{below(m, extent), chosenNest(m, 2, extent, nil)} {
				for name, target := range tiers() {
					fast := gathersOf(t, n, target)
					if target.PairedGather = true; extent >= 16 && gathersOf(t, n, target) >= fast {
						t.Errorf("%s: %s: %d gathers, as many as before", name, n.Name, fast)
					}
					checkMoved(t, name, target, m, n, n.Outermost().Extent)
				}
			}
		}
	}
}

// gathersOf counts the gathers of the code of n.
func gathersOf(t *testing.T, n *loop.Nest, target Target) (sum int) {
	code := assemble(t, n, target)
	for _, o := range []asm.Op{asm.VPGATHERDD, asm.VPGATHERDQ, asm.VPGATHERQD, asm.VPGATHERQQ} {
		sum += count(code, o)
	}
	return sum
}
