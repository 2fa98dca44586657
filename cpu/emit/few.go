package emit

import (
	"encoding/binary"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A row may want the same few elements again and again, such as the means of three colors. All of them are within a
// vector: that is loaded, and a table has, for the iterations of the loop, which of its elements they want.

// mostFew is the most iterations that have such a table.
const mostFew = 2048

// few is an access that finds all of its elements in one vector.
type few struct {
	at    loop.Access // the first of them
	n     int         // how many there are
	table asm.Label
}

// fewOf returns how the elements that the lane loop reads by a lie, nil if they do not fit a vector.
func (g *gen) fewOf(a *loop.Access) *few {
	l, lanes := g.lanes.loop, g.lanes.lanes
	places := g.placesOf(a)
	if l.Extent > mostFew || places == 0 {
		return nil
	}
	at := g.offsetsOf(a)
	if at == nil {
		return nil
	}
	first, last := slices.Min(at), slices.Max(at)
	if last-first >= int64(lanes) {
		return nil
	}
	f := &few{at: g.fixedOf(a), n: int(last-first) + 1}
	f.at.Offset += first
	var table []byte
	for _, x := range at {
		for k := range places {
			table = binary.LittleEndian.AppendUint32(table, uint32((x-first)*places+k))
		}
	}
	behind := make([]byte, wordBytes*int(places)*maxCopies*lanes)
	f.table = g.c.asm.Data(append(table, behind...)).Label // behind the end anything may stand
	return f
}

// offsetsOf returns, by iteration of the lane loop, how far the element that it reads by a is from where fixedOf has
// it; nil if that is not known.
func (g *gen) offsetsOf(a *loop.Access) []int64 {
	l := g.lanes.loop
	index := indexOf{nest: g.nest, loop: l.Var, most: int(mostSteps / l.Extent), numbers: map[loop.Value]int{}}
	if _, ok := index.follow(a.Index); !ok {
		return nil
	}
	step, at := g.laneStride(a), make([]int64, l.Extent)
	for i := range at {
		x, ok := index.compute(int64(i))
		if !ok {
			return nil
		}
		at[i] = x + step*int64(i)
	}
	return at
}

// fixedOf is a without what differs between iterations of the lane loop.
func (g *gen) fixedOf(a *loop.Access) loop.Access {
	at := *a
	at.Index = 0
	at.Terms = slices.DeleteFunc(slices.Clone(a.Terms), func(t loop.Term) bool { return t.Var == g.lanes.loop.Var })
	return at
}

// loadFew is a load of elements that are few; 0 if it takes another way.
func (g *gen) loadFew(a *loop.Access) reg {
	s := g.lanes
	if s.across != nil || s.moves || s.clear != nil { // where masks are off there may be no elements
		return 0
	}
	f, known := g.fews[a]
	if !known {
		f = g.fewOf(a)
		if g.fews == nil {
			g.fews = map[*loop.Access]*few{}
		}
		g.fews[a] = f
	}
	if f == nil {
		return 0
	}
	on := reg(0)
	if f.n < s.lanes {
		on = g.t.tailOf(s.lanes, f.n, 0).mask
	}
	elements := g.t.loadUnit(a.Mem, g.address(&f.at), on)
	base, size := g.c.gload(asm.LEA, asm.W64, mem{label: f.table}), g.size(a.Mem.Kind())
	scale := wordBytes * g.placesOf(a)
	places := mem{base: base, index: g.open(s.loop.Var).counter, scale: uint8(scale),
		disp: scale * int64(g.copy*s.lanes)}
	if a.Mem.Bytes() == 8 && scale == wordBytes {
		return g.c.v(asm.VPERMQ, size, g.c.vm(asm.VPMOVZXDQ, size, places), elements)
	}
	return g.c.v(asm.VPERMD, size, g.c.vm(asm.VMOVUPS, size, places), elements)
}
