package emit

import (
	"bytes"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// slicedSums is a nest that sums pieces of rows of x, which are apart elements from one to the next. With twice, the
// sums of the squares follow; with copy, rows are written too.
type slicedSums struct {
	rows, width, apart int64
	twice, copy        bool
}

func (c slicedSums) nest() *loop.Nest {
	b := loop.NewBuilder("far")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * c.rows * c.apart})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * c.rows * c.width, Write: true})
	b.Each(loop.Spec{Extent: c.rows, Parallel: true}, func(r int) {
		at := func(buffer, k int, apart int64) loop.Access {
			return loop.Access{Buffer: buffer, Mem: loop.MemF32,
				Terms: []loop.Term{{Var: r, Stride: apart}, {Var: k, Stride: 1}}}
		}
		sum := func(of func(v loop.Value) loop.Value) loop.Value {
			zero := []loop.Reduction{{Init: b.Float(loop.F32, 0), Reduce: loop.Add}}
			return b.For(loop.Spec{Extent: c.width, Lanes: true}, zero, func(k int, phis []loop.Value) []loop.Value {
				v := b.Load(at(x, k, c.apart), 0)
				if c.copy {
					b.Store(at(y, k, c.width), v, 0)
				}
				return []loop.Value{b.Op(loop.Add, loop.F32, phis[0], of(v))}
			})[0]
		}
		s := sum(func(v loop.Value) loop.Value { return v })
		if c.twice {
			s = sum(func(v loop.Value) loop.Value { return b.Op(loop.Mul, loop.F32, b.Op(loop.Sub, loop.F32, v, s), v) })
		}
		b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: r, Stride: c.width}}}, s, 0)
	})
	return b.Nest()
}

// TestFar: loops that only read what comes from memory ask for lines of it into the second cache, those behind a row or
// those of the next one; of what is in the last cache, rows are asked for that are read again.
func TestFar(t *testing.T) {
	const from = 4 << 20
	for _, test := range []struct {
		what string
		nest slicedSums
		far  []int64 // how far behind lines are that are asked for
		near bool    // rows are asked for where AskFrom is 0
	}{
		{"rows", slicedSums{rows: 2048, width: 1024, apart: 1024}, []int64{farAlong}, false},
		{"rows twice", slicedSums{rows: 2048, width: 1024, apart: 1024, twice: true}, []int64{farAlong, farAlong}, true},
		{"pieces of rows", slicedSums{rows: 2048, width: 1024, apart: 1100}, []int64{4400}, false},
		{"short pieces of rows", slicedSums{rows: 8192, width: 128, apart: 250}, []int64{4000}, false},
		{"long pieces of rows", slicedSums{rows: 40, width: 100000, apart: 100001}, []int64{farAlong}, false},
		{"copies", slicedSums{rows: 2048, width: 1024, apart: 1024, copy: true}, nil, false},
		{"few rows", slicedSums{rows: 500, width: 1024, apart: 1024}, nil, false},
		{"few rows twice", slicedSums{rows: 500, width: 1024, apart: 1024, twice: true}, nil, true},
	} {
		for _, e := range emulatedTiers {
			n := test.nest.nest()
			if code := assemble(t, n, e.target); count(code, asm.PREFETCHT0)+count(code, asm.PREFETCHT1) > 0 != test.near {
				t.Errorf("%s: %s: asked for with no need, or not at all", e.name, test.what)
			}
			target := e.target
			target.AskFrom = from
			g := newGen(new(Compiler), new(asm.Assembler), n, target)
			g.findFar()
			var far []int64
			for k := range n.Accesses {
				if apart := g.far[&n.Accesses[k]]; apart != 0 {
					far = append(far, apart)
				}
			}
			code := assemble(t, n, target)
			asks := count(code, asm.PREFETCHT0)+count(code, asm.PREFETCHT1) > 0
			if !slices.Equal(far, test.far) || asks != (len(far) > 0 || test.near && test.nest.rows < 1024) {
				t.Errorf("%s: %s: expected lines %d bytes behind, got %d, asked for: %v", e.name, test.what, test.far, far, asks)
			}
		}
	}
}

// TestFarBeside: a loop that moves what an array has past the caches asks for its lines, and for pages of what it
// writes; not where what is written goes to the caches. One that computes much asks for what it writes alone.
func TestFarBeside(t *testing.T) {
	for _, c := range []struct {
		columns, apart, far int64
		work                int
		stream              bool
	}{{1024, 1024, farAlong, 1, true}, {1024, 1024, 0, 1, false}, {128, 250, 4000, 1, true},
		{1003, 1003, farAlong, 1, true}, {1024, 1024, 0, 10, true}} {
		for _, e := range emulatedTiers[:2] {
			b := loop.NewBuilder("beside")
			x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * 4096 * c.apart})
			y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * 4096 * c.columns, Write: true, Stream: c.stream})
			b.Each(loop.Spec{Extent: 4096, Parallel: true}, func(i int) {
				b.Each(loop.Spec{Extent: c.columns, Lanes: true, Parallel: true}, func(j int) {
					at := []loop.Term{{Var: i, Stride: c.apart}, {Var: j, Stride: 1}}
					v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: loop.MemF32}, 0)
					at = []loop.Term{{Var: i, Stride: c.columns}, {Var: j, Stride: 1}}
					for range c.work {
						v = b.Op(loop.Sqrt, loop.F32, v)
					}
					b.Store(loop.Access{Buffer: y, Terms: at, Mem: loop.MemF32}, v, 0)
				})
			})
			n, target := b.Nest(), e.target
			target.AskFrom = 1 << 20
			g := newGen(new(Compiler), new(asm.Assembler), n, target)
			g.findFar()
			code := assemble(t, n, target)
			reads, writes := count(code, asm.PREFETCHT1), count(code, asm.PREFETCHW)
			if got := g.far[&n.Accesses[0]]; got != c.far || reads > 0 != (c.far > 0) ||
				writes > 0 != (count(code, asm.VMOVNTPS) > 0) {
				t.Errorf("%s: %+v: got lines %d bytes behind, asked for %d and %d times", e.name, c, got, reads, writes)
			}
		}
	}
}

// TestFarSmall: what the caches might hold is asked for where it is said to come from memory, but not beside what is
// written, nor where a loop computes much of it.
func TestFarSmall(t *testing.T) {
	for _, c := range []struct {
		name        string
		far, stream bool
		work        int
		asks        bool
	}{
		{"sums", true, false, 1, true}, {"sums of what is near", false, false, 1, false},
		{"sums of what is computed", true, false, 12, false}, {"copies", true, true, 1, false},
	} {
		for _, e := range emulatedTiers[:2] {
			b := loop.NewBuilder("small")
			x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * 64 * 1024, Far: c.far})
			y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * 64 * 1024, Write: true, Stream: c.stream, Scratch: !c.stream})
			b.Each(loop.Spec{Extent: 64, Parallel: true}, func(i int) {
				b.Each(loop.Spec{Extent: 1024, Lanes: true, Parallel: true}, func(j int) {
					at := []loop.Term{{Var: i, Stride: 1024}, {Var: j, Stride: 1}}
					v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: loop.MemF32}, 0)
					for range c.work {
						v = b.Op(loop.Sqrt, loop.F32, v)
					}
					b.Store(loop.Access{Buffer: y, Terms: at, Mem: loop.MemF32}, v, 0)
				})
			})
			target := e.target
			target.AskFrom = 1 << 20
			if asks := count(assemble(t, b.Nest(), target), asm.PREFETCHT1) > 0; asks != c.asks {
				t.Errorf("%s: %s: asked for: %v", e.name, c.name, asks)
			}
		}
	}
}

// TestAheadFrom: the next row of what is gone over twice is asked for where an array has so many bytes.
func TestAheadFrom(t *testing.T) {
	n := slicedSums{rows: 30, width: 1024, apart: 1024, twice: true}.nest()
	for _, e := range emulatedTiers {
		for from, asks := range map[int64]bool{0: false, 32 << 10: true, 1 << 18: false} {
			target := e.target
			target.AheadFrom = from
			if got := count(assemble(t, n, target), asm.PREFETCHT0) > 0; got != asks {
				t.Errorf("%s: from %d bytes on: asked for: %v", e.name, from, got)
			}
		}
	}
}

// TestFarRuns compares what such code does with the code that does not ask.
func TestFarRuns(t *testing.T) {
	for _, c := range []slicedSums{
		{rows: 67, width: 1003, apart: 1003}, {rows: 67, width: 1003, apart: 1003, twice: true},
		{rows: 131, width: 250, apart: 501}, {rows: 3, width: 40001, apart: 40002},
	} {
		x := make([]float32, c.rows*c.apart)
		for k := range x {
			x[k] = float32(k % 8191)
		}
		n := c.nest()
		for name, target := range tiers() {
			bufs := [2][]byte{aligned(int(4 * c.rows * c.width)), aligned(int(4 * c.rows * c.width))}
			native(t, n, target, [][]byte{bytesOf(x), bufs[0]}, 0, c.rows)
			target.AskFrom = 1
			for _, part := range [][2]int64{{0, 1}, {1, c.rows / 2}, {c.rows / 2, c.rows}} {
				native(t, n, target, [][]byte{bytesOf(x), bufs[1]}, part[0], part[1])
			}
			if !bytes.Equal(bufs[0], bufs[1]) {
				t.Errorf("%s: %+v: results differ", name, c)
			}
		}
	}
}
