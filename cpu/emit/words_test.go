package emit

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// group is some of the elements of each group of step: count from first on. whole: the last group has all.
type group struct {
	step, first, count int64
	whole              bool
}

// groupsNest is y[i] = x[i, first] + .. + x[i, first+count-1].
func groupsNest(m loop.Mem, n int64, of group) *loop.Nest {
	k := m.Kind()
	add, zero := loop.Add, uint64(0)
	if k == loop.Mask {
		add = loop.Xor
	}
	elements := n * of.step
	if !of.whole {
		elements = (n-1)*of.step + of.first + of.count
	}
	b := loop.NewBuilder(fmt.Sprintf("groups %v %d %+v", m, n, of))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: elements * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * looptest.MemOf(k).Bytes(), Write: true})
	start := b.Const(k, zero)
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		carry := []loop.Reduction{{Init: start}}
		sum := b.For(loop.Spec{Extent: of.count}, carry, func(j int, phis []loop.Value) []loop.Value {
			at := []loop.Term{{Var: i, Stride: of.step}, {Var: j, Stride: 1}}
			v := b.Load(loop.Access{Buffer: x, Offset: of.first, Terms: at, Mem: m}, 0)
			return []loop.Value{b.Op(add, k, phis[0], v)}
		})
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: looptest.MemOf(k)}, sum[0], 0)
	})
	return b.Nest()
}

// pickNest is y[i] = x[i, first].
func pickNest(m loop.Mem, n int64, of group) *loop.Nest {
	to := looptest.MemOf(m.Kind())
	b := loop.NewBuilder(fmt.Sprintf("pick %v %d %+v", m, n, of))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * of.step * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * to.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		v := b.Load(loop.Access{Buffer: x, Offset: of.first, Terms: []loop.Term{{Var: i, Stride: of.step}}, Mem: m}, 0)
		if m.Kind() == loop.Mask { // not only moved
			v = b.Op(loop.Not, loop.Mask, v)
		}
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: to}, v, 0)
	})
	return b.Nest()
}

// TestWords reads narrow elements out of groups of some, next to pages that cannot be accessed, and compares with
// package tile.
func TestWords(t *testing.T) {
	for name, target := range tiers() {
		for _, m := range narrow {
			for _, step := range []int64{2, 3, 4, 5, 6, 8, 12, 16} {
				t.Run(fmt.Sprintf("%s/%v/%d", name, m, step), func(t *testing.T) { checkGroups(t, name, target, m, step) })
			}
		}
	}
}

func checkGroups(t *testing.T, name string, target Target, m loop.Mem, step int64) {
	all := []group{{step, 0, step, true}, {step, 1, step - 1, true}, {step, step - 1, 1, true}, {step, 0, 1, false},
		{step, step / 2, 1, false}}
	for _, of := range all {
		for _, n := range []int64{1, 3, 7, 8, 15, 16, 17, 40, 100} {
			checkMoved(t, name, target, m, groupsNest(m, n, of), n)
			if of.count == 1 && of.whole {
				checkMoved(t, name, target, m, pickNest(m, n, of), n)
			}
		}
	}
}

// rowsOfSteps is y[i, j] = x[i, j*step] of 64 columns.
func rowsOfSteps(m loop.Mem, step int64) *loop.Nest {
	b := loop.NewBuilder("steps")
	to := looptest.MemOf(m.Kind())
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 3 * 64 * step * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 3 * 64 * to.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: 3, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: 64, Lanes: true, Parallel: true}, func(j int) {
			at := []loop.Term{{Var: i, Stride: 64 * step}, {Var: j, Stride: step}}
			v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: m}, 0)
			at = []loop.Term{{Var: i, Stride: 64}, {Var: j, Stride: 1}}
			b.Store(loop.Access{Buffer: y, Terms: at, Mem: to}, v, 0)
		})
	})
	return b.Nest()
}

// TestWordsOfEnds: elements that are all in the first 16 bytes and the last are not read alone.
func TestWordsOfEnds(t *testing.T) {
	for _, c := range []struct {
		mem   loop.Mem
		step  int64
		alone bool
	}{{loop.MemU8, 3, false}, {loop.MemS8, 5, false}, {loop.MemU8, 7, true}} {
		nest, alone := rowsOfSteps(c.mem, c.step), false
		for code := assemble(t, nest, Target{}); len(code) > 0; {
			in, size, err := asm.Decode(code)
			if err != nil {
				break // constants
			}
			code, alone = code[size:], alone || in.Op == asm.VPINSRB
		}
		if alone != c.alone {
			t.Errorf("%v, step %d: read alone: expected %t, got %t", c.mem, c.step, c.alone, alone)
		}
		checkMovedEmulated(t, c.mem, nest, 3)
	}
}

// TestSpreadOfRest: the elements of a rest of known number that fills two parts or more are not read alone.
func TestSpreadOfRest(t *testing.T) {
	for _, c := range []struct {
		mem           loop.Mem
		columns, step int64
		alone         bool
	}{{loop.MemU8, 60, 4, false}, {loop.MemS8, 41, 5, false}, {loop.MemU8, 63, 3, false}, {loop.MemU8, 53, 4, true},
		{loop.MemU8, 60, 6, true}} {
		nest, alone := stepsNest(c.mem, 3, c.columns, c.step), false
		for code := assemble(t, nest, Target{AVX512: true}); len(code) > 0; {
			in, size, err := asm.Decode(code)
			if err != nil {
				break // constants
			}
			code, alone = code[size:], alone || in.Op == asm.VPINSRB
		}
		if alone != c.alone {
			t.Errorf("%v, %d by %d: read alone: expected %t, got %t", c.mem, c.columns, c.step, c.alone, alone)
		}
		checkMovedEmulated(t, c.mem, nest, 3)
		for name, target := range tiers() {
			checkMoved(t, name, target, c.mem, nest, 3)
		}
	}
}
