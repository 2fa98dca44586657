package looptest

import (
	"fmt"

	"github.com/goxla/xla/cpu/loop"
)

// load reads elements of type m from a buffer that is just large enough.
func (g *random) load(m loop.Mem) loop.Value {
	a, lo, hi := g.place(m)
	if g.r.IntN(4) == 0 {
		a.Index, hi = g.dynamic(hi)
	}
	mask := loop.Value(0)
	if g.r.IntN(5) == 0 {
		if list := g.top().values[loop.Mask]; len(list) > 0 {
			mask = list[g.r.IntN(len(list))]
		}
	}
	a.Offset = -lo + int64(g.r.IntN(3))
	a.Buffer = g.b.Buffer(loop.Buffer{Name: fmt.Sprint("b", len(g.c.Mems)), Bytes: (hi + a.Offset + 1) * m.Bytes()})
	g.c.Mems = append(g.c.Mems, m)
	return g.b.Load(a, mask)
}

// strides of loads: the same element, one behind the other, gaps, backwards.
var strides = []int64{0, 0, 1, 1, 1, 2, 3, -1, -2, 17}

// place makes an address that is affine in the open loops, and its range.
func (g *random) place(m loop.Mem) (a loop.Access, lo, hi int64) {
	a.Mem = m
	for _, s := range g.scopes {
		stride := strides[g.r.IntN(len(strides))]
		if s.extent == 0 || stride == 0 {
			continue
		}
		a.Terms = append(a.Terms, loop.Term{Var: s.v, Stride: stride})
		lo, hi = lo+min(0, stride*(s.extent-1)), hi+max(0, stride*(s.extent-1))
	}
	return a, lo, hi
}

// dynamic is an index value and the range of addresses with it.
func (g *random) dynamic(hi int64) (loop.Value, int64) {
	k := loop.I32
	if g.r.IntN(3) == 0 {
		k = loop.I64
	}
	n := int64(1 + g.r.IntN(40))
	return g.b.Op(loop.URem, k, g.value(k), g.b.Int(k, n)), hi + n - 1
}

// store writes a value to a buffer of its own, at a different place in every iteration. Sometimes a loop that is not
// a lane loop writes the same place again, and sometimes the elements are turned around or far apart.
func (g *random) store() { g.storeValue(g.value(Kinds[g.r.IntN(len(Kinds))])) }

// storeValue is store of v.
func (g *random) storeValue(v loop.Value) {
	mems := storeMems[g.b.Kind(v)]
	a := loop.Access{Mem: mems[g.r.IntN(len(mems))]}
	mask := loop.Value(0)
	if g.r.IntN(4) == 0 {
		mask = g.value(loop.Mask)
	}
	size := int64(1)
	if g.r.IntN(4) == 0 {
		size = int64(1 + g.r.IntN(3))
	}
	for n := len(g.scopes) - 1; n >= 0; n-- {
		s := g.scopes[n]
		if s.extent == 0 || !s.lanes && !g.parallelNear(n) && g.r.IntN(6) == 0 {
			continue
		}
		stride := size
		size *= s.extent
		if g.r.IntN(6) == 0 {
			a.Offset += stride * (s.extent - 1)
			stride = -stride
		}
		a.Terms = append([]loop.Term{{Var: s.v, Stride: stride}}, a.Terms...)
	}
	a.Buffer = g.b.Buffer(loop.Buffer{Name: fmt.Sprint("b", len(g.c.Mems)), Bytes: size * a.Mem.Bytes(), Write: true})
	g.c.Mems = append(g.c.Mems, a.Mem)
	g.b.Store(a, v, mask)
}

// parallelNear reports whether scope n may be a parallel loop, whose iterations must not write the same place.
func (g *random) parallelNear(n int) bool { return n <= 3 && g.parallel }

// storeMems are the memory types that a kind may be stored as.
var storeMems = map[loop.Kind][]loop.Mem{
	loop.Mask: {loop.MemPred},
	loop.I32:  {loop.MemI32, loop.MemS8, loop.MemU8, loop.MemS16, loop.MemU16},
	loop.I64:  {loop.MemI64},
	loop.F32:  {loop.MemF32, loop.MemF16, loop.MemBF16},
	loop.F64:  {loop.MemF64},
}
