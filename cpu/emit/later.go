package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Rows whose places are computed, as those of a gather, are waited for at their beginning, which the hardware cannot
// know. So what computes a place is also done for a row some iterations later, and reading a row asks for that one.

const (
	// leastLater and mostLater are the least and the most bytes of such a row.
	leastLater, mostLater = 256, mostAhead
	// laterBytes is how far behind a row that is asked for is.
	laterBytes = 2 << 10
	// mostPlace is the most instructions of a place.
	mostPlace = 16
	// laterLines is of how many lines one is asked for: the hardware asks for the others.
	laterLines = 4
)

// laterRow is what is to be done for rows whose place is v.
type laterRow struct {
	v     loop.Value
	place loop.Block // the instructions of l that make it
	apart int64      // iterations
}

// laterIn finds the rows that lane loops in l read at places that it computes, those of the first such place.
func (g *gen) laterIn(l *loop.Loop) *laterRow {
	for _, n := range l.Body {
		if n.Loop == nil || !n.Loop.Lanes || n.Loop.When != nil {
			continue
		}
		for _, m := range n.Loop.Body {
			if m.Loop != nil || g.nest.Inst(m.Value).Op != loop.Load {
				continue
			}
			a := &g.nest.Accesses[g.nest.Inst(m.Value).Access]
			bytes := n.Loop.Extent * a.Mem.Bytes()
			if a.Index == 0 || stride(a, n.Loop.Var) != a.Mem.Bytes() || bytes < leastLater || bytes > mostLater ||
				g.nest.Buffers[a.Buffer].Bytes < leastAhead {
				continue
			}
			apart := max(1, laterBytes/bytes)
			if place := g.placeIn(l, a.Index); place != nil && apart < l.Extent {
				return &laterRow{a.Index, place, apart}
			}
		}
	}
	return nil
}

// placeIn returns the instructions of l's body that make v, if they need nothing else of it but what memory holds that
// the nest does not write, and are always run.
func (g *gen) placeIn(l *loop.Loop, v loop.Value) loop.Block {
	needed := map[loop.Value]bool{v: true}
	var place loop.Block
	for _, n := range slices.Backward(l.Body) {
		if n.Loop != nil {
			continue
		}
		if _, masked := g.under[n.Value]; masked || g.asides[n.Value] != nil {
			return nil
		}
		i := g.nest.Inst(n.Value)
		if !needed[n.Value] || i.Op == loop.Const {
			continue
		}
		operands := i.Operands()
		if i.Op == loop.Load {
			a := &g.nest.Accesses[i.Access]
			if g.nest.Buffers[a.Buffer].Write {
				return nil
			}
			if a.Index != 0 {
				operands = append(slices.Clip(operands), a.Index)
			}
		} else if !i.Op.Info().Pure {
			return nil
		}
		for _, o := range operands {
			needed[o] = true
		}
		delete(needed, n.Value)
		place = append(place, n)
	}
	for o := range needed {
		if g.nest.Inst(o).Op != loop.Const {
			return nil
		}
	}
	if len(place) == 0 || len(place) > mostPlace {
		return nil
	}
	slices.Reverse(place)
	return place
}

// computeLater makes, at the start of the body of o, the place of a later row: of this one, if there are none.
// hi is the end of the iterations, or 0 if it is that of the loop.
func (g *gen) computeLater(o *openLoop, hi reg) {
	if g.lanes != nil {
		return
	}
	row := g.laterIn(o.loop)
	if row == nil {
		return
	}
	next := g.c.copyOf(o.counter)
	g.c.gopi(asm.ADD, next, row.apart)
	if hi == 0 {
		g.c.gcmpi(asm.CMP, next, o.loop.Extent)
	} else {
		g.c.gcmp(next, hi)
	}
	later := newOpenLoop(o.loop, g.chosen(asm.L, next, o.counter))
	g.loops[len(g.loops)-1] = later
	g.startScaled(later)
	for _, n := range row.place {
		g.inst(n.Value)
	}
	g.loops[len(g.loops)-1] = o
	o.later = map[loop.Value]reg{row.v: g.index[row.v]}
}

// laterPointer makes the address of the later row of a, which the lane loop o reads from key on, if there is one.
func (g *gen) laterPointer(o *openLoop, a *loop.Access, key indexKey) {
	if len(g.loops) < 2 || g.nest.Buffers[a.Buffer].Bytes < leastAhead || stride(a, o.loop.Var) != a.Mem.Bytes() {
		return
	}
	at := g.loops[len(g.loops)-2].later[a.Index]
	if at == 0 {
		return
	}
	if o.rows == nil {
		o.rows = map[reg]reg{}
	}
	o.rows[o.indexed[key]] = g.c.gload(asm.LEA, asm.W64, mem{base: key.base, index: at, scale: uint8(key.bytes)})
}

// askLater asks for what a later row has at the place of a, which is at.
func (g *gen) askLater(a *loop.Access, at mem) {
	s := g.lanes
	if at.base == 0 || s.tail != nil || int64(g.copy*s.apart())*a.Mem.Bytes()%(laterLines*line) != 0 {
		return
	}
	if r := g.loops[len(g.loops)-1].rows[at.base]; r != 0 {
		at.base = r
		g.c.hint(s.askingRow(a), at)
	}
}
