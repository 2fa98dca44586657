package emit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// borderedNest is y[i, j] = x[i, step*(j-lo)] for lo <= j < hi, if holes is set only where j has a bit of 5, else 0. A
// step of -1 goes back from the end of a row.
func borderedNest(m loop.Mem, rows, extent, lo, hi, step int64, holes bool) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("bordered %v %d %d %d %d %v", m, extent, lo, hi, step, holes))
	length, start := step*(hi-lo-1)+1, -step*lo
	if step < 0 {
		length, start = hi-lo, hi-1
	}
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * length * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * extent * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(j int) {
			at := b.Index(loop.I32, j)
			on := b.Op(loop.And, loop.Mask, b.Cmp(loop.GE, at, b.Int(loop.I32, lo)), b.Cmp(loop.LT, at, b.Int(loop.I32, hi)))
			if holes {
				five := b.Op(loop.And, loop.I32, at, b.Int(loop.I32, 5))
				on = b.Op(loop.And, loop.Mask, on, b.Cmp(loop.NE, five, b.Int(loop.I32, 0)))
			}
			from := []loop.Term{{Var: i, Stride: length}, {Var: j, Stride: step}}
			v := b.Load(loop.Access{Buffer: x, Offset: start, Terms: from, Mem: m}, on)
			to := []loop.Term{{Var: i, Stride: extent}, {Var: j, Stride: 1}}
			b.Store(loop.Access{Buffer: y, Terms: to, Mem: m}, b.Op(loop.Add, m.Kind(), v, v), 0)
		})
	})
	return b.Nest()
}

// TestBordered reads elements that stand apart within borders, next to pages that cannot be accessed, and in the
// emulator.
func TestBordered(t *testing.T) {
	const extent = 90
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64, loop.MemS16} {
		for _, step := range []int64{-1, 2, 3, 5, 9} {
			for _, c := range [][2]int64{{0, extent}, {1, extent - 1}, {16, 48}, {40, extent}, {3, 60}} {
				for _, holes := range []bool{false, true} {
					nest := borderedNest(m, 2, extent, c[0], c[1], step, holes)
					for name, target := range tiers() {
						checkMoved(t, name, target, m, nest, 2)
					}
					checkMovedEmulated(t, m, nest, 2)
				}
			}
		}
	}
}

// TestBorderedWide: a vector of elements that stand apart is read whole where all of it is within the borders.
func TestBorderedWide(t *testing.T) {
	code := assemble(t, borderedNest(loop.MemF32, 2, 90, 3, 60, 2, false), Target{AVX512: true})
	if count(code, asm.VPERMI2D)+count(code, asm.VPERMT2D) == 0 {
		t.Error("no vector is read whole")
	}
}

// TestLeaves: where all lanes of a masked load may be outside of the buffer, it is jumped over if none is on.
func TestLeaves(t *testing.T) {
	const n = 77
	for _, most := range []int64{n + 20, 5} {
		b := loop.NewBuilder("shifted")
		m := loop.MemF32
		by := b.Buffer(loop.Buffer{Name: "by", Bytes: 4})
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * m.Bytes()})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes(), Write: true})
		d := b.Load(loop.Access{Buffer: by, Mem: loop.MemI32}, 0)
		d = b.Op(loop.Min, loop.I32, b.Op(loop.Max, loop.I32, d, b.Int(loop.I32, -most)), b.Int(loop.I32, most))
		b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
			at := b.Op(loop.Add, loop.I32, b.Index(loop.I32, i), d)
			terms := []loop.Term{{Var: i, Stride: 1}}
			v := b.Load(loop.Access{Buffer: x, Index: d, Terms: terms, Mem: m}, b.Cmp(loop.ULT, at, b.Int(loop.I32, n)))
			b.Store(loop.Access{Buffer: y, Terms: terms, Mem: m}, v, 0)
		})
		nest := b.Nest()
		in := aligned(n * 4)
		quotients(loop.F32, 3, in)
		for name, target := range tiers() {
			code := assemble(t, nest, target)
			jumps := count(code, asm.KORTESTW) + count(code, asm.KORTESTB) + count(code, asm.VPTEST)
			if (jumps > 0) != (most > 16) {
				t.Errorf("%s: up to %d: %d jumps", name, most, jumps)
			}
			for _, by := range []int64{0, 1, -1, 40, -70, 77, -77, 90} {
				shift, got, want := aligned(4), aligned(n*4), aligned(n*4)
				binary.LittleEndian.PutUint32(shift, uint32(by))
				native(t, nest, target, [][]byte{shift, in, got}, 0, n)
				portable(t, nest, [][]byte{shift, in, want}, 0, n)
				if !bytes.Equal(got, want) {
					t.Errorf("%s: by %d of %d: %v, expected %v", name, by, most, got, want)
				}
			}
		}
	}
}
