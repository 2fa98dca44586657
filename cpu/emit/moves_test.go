package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// narrow are the types of elements of 1 and 2 bytes.
var narrow = []loop.Mem{loop.MemPred, loop.MemS8, loop.MemU8, loop.MemS16, loop.MemU16, loop.MemF16, loop.MemBF16}

// stepsNest is y[i, j] = x[i, j*step], whose rows end with the last element that is read.
func stepsNest(m loop.Mem, rows, columns, step int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("steps %v %d %d", m, columns, step))
	row := (columns-1)*step + 1
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * row * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * columns * m.Bytes(), Write: true, Stream: columns%2 == 0})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: columns, Lanes: true, Parallel: true}, func(j int) {
			v := b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: i, Stride: row}, {Var: j, Stride: step}}, Mem: m}, 0)
			b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: columns}, {Var: j, Stride: 1}}, Mem: m}, v, 0)
		})
	})
	return b.Nest()
}

// backNest is y[i, j] = x[i, -j] with rows that begin at both ends of x; the elements of y have the type to.
func backNest(m, to loop.Mem, rows, columns int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("back %v %v %d", m, to, columns))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * columns * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * columns * to.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: columns, Lanes: true, Parallel: true}, func(j int) {
			at := []loop.Term{{Var: i, Stride: columns}, {Var: j, Stride: -1}}
			v := b.Load(loop.Access{Buffer: x, Offset: columns - 1, Terms: at, Mem: m}, 0)
			b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: columns}, {Var: j, Stride: 1}}, Mem: to}, v, 0)
		})
	})
	return b.Nest()
}

// squaresNest is y[k, i, j] = x[k, j, i].
func squaresNest(m loop.Mem, rows, columns int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("squares %v %d %d", m, rows, columns))
	bytes := 2 * rows * columns * m.Bytes()
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: bytes})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: bytes, Write: true})
	b.Each(loop.Spec{Extent: 2, Parallel: true}, func(k int) {
		b.Each(loop.Spec{Extent: columns, Parallel: true}, func(i int) {
			b.Each(loop.Spec{Extent: rows, Lanes: true, Parallel: true}, func(j int) {
				at := []loop.Term{{Var: k, Stride: rows * columns}, {Var: i, Stride: 1}, {Var: j, Stride: columns}}
				v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: m}, 0)
				at = []loop.Term{{Var: k, Stride: rows * columns}, {Var: i, Stride: rows}, {Var: j, Stride: 1}}
				b.Store(loop.Access{Buffer: y, Terms: at, Mem: m}, v, 0)
			})
		})
	})
	return b.Nest()
}

// TestMoves moves narrow elements, next to pages that cannot be accessed, and compares with package tile.
func TestMoves(t *testing.T) {
	for name, target := range tiers() {
		for _, m := range narrow {
			for step := int64(1); step <= 5; step++ {
				for _, columns := range []int64{1, 15, 16, 31, 32, 63, 64, 65, 127, 128, 130, 255, 256, 257, 300} {
					checkMoved(t, name, target, m, stepsNest(m, 3, columns, step), 3)
				}
			}
			for _, rows := range []int64{8, 16, 24, 32, 40, 64, 128} {
				for _, columns := range []int64{8, 16, 17, 32, 48, 64} {
					checkMoved(t, name, target, m, squaresNest(m, rows, columns), 2)
				}
			}
		}
	}
}

// TestMovesPicked: steps are picked from two whole vectors at a time where there is an instruction for that.
func TestMovesPicked(t *testing.T) {
	for _, c := range []struct {
		mem    loop.Mem
		target Target
		pick   asm.Op
		picks  bool
	}{
		{loop.MemU8, Target{AVX512: true, VBMI: true}, asm.VPERMI2B, true},
		{loop.MemU8, Target{AVX512: true}, asm.VPERMI2B, false},
		{loop.MemBF16, Target{AVX512: true}, asm.VPERMI2W, true},
		{loop.MemBF16, Target{}, asm.VPERMI2W, false},
	} {
		for step := int64(2); step <= mostStep; step++ {
			n := stepsNest(c.mem, 3, 256, step)
			if got := count(assemble(t, n, c.target), c.pick); (got > 0) != c.picks {
				t.Errorf("%+v: %s: %d picks", c.target, n.Name, got)
			}
			for name, target := range tiers() {
				checkMoved(t, name, target, c.mem, n, 3)
			}
			checkMovedEmulated(t, c.mem, n, 3)
		}
	}
}

// TestSteps reads elements that are some apart, rows of all lengths, next to pages that cannot be accessed: by vectors,
// also at the end of a row of known length.
func TestSteps(t *testing.T) {
	for name, target := range tiers() {
		for _, m := range []loop.Mem{loop.MemF32, loop.MemI64} {
			for step := int64(2); step <= 5; step++ {
				for columns := int64(1); columns <= 40; columns++ {
					checkMoved(t, name, target, m, stepsNest(m, 3, columns, step), 3)
				}
			}
		}
		if n := stepsNest(loop.MemF32, 3, 28, 2); target.AVX512 && hasGather(assemble(t, n, target)) {
			t.Errorf("%s: every second element of a row is gathered", name)
		}
	}
}

// TestBackwards reads elements of every type backwards, next to pages that cannot be accessed: those that are only
// moved, and those that are lanes.
func TestBackwards(t *testing.T) {
	for name, target := range tiers() {
		for _, m := range append(narrow, loop.MemI32, loop.MemF32, loop.MemF64) {
			for _, columns := range []int64{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 77, 128, 200} {
				checkMoved(t, name, target, m, backNest(m, m, 3, columns), 3)
				checkMoved(t, name, target, m, backNest(m, looptest.MemOf(m.Kind()), 3, columns), 3)
			}
		}
	}
}

func checkMoved(t *testing.T, name string, target Target, m loop.Mem, n *loop.Nest, extent int64) {
	t.Helper()
	for _, place := range []func(testing.TB, int) []byte{guard.Before, guard.After} {
		var got, want [][]byte
		r := rand.New(rand.NewPCG(uint64(n.Buffers[0].Bytes), 5))
		for k, b := range n.Buffers {
			x := aligned(int(b.Bytes))
			if k == 0 {
				looptest.Fill(r, m, x)
			}
			g := place(t, len(x))
			copy(g, x)
			got, want = append(got, g), append(want, x)
		}
		portable(t, n, want, 0, extent)
		native(t, n, target, got, 0, extent)
		to := n.Accesses[len(n.Accesses)-1].Mem
		if d := looptest.Diff(to, got[1], want[1]); d >= 0 {
			t.Fatalf("%s: [%d]: expected %s, got %s\n%v", name, d, element(to, want[1], d), element(to, got[1], d), n)
		}
	}
}

// checkMovedEmulated does so in the emulator, on every tier.
func checkMovedEmulated(t *testing.T, m loop.Mem, n *loop.Nest, extent int64) {
	t.Helper()
	for _, tier := range emulatedTiers {
		var got, want [][]byte
		for _, b := range n.Buffers {
			got, want = append(got, aligned(int(b.Bytes))), append(want, aligned(int(b.Bytes)))
		}
		looptest.Fill(rand.New(rand.NewPCG(1, uint64(n.Buffers[0].Bytes))), m, want[0])
		copy(got[0], want[0])
		portable(t, n, want, 0, extent)
		emulate(t, n, tier.target, got, 0, extent)
		if d := looptest.Diff(n.Accesses[len(n.Accesses)-1].Mem, got[1], want[1]); d >= 0 {
			t.Fatalf("%s: element %d of %v", tier.name, d, n)
		}
	}
}

// TestMovesWide: where narrow elements are only moved the code extends and cuts none of a whole vector, and reads none
// of them alone.
func TestMovesWide(t *testing.T) {
	for _, tier := range emulatedTiers[:2] {
		for _, n := range []*loop.Nest{
			stepsNest(loop.MemU8, 3, 256, 1), stepsNest(loop.MemBF16, 3, 256, 2), stepsNest(loop.MemS8, 3, 256, 3),
			squaresNest(loop.MemU8, 64, 64), squaresNest(loop.MemBF16, 64, 64),
		} {
			for in := range decoded(assemble(t, n, tier.target)) {
				switch in.Op {
				case asm.VPINSRB, asm.VPINSRW, asm.VPEXTRB, asm.VPEXTRW, asm.VPMOVZXBD, asm.VPMOVZXWD, asm.VPMOVDB, asm.VPMOVDW:
					t.Errorf("%s: %s: %s", tier.name, n.Name, in.String())
				}
			}
		}
	}
}
