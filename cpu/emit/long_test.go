package emit

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// longs are n integers of all sizes: vectors of few digits, vectors of many, and both in one; next to what F64 holds
// exactly, and to what lies in the middle of two numbers of F32.
func longs(n int) []byte {
	r := rand.New(rand.NewPCG(8, 64))
	edges := []int64{0, 1, -1, 1 << 51, -1 << 51, 1<<51 - 1, -1<<51 - 1, 1<<52 - 1, 1 << 52, 1<<53 + 1, -1<<53 - 1,
		math.MaxInt64, math.MinInt64, 1<<24 + 1, 1<<25 + 2, 1<<62 + 1<<38, 1<<62 + 1<<38 + 1, 1<<62 + 1<<38 - 1,
		-1<<62 - 1<<38 - 1, -1<<62 - 1<<38, -1<<62 - 1<<38 + 1, 3<<61 + 1<<38 + 1}
	x := aligned(8 * n)
	for k := range n {
		v := int64(r.Uint64()) >> r.IntN(64)
		switch {
		case k%64 < 32:
			v >>= 13
		case r.IntN(3) == 0:
			v = edges[r.IntN(len(edges))] + int64(r.IntN(3)-1)
		}
		binary.LittleEndian.PutUint64(x[8*k:], uint64(v))
	}
	return x
}

// longNest makes n 64-bit integers F32 by o; seldom: only where they are above 0, and as little else is done.
func longNest(o loop.Op, n int64, seldom bool) *loop.Nest {
	b := loop.NewBuilder("longs")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 8 * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		each := []loop.Term{{Var: i, Stride: 1}}
		v := b.Load(loop.Access{Buffer: x, Terms: each, Mem: loop.MemI64}, 0)
		r := b.Op(o, loop.F32, v)
		if seldom {
			for range fewestAside {
				r = b.Op(loop.Sqrt, loop.F32, b.Op(loop.Abs, loop.F32, r))
			}
			low := b.Cmp(loop.LE, v, b.Int(loop.I64, 0))
			r = b.OpImm(loop.Select, loop.F32, loop.Seldom, low, b.Float(loop.F32, 1), r)
		}
		b.Store(loop.Access{Buffer: y, Terms: each, Mem: loop.MemF32}, r, 0)
	})
	return b.Nest()
}

// TestLongsToF32: 64-bit integers are rounded to F32 once, whichever are beside them in a vector.
func TestLongsToF32(t *testing.T) {
	const n = 4099
	x := longs(n)
	for _, o := range []loop.Op{loop.SToF, loop.UToF} {
		for _, seldom := range []bool{false, true} {
			nest, want := longNest(o, n, seldom), aligned(4*n)
			portable(t, nest, [][]byte{x, want}, 0, n)
			compare := func(name string, target Target, run runner) {
				got := aligned(len(want))
				run(t, nest, target, [][]byte{x, got}, 0, n)
				if d := looptest.Diff(loop.MemF32, got, want); d >= 0 {
					t.Errorf("%s: %v of %s: expected %s, got %s", name, o, element(loop.MemI64, x, d),
						element(loop.MemF32, want, d), element(loop.MemF32, got, d))
				}
			}
			for name, target := range tiers() {
				compare(name, target, native)
			}
			for _, tier := range emulatedTiers[:2] {
				compare("emulated "+tier.name, tier.target, emulate)
			}
		}
		if !hasOp(assemble(t, longNest(o, n, false), Target{}), asm.VPTEST) {
			t.Errorf("%v: on AVX2 few digits and many are converted alike", o)
		}
	}
}

// hasOp reports whether code has an instruction op.
func hasOp(code []byte, op asm.Op) bool {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.Op == op {
			return true
		}
		code = code[size:]
	}
	return false
}
