package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// pairsNest is y[i] = x[2i] - 2*x[2i+1], computed in f64 if so told; with between, another load stands between the two.
func pairsNest(extent int64, m loop.Mem, double, between bool) *loop.Nest {
	b := loop.NewBuilder("parts")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 2 * m.Bytes() * extent})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: m.Bytes() * extent, Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		at := func(offset, stride int64) loop.Access {
			return loop.Access{Buffer: x, Offset: offset, Terms: []loop.Term{{Var: i, Stride: stride}}, Mem: m}
		}
		re := b.Load(at(0, 2), 0)
		if between {
			re = b.Op(loop.Add, m.Kind(), re, b.Load(at(0, 1), 0))
		}
		im, k := b.Load(at(1, 2), 0), m.Kind()
		if double {
			re, im, k = b.Op(loop.Widen, loop.F64, re), b.Op(loop.Widen, loop.F64, im), loop.F64
		}
		v := b.Op(loop.FNMA, k, im, b.Float(k, 2), re)
		if double {
			v = b.Op(loop.Narrow, loop.F32, v)
		}
		to := at(0, 1)
		to.Buffer = y
		b.Store(to, v, 0)
	})
	return b.Nest()
}

// TestPairs reads the two parts of complex numbers, up to the end of the array.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for _, extent := range []int64{1, 2, 4, 7, 8, 15, 16, 31, 32, 64, 75, 133} {
		for k, n := range []*loop.Nest{pairsNest(extent, loop.MemF32, false, false),
			pairsNest(extent, loop.MemF32, true, false), pairsNest(extent, loop.MemF64, false, false),
			pairsNest(extent, loop.MemF32, false, true)} {
			for _, tier := range emulatedTiers {
				t.Run(fmt.Sprintf("%d/%d/%s", extent, k, tier.name), func(t *testing.T) {
					m := n.Accesses[0].Mem
					in := make([]byte, n.Buffers[0].Bytes)
					out, want := make([]byte, n.Buffers[1].Bytes), make([]byte, n.Buffers[1].Bytes)
					looptest.Fill(r, m, in)
					portable(t, n, [][]byte{in, want}, 0, extent)
					emulate(t, n, tier.target, [][]byte{in, out}, 0, extent)
					if d := looptest.Diff(m, out, want); d >= 0 {
						t.Errorf("[%d] differs", d)
					}
				})
			}
		}
	}
}

// farNest is y[i] = x[i*step] - 2*x[i*step+1], from the other end if step is negative.
func farNest(extent, step int64, m loop.Mem) *loop.Nest {
	b := loop.NewBuilder("far")
	size := max(step, -step)*(extent-1) + 2
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: m.Bytes() * size})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: m.Bytes() * extent, Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		at := func(offset int64) loop.Access {
			return loop.Access{Buffer: x, Offset: max(0, -step)*(extent-1) + offset,
				Terms: []loop.Term{{Var: i, Stride: step}}, Mem: m}
		}
		re, im := b.Load(at(0), 0), b.Load(at(1), 0)
		v := b.Op(loop.FNMA, m.Kind(), im, b.Float(m.Kind(), 2), re)
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: m}, v, 0)
	})
	_ = x
	return b.Nest()
}

// TestFarPairs reads the parts of complex numbers that are far apart, up to both ends of the array, without gathers.
func TestFarPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 9))
	for _, extent := range []int64{2, 4, 7, 8, 16, 31, 64, 75} {
		for _, step := range []int64{-2, 12, 34, -22} {
			for _, m := range []loop.Mem{loop.MemF32, loop.MemF64} {
				n := farNest(extent, step, m)
				for _, tier := range emulatedTiers {
					in := make([]byte, n.Buffers[0].Bytes)
					out, want := make([]byte, n.Buffers[1].Bytes), make([]byte, n.Buffers[1].Bytes)
					looptest.Fill(r, m, in)
					portable(t, n, [][]byte{in, want}, 0, extent)
					emulate(t, n, tier.target, [][]byte{in, out}, 0, extent)
					if d := looptest.Diff(m, out, want); d >= 0 {
						t.Errorf("%d, step %d, %v, %s: [%d] differs", extent, step, m, tier.name, d)
					}
					if extent == 64 && hasGather(assemble(t, n, tier.target)) {
						t.Errorf("step %d, %v, %s: expected no gathers", step, m, tier.name)
					}
				}
			}
		}
	}
}

// TestPairsOnce: the code reads fewer whole vectors than where the two loads are apart.
func TestPairsOnce(t *testing.T) {
	once := wholeLoads(t, pairsNest(64, loop.MemF32, false, false))
	twice := wholeLoads(t, pairsNest(64, loop.MemF32, false, true))
	if once >= twice {
		t.Errorf("expected less than %d loads, got %d", twice, once)
	}
}

// wholeLoads counts the instructions of the code of n on AVX-512 that read a vector.
func wholeLoads(t *testing.T, n *loop.Nest) (count int) {
	t.Helper()
	for in := range decoded(assemble(t, n, Target{AVX512: true})) {
		if in.Place == asm.InLoad && in.Op != asm.MOV {
			count++
		}
	}
	return count
}
