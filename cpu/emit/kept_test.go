package emit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// blockNest combines the blocks of rows and columns of x by o; seen: each row's sum is asked for.
func blockNest(o loop.Op, blocks, rows, columns int64, seen bool) *loop.Nest {
	b := loop.NewBuilder("block")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * blocks * rows * columns})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * blocks * rows, Write: true})
	b.Each(loop.Spec{Extent: blocks, Parallel: true}, func(i int) {
		first := []loop.Reduction{{Init: b.Float(loop.F32, 3)}}
		sum := b.For(loop.Spec{Extent: rows}, first, func(j int, phi []loop.Value) []loop.Value {
			row := []loop.Reduction{{Init: phi[0], Reduce: o}}
			out := b.For(loop.Spec{Extent: columns, Lanes: true}, row, func(k int, phi []loop.Value) []loop.Value {
				at := loop.Access{Buffer: x, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: rows * columns},
					{Var: j, Stride: columns}, {Var: k, Stride: 1}}}
				return []loop.Value{b.Op(o, loop.F32, phi[0], b.Load(at, 0))}
			})
			if seen {
				b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: rows},
					{Var: j, Stride: 1}}}, out[0], 0)
			}
			return out
		})
		b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: rows}}}, sum[0], 0)
	})
	return b.Nest()
}

// TestKeptSums: sums over rows and columns are folded once a block, unless each row's is asked for.
func TestKeptSums(t *testing.T) {
	const blocks, rows = 3, 21
	for _, o := range []loop.Op{loop.Add, loop.Max} {
		for _, columns := range []int64{1, 8, 19, 32, 150} {
			in := aligned(4 * blocks * rows * int(columns))
			for k := range len(in) / 4 {
				binary.LittleEndian.PutUint32(in[4*k:], math.Float32bits(float32(k*7%31-9)))
			}
			for _, seen := range []bool{false, true} {
				nest := blockNest(o, blocks, rows, columns, seen)
				want := aligned(4 * blocks * rows)
				portable(t, nest, [][]byte{in, want}, 0, blocks)
				for name, target := range tiers() {
					got := aligned(len(want))
					native(t, nest, target, [][]byte{in, got}, 0, blocks)
					if i := looptest.Diff(loop.MemF32, got, want); i >= 0 {
						t.Errorf("%s: %v of rows of %d: element %d differs", name, o, columns, i)
					}
					if folds := foldsBefore(assemble(t, nest, target)); columns > 1 && folds != seen {
						t.Errorf("%s: %v of rows of %d: expected folds of rows: %t", name, o, columns, seen)
					}
				}
			}
		}
	}
}

// TestKeptThrough: sums over blocks of rows are folded once, behind the loop of blocks.
func TestKeptThrough(t *testing.T) {
	const blocks, rows = 3, 5
	for _, columns := range []int64{8, 19, 150} {
		b := loop.NewBuilder("through")
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * blocks * rows * columns})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: 8, Write: true})
		carry := func(phi []loop.Value, o loop.Op) []loop.Reduction {
			return []loop.Reduction{{Init: phi[0], Reduce: o}, {Init: phi[1], Reduce: o}}
		}
		first := []loop.Value{b.Float(loop.F32, 3), b.Float(loop.F32, -2)}
		b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
			sums := b.For(loop.Spec{Extent: blocks}, carry(first, 0), func(i int, phi []loop.Value) []loop.Value {
				return b.For(loop.Spec{Extent: rows}, carry(phi, 0), func(j int, phi []loop.Value) []loop.Value {
					lanes := loop.Spec{Extent: columns, Lanes: true}
					return b.For(lanes, carry(phi, loop.Add), func(k int, phi []loop.Value) []loop.Value {
						e := b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: rows * columns},
							{Var: j, Stride: columns}, {Var: k, Stride: 1}}}, 0)
						return []loop.Value{b.Op(loop.Add, loop.F32, phi[0], e), b.Op(loop.FMA, loop.F32, e, e, phi[1])}
					})
				})
			})
			for k, s := range sums {
				b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Offset: int64(k)}, s, 0)
			}
		})
		nest, in, want := b.Nest(), aligned(4*blocks*rows*int(columns)), aligned(8)
		for k := range len(in) / 4 {
			binary.LittleEndian.PutUint32(in[4*k:], math.Float32bits(float32(k*7%31-9)))
		}
		portable(t, nest, [][]byte{in, want}, 0, 1)
		for name, target := range tiers() {
			got := aligned(len(want))
			native(t, nest, target, [][]byte{in, got}, 0, 1)
			if i := looptest.Diff(loop.MemF32, got, want); i >= 0 {
				t.Errorf("%s: rows of %d: element %d differs", name, columns, i)
			}
			if foldsBefore(assemble(t, nest, target)) {
				t.Errorf("%s: rows of %d: folds in front of the last block", name, columns)
			}
		}
	}
}

// foldsBefore reports whether code folds lanes in front of the jump back of the loop that is around an inner one, or
// of the only one.
func foldsBefore(code []byte) bool {
	type jump struct{ from, to int }
	var folds []int
	var back []jump
	for at := 0; at < len(code); {
		in, size, err := asm.Decode(code[at:])
		if err != nil {
			break // constants
		}
		at += size
		if in.Op == asm.VPSHUFD {
			folds = append(folds, at)
		}
		if to := at + int(in.Imm); in.Op == asm.JCC && to < at {
			back = append(back, jump{at, to})
		}
	}
	if len(back) < 2 {
		return false
	}
	rows := back[len(back)-2] // the last is that of the blocks
	for _, f := range folds {
		if f > rows.to && f < rows.from {
			return true
		}
	}
	return false
}

// TestRoundedOnce: what is rounded to bf16 and stored so is rounded once.
func TestRoundedOnce(t *testing.T) {
	const n = 4096
	b := loop.NewBuilder("round")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 2 * n, Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
		r := b.Op(loop.RoundBF16, loop.F32, b.Load(unit(x, v), 0))
		at := unit(y, v)
		at.Mem = loop.MemBF16
		b.Store(at, r, 0)
	})
	nest := b.Nest()
	in, want := aligned(4*n), aligned(2*n)
	quotients(loop.F32, 257, in)
	portable(t, nest, [][]byte{in, want}, 0, n)
	for name, target := range tiers() {
		got := aligned(2 * n)
		native(t, nest, target, [][]byte{in, got}, 0, n)
		if i := looptest.Diff(loop.MemBF16, got, want); i >= 0 {
			t.Errorf("%s: element %d differs", name, i)
		}
		shifts, code := 0, assemble(t, nest, target)
		for len(code) > 0 {
			in, size, err := asm.Decode(code)
			if err != nil {
				break // constants
			}
			if in.Op == asm.VPSLLDI {
				shifts++
			}
			code = code[size:]
		}
		if shifts > 0 {
			t.Errorf("%s: expected no way back to f32, got %d shifts", name, shifts)
		}
	}
}
