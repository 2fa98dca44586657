package emit

import (
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// indexNest is y[i] = x[index(i)].
func indexNest(extent, size int64, index func(b *loop.Builder, i loop.Value) loop.Value) *loop.Nest {
	m := looptest.MemOf(loop.F32)
	b := loop.NewBuilder("index")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: size * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: extent * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(v int) {
		at := loop.Access{Buffer: x, Index: index(b, b.Index(loop.I32, v)), Mem: m}
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}, b.Load(at, 0), 0)
	})
	return b.Nest()
}

// divisions divides by 7 again and again.
func divisions(depth int) func(b *loop.Builder, i loop.Value) loop.Value {
	return func(b *loop.Builder, i loop.Value) loop.Value {
		for range depth {
			i = b.Op(loop.UDiv, loop.I32, i, b.Int(loop.I32, 7))
		}
		return i
	}
}

func quads(b *loop.Builder, i loop.Value) loop.Value {
	four := b.Int(loop.I32, 4)
	return b.Op(loop.Mul, loop.I32, b.Op(loop.UDiv, loop.I32, i, four), four)
}

// rounded is i / n * m.
func rounded(n, m int64) func(b *loop.Builder, i loop.Value) loop.Value {
	return func(b *loop.Builder, i loop.Value) loop.Value {
		return b.Op(loop.Mul, loop.I32, b.Op(loop.UDiv, loop.I32, i, b.Int(loop.I32, n)), b.Int(loop.I32, m))
	}
}

// rests is i modulo n, and some more.
func rests(n, more int64) func(b *loop.Builder, i loop.Value) loop.Value {
	return func(b *loop.Builder, i loop.Value) loop.Value {
		by := b.Int(loop.I32, n)
		i = b.Op(loop.Sub, loop.I32, i, b.Op(loop.Mul, loop.I32, b.Op(loop.UDiv, loop.I32, i, by), by))
		return b.Op(loop.Add, loop.I32, i, b.Int(loop.I32, more))
	}
}

// TestFew: elements that a row wants again and again are found in a vector.
func TestFew(t *testing.T) {
	const size = 1 << 16
	for _, c := range []struct {
		extent, n, more int64
		few             bool
	}{{672, 3, 0, true}, {2043, 7, 5, true}, {100, 16, size - 16, true}, {672, 17, 0, false}, {4096, 3, 0, false}} {
		nest := indexNest(c.extent, size, rests(c.n, c.more))
		in, want := aligned(size*4), aligned(int(c.extent)*4)
		quotients(loop.F32, 3, in)
		portable(t, nest, [][]byte{in, want}, 0, c.extent)
		for name, target := range tiers() {
			got := aligned(int(c.extent) * 4)
			native(t, nest, target, [][]byte{in, got}, 0, c.extent)
			if i := looptest.Diff(looptest.MemOf(loop.F32), got, want); i >= 0 {
				t.Errorf("%s: %d modulo %d: element %d differs", name, c.extent, c.n, i)
			}
			if few := c.few && (c.n <= 8 || target.AVX512); hasGather(assemble(t, nest, target)) == few {
				t.Errorf("%s: %d modulo %d: expected gathers: %t", name, c.extent, c.n, !few)
			}
		}
	}
}

// hasGather reports whether an instruction of code is a gather.
func hasGather(code []byte) bool {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		switch in.Op {
		case asm.VPGATHERDD, asm.VGATHERDPS, asm.VPGATHERDQ, asm.VGATHERDPD:
			return true
		}
		code = code[size:]
	}
	return false
}

// TestNear: which indices have near lanes, and that vectors are read by them as elements are. A division uses what it
// divides several times: an index behind many divisions is followed in as many steps as there are operations.
func TestNear(t *testing.T) {
	const size = 1 << 16
	for _, c := range []struct {
		name   string
		extent int64
		index  func(b *loop.Builder, i loop.Value) loop.Value
		last   int // -1 if not near
	}{
		{"quads", 4096, quads, 12},
		{"one division", 4096, divisions(1), 3},
		{"thirds", 96, rounded(3, 1), 5},
		{"halves", 96, rounded(2, 1), 7},
		{"pairs", 96, rounded(2, 2), 14},
		{"fifths", 4000, rounded(5, 1), 3},
		{"8 divisions", size, divisions(8), -1},
		{"8 divisions of few", 512, divisions(8), 0},
		{"24 divisions of few", 512, divisions(24), 0},
		{"40 divisions", size, divisions(40), -1},
	} {
		nest := indexNest(c.extent, size, c.index)
		if got := lastOf(nest); got != c.last {
			t.Errorf("%s: the last lane is %d from the first, expected %d", c.name, got, c.last)
		}
		in := aligned(size * 4)
		quotients(loop.F32, 3, in)
		want := aligned(int(c.extent) * 4)
		portable(t, nest, [][]byte{in, want}, 0, c.extent)
		for name, target := range tiers() {
			got := aligned(int(c.extent) * 4)
			native(t, nest, target, [][]byte{in, got}, 0, c.extent)
			if i := looptest.Diff(looptest.MemOf(loop.F32), got, want); i >= 0 {
				t.Errorf("%s, %s: element %d differs", name, c.name, i)
			}
		}
		for _, tier := range emulatedTiers {
			got := make([]byte, len(want))
			most := min(c.extent, 4096)
			emulate(t, nest, tier.target, [][]byte{in, got}, 0, most)
			if i := looptest.Diff(looptest.MemOf(loop.F32), got[:4*most], want[:4*most]); i >= 0 {
				t.Errorf("%s emulated, %s: element %d differs", tier.name, c.name, i)
			}
		}
	}
}

// lastOf is how far the lanes of the index of a nest of indexNest are apart, in vectors of 16; -1 if they are not near.
func lastOf(n *loop.Nest) int {
	if near := nearIn(n); near != nil {
		return near.last
	}
	return -1
}

// nearIn is how the lanes of the index of a nest of indexNest lie.
func nearIn(n *loop.Nest) *near {
	return nearOn(n, Target{AVX512: true}, &laneState{loop: n.Outermost(), lanes: 16})
}

// nearOn is that on a target, in the given lanes.
func nearOn(n *loop.Nest, target Target, lanes *laneState) *near {
	g := &gen{nest: n, c: &code{target: target}, inLanes: make([]bool, len(n.Insts)), lanes: lanes}
	for v := range g.inLanes {
		g.inLanes[v] = true
	}
	for _, a := range n.Accesses {
		if a.Index != 0 {
			return g.nearOf(a.Index)
		}
	}
	return nil
}

// familyNest is y[i] = x[index(i)] + x[index(i)+1] + .. of so many elements.
func familyNest(extent, size, elements int64, index func(b *loop.Builder, i loop.Value) loop.Value) *loop.Nest {
	m := looptest.MemOf(loop.F32)
	b := loop.NewBuilder("family")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: size * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: extent * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(v int) {
		at, sum := index(b, b.Index(loop.I32, v)), loop.Value(0)
		for k := range elements {
			e := b.Load(loop.Access{Buffer: x, Index: at, Offset: k, Mem: m}, 0)
			if sum != 0 {
				e = b.Op(loop.Sub, loop.F32, e, sum)
			}
			sum = e
		}
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}, sum, 0)
	})
	return b.Nest()
}

// TestNearWhole: loads of all elements of groups read whole vectors, which end where the array does.
func TestNearWhole(t *testing.T) {
	for _, c := range []struct {
		name                   string
		extent, size, elements int64
		index                  func(b *loop.Builder, i loop.Value) loop.Value
		avx2, avx512           int // shuffles within 128 bits, by an immediate
	}{
		{"quads", 256, 256, 4, rounded(4, 4), 4, 4},
		{"pairs", 256, 256, 2, rounded(2, 2), 2, 2},
		{"three of quads", 256, 256, 3, rounded(4, 4), 0, 0},
		{"eights", 256, 256, 8, rounded(8, 8), 0, 0}, // across 128 bits
		{"halves", 256, 128, 1, rounded(2, 1), 0, 0},
		{"pairs of thirds", 96, 33, 2, rounded(3, 1), 0, 0},
	} {
		nest := familyNest(c.extent, c.size, c.elements, c.index)
		in, want := guard.After(t, int(c.size)*4), aligned(int(c.extent)*4)
		quotients(loop.F32, 3, in)
		portable(t, nest, [][]byte{in, want}, 0, c.extent)
		for name, target := range tiers() {
			got := aligned(int(c.extent) * 4)
			native(t, nest, target, [][]byte{in, got}, 0, c.extent)
			if i := looptest.Diff(looptest.MemOf(loop.F32), got, want); i >= 0 {
				t.Errorf("%s: %s: element %d differs", name, c.name, i)
			}
			shuffles := c.avx2
			if target.AVX512 {
				shuffles = c.avx512
			}
			if n := count(assemble(t, nest, target), asm.VPERMILPSI); (n > 0) != (shuffles > 0) || n%max(shuffles, 1) != 0 {
				t.Errorf("%s: %s: %d shuffles within 128 bits, expected a multiple of %d", name, c.name, n, shuffles)
			}
		}
	}
}

// count is how many instructions of code are o.
func count(code []byte, o asm.Op) (n int) {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.Op == o {
			n++
		}
		code = code[size:]
	}
	return n
}

// TestNearTable: where vectors differ in how their lanes lie, and are few, a table has that, which TestNear reads.
func TestNearTable(t *testing.T) {
	for _, c := range []struct {
		extent, by int64
		table      bool
	}{{96, 3, true}, {480, 5, true}, {4000, 5, false}, {96, 2, false}} {
		n := nearIn(indexNest(c.extent, 1<<16, rounded(c.by, 1)))
		if n == nil || (n.table != nil) != c.table {
			t.Errorf("%d by %d: expected a table: %t, got %+v", c.extent, c.by, c.table, n)
		}
	}
}
