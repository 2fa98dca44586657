package emit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// streaming makes all stores of n go past the caches, where they can.
func streaming(n *loop.Nest) {
	for k := range n.Buffers {
		n.Buffers[k].Stream = n.Buffers[k].Write
	}
}

// TestStreamsRandom is TestRandomEmulated with stores past the caches: the emulator checks that they are aligned.
func TestStreamsRandom(t *testing.T) {
	for seed := range uint64(emulatedCases) {
		c := looptest.Random(seed)
		streaming(c.Nest)
		for _, tier := range emulatedTiers {
			t.Run(fmt.Sprintf("%d/%s", seed, tier.name), func(t *testing.T) {
				got, want := randomData(c, seed)
				portable(t, c.Nest, want, 0, c.Extent)
				emulate(t, c.Nest, tier.target, got, 0, c.Extent)
				compare(t, c, got, want)
			})
		}
	}
}

// rowsNest is y[i, j] = x[i, j] + x[i, j] of rows of some elements.
func rowsNest(m loop.Mem, rows, columns int64) *loop.Nest {
	b := loop.NewBuilder("rows")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * columns * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * columns * m.Bytes(), Write: true, Stream: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: columns, Lanes: true, Parallel: true}, func(j int) {
			at := []loop.Term{{Var: i, Stride: columns}, {Var: j, Stride: 1}}
			v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: m}, 0)
			b.Store(loop.Access{Buffer: y, Terms: at, Mem: m}, b.Op(loop.Add, m.Kind(), v, v), 0)
		})
	})
	return b.Nest()
}

// TestStreams stores rows whose lengths leave vectors aligned, or end with a part of one, and counts the stores past
// the caches: in vectors of all sizes, and a fence behind them.
func TestStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		mem          loop.Mem
		columns      int64
		avx2, avx512 string
	}{
		{mem: loop.MemF32, columns: 192, avx2: "ymm", avx512: "zmm"},
		{mem: loop.MemF64, columns: 96, avx2: "ymm", avx512: "zmm"},
		{mem: loop.MemF32, columns: 200, avx2: "ymm", avx512: ""},
		{mem: loop.MemI32, columns: 204, avx2: "", avx512: ""},
		{mem: loop.MemI32, columns: 1001, avx2: "", avx512: "zmm"},
		{mem: loop.MemF64, columns: 503, avx2: "", avx512: "zmm"},
		{mem: loop.MemF32, columns: 4099, avx2: "ymm", avx512: "zmm"}, // long: few of its lines are written twice
		{mem: loop.MemBF16, columns: 192, avx2: "ymm", avx512: "zmm"},
		{mem: loop.MemF16, columns: 192, avx2: "xmm", avx512: "ymm"},
		{mem: loop.MemU8, columns: 192, avx2: "ymm", avx512: "zmm"},
		{mem: loop.MemU8, columns: 200, avx2: "", avx512: ""},
		{mem: loop.MemF32, columns: 199, avx2: "", avx512: ""},
		{mem: loop.MemF32, columns: 107, avx2: "", avx512: ""},
	} {
		for _, tier := range emulatedTiers[:2] {
			n := rowsNest(c.mem, 3, c.columns)
			want := c.avx2
			if tier.target.AVX512 {
				want = c.avx512
			}
			if got := streamed(t, n, tier.target); got != want {
				t.Errorf("%s: %v, %d columns: expected streams of %q, got %q", tier.name, c.mem, c.columns, want, got)
			}
			size := n.Buffers[0].Bytes
			in, out, same := make([]byte, size), make([]byte, size), make([]byte, size)
			looptest.Fill(r, c.mem, in)
			portable(t, n, [][]byte{in, same}, 0, 3)
			emulate(t, n, tier.target, [][]byte{in, out}, 0, 3)
			if d := looptest.Diff(c.mem, out, same); d >= 0 {
				t.Errorf("%s: %v, %d columns: [%d] differs", tier.name, c.mem, c.columns, d)
			}
		}
	}
}

// TestStreamsOfColumns: stores in a loop inside of the lane loop fill whole lines, or do not go past the caches.
func TestStreamsOfColumns(t *testing.T) {
	for _, c := range []struct {
		columns      int64
		avx2, avx512 string
	}{{8, "", ""}, {16, "ymm", "zmm"}, {64, "ymm", "zmm"}} {
		b := loop.NewBuilder("columns")
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: 64 * c.columns * 4})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: 64 * c.columns * 4, Write: true, Stream: true})
		b.Each(loop.Spec{Extent: c.columns, Lanes: true, Parallel: true}, func(j int) {
			b.Each(loop.Spec{Extent: 64}, func(i int) {
				at := []loop.Term{{Var: i, Stride: c.columns}, {Var: j, Stride: 1}}
				v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: loop.MemF32}, 0)
				b.Store(loop.Access{Buffer: y, Terms: at, Mem: loop.MemF32}, b.Op(loop.Add, loop.F32, v, v), 0)
			})
		})
		checkStreams(t, fmt.Sprintf("%d columns", c.columns), b.Nest(), c.avx2, c.avx512)
	}
}

// checkStreams compares the registers that n stores past the caches with those wanted on each tier.
func checkStreams(t *testing.T, name string, n *loop.Nest, avx2, avx512 string) {
	t.Helper()
	for _, tier := range emulatedTiers[:2] {
		want := avx2
		if tier.target.AVX512 {
			want = avx512
		}
		if got := streamed(t, n, tier.target); got != want {
			t.Errorf("%s: %s: expected streams of %q, got %q", tier.name, name, want, got)
		}
	}
}

// TestStreamsOfHalves: a loop that writes to many lines by turns writes whole ones, two vectors of each side by side,
// or not past the caches: where these have too many values at once, or one of them would be left.
func TestStreamsOfHalves(t *testing.T) {
	for _, c := range []struct {
		lines, columns int64
		sums           bool // that are made before the first of them is written
		avx2, avx512   string
	}{
		{1, 256, false, "ymm", "zmm"}, {2, 256, false, "ymm", "zmm"}, {8, 256, false, "ymm", "zmm"},
		{8, 264, false, "", ""}, {5, 32, true, "ymm", "zmm"}, {8, 32, true, "", "zmm"},
	} {
		b := loop.NewBuilder("halves")
		bytes := 16 * c.lines * c.columns * 4
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: bytes})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: bytes, Write: true, Stream: true})
		b.Each(loop.Spec{Extent: 16, Parallel: true}, func(i int) {
			b.Each(loop.Spec{Extent: c.columns, Lanes: true, Parallel: true}, func(j int) {
				at := func(buffer int, k int64) loop.Access {
					return loop.Access{Buffer: buffer, Mem: loop.MemF32, Offset: k * c.columns,
						Terms: []loop.Term{{Var: i, Stride: c.lines * c.columns}, {Var: j, Stride: 1}}}
				}
				last, values := b.Load(at(x, c.lines-1), 0), make([]loop.Value, c.lines)
				for k := range values {
					v := b.Load(at(x, int64(k)), 0)
					if values[k] = b.Op(loop.Add, loop.F32, v, v); c.sums {
						values[k] = b.Op(loop.Mul, loop.F32, v, last)
					}
					if !c.sums {
						b.Store(at(y, int64(k)), values[k], 0)
					}
				}
				for k := 0; c.sums && k < len(values); k++ {
					b.Store(at(y, int64(k)), b.Op(loop.Add, loop.F32, values[k], values[len(values)-1-k]), 0)
				}
			})
		})
		name := fmt.Sprintf("%d lines of %d columns, sums %v", c.lines, c.columns, c.sums)
		checkStreams(t, name, b.Nest(), c.avx2, c.avx512)
		r, n := rand.New(rand.NewPCG(5, 6)), b.Nest()
		for _, tier := range emulatedTiers[:2] {
			in, out, same := make([]byte, bytes), make([]byte, bytes), make([]byte, bytes)
			looptest.Fill(r, loop.MemF32, in)
			portable(t, n, [][]byte{in, same}, 0, 16)
			emulate(t, n, tier.target, [][]byte{in, out}, 0, 16)
			if d := looptest.Diff(loop.MemF32, out, same); d >= 0 {
				t.Errorf("%s: %s: [%d] differs", tier.name, name, d)
			}
		}
	}
}

// TestStreamsOfSquares: turned squares write as many lines by turns as they have rows, of which few are collected where
// the arrays fit the caches.
func TestStreamsOfSquares(t *testing.T) {
	for _, c := range []struct {
		mem          loop.Mem
		rows         int64
		cached, avx2 string
	}{
		{loop.MemF32, 64, "", "ymm"}, {loop.MemF64, 64, "ymm", "ymm"}, {loop.MemBF16, 64, "", "ymm"},
		{loop.MemF32, 4, "ymm", "ymm"}, // fewer rows than lanes
	} {
		n := squaresNest(c.mem, 64, c.rows)
		streaming(n)
		name := fmt.Sprintf("%v, %d rows", c.mem, c.rows)
		checkStreams(t, name, n, c.avx2, "zmm")
		if got := streamed(t, n, Target{Cache: 1 << 30}); got != c.cached {
			t.Errorf("%s, in the caches: expected streams of %q, got %q", name, c.cached, got)
		}
	}
}

// streamed is what registers the code of n stores past the caches, or "".
func streamed(t *testing.T, n *loop.Nest, target Target) string {
	t.Helper()
	code, found, fenced := assemble(t, n, target), "", false
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		code = code[size:]
		if text := in.String(); in.Op == asm.VMOVNTPS {
			found = text[strings.LastIndex(text, ", ")+2:][:3]
		}
		fenced = fenced || in.Op == asm.SFENCE
	}
	if fenced != (found != "") {
		t.Errorf("stores past the caches: %q, a fence behind them: %t", found, fenced)
	}
	return found
}
