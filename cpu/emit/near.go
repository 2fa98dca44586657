package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Neighbouring lanes of an index such as i/4*4 are near in memory: i being the number of an iteration, a vector of them
// is within a vector. That is read at once, from where the first lane is, and its elements go to the lanes that want
// them. The features of a group, in a convolution of few a group, are read so.

// mostStarts is the most vectors of a lane loop that an index is followed through.
const mostStarts = 4096

// near is an index whose lanes are near each other.
type near struct {
	// last is the distance from the first lane to the last, which is the farthest.
	last int
	// same: the distances at are those of all vectors.
	same bool
	at   []uint64
	// Of the copies: the index of the first lane in a general register, the distances of all, the mask of what is read.
	base, apart [maxCopies]reg
	mask        reg
}

// nearOf returns how the lanes of v lie, nil if they may be far apart.
func (g *gen) nearOf(v loop.Value) *near {
	l, lanes := g.lanes.loop, int64(g.lanes.lanes)
	if l.Extent > mostStarts*lanes || l.Extent < lanes {
		return nil
	}
	var n *near
	for start := int64(0); start+lanes <= l.Extent; start += lanes {
		first, ok := g.indexAt(v, start)
		at := make([]uint64, lanes)
		for k := range at {
			x, _ := g.indexAt(v, start+int64(k))
			if x < first || x-first >= lanes || k > 0 && uint64(x-first) < at[k-1] || !ok {
				return nil
			}
			at[k] = uint64(x - first)
		}
		if n == nil {
			n = &near{last: int(at[lanes-1]), same: true, at: at}
			continue
		}
		if int(at[lanes-1]) != n.last {
			return nil
		}
		for k := range at {
			n.same = n.same && at[k] == n.at[k]
		}
	}
	return n
}

// indexAt returns what v, an integer, is in iteration i of the open lane loop; ok is false if it is negative or made of
// anything but that. Added to v may be what is the same in all lanes: it is left out.
func (g *gen) indexAt(v loop.Value, i int64) (x int64, ok bool) {
	in := g.nest.Inst(v)
	if in.Op == loop.Add {
		for k, a := range in.Operands() {
			if g.uniform(a) && g.nest.Inst(a).Op != loop.Const {
				return g.indexAt(in.Args[1-k], i)
			}
		}
	}
	return g.laneAt(v, i)
}

// laneAt is indexAt for a value to which nothing else is added.
func (g *gen) laneAt(v loop.Value, i int64) (x int64, ok bool) {
	in := g.nest.Inst(v)
	switch {
	case in.Kind != loop.I32:
		return 0, false
	case in.Op == loop.Const:
		return int64(uint32(in.Imm)), true
	case in.Op == loop.Index:
		return i, int(in.Imm) == g.lanes.loop.Var
	case len(in.Operands()) != 2:
		return 0, false
	}
	a, okA := g.laneAt(in.Args[0], i)
	b, okB := g.laneAt(in.Args[1], i)
	switch in.Op {
	case loop.Add:
		x = a + b
	case loop.Sub:
		x = a - b
	case loop.Mul:
		x = a * b
	case loop.MulHiU:
		x = a * b >> 32
	case loop.Shr:
		x = a >> min(b, 63)
	case loop.UDiv:
		x = a / max(b, 1)
	default:
		return 0, false
	}
	return x, okA && okB && x >= 0 && x < 1<<32 && (in.Op != loop.UDiv || b > 0)
}

// defineNear notes that v, which addresses use and r holds, has lanes that are near.
func (g *gen) defineNear(v loop.Value, r reg) {
	s := g.lanes
	if s.tail != nil || s.across != nil || s.moves || g.size(loop.I32) == asm.VL128 {
		delete(g.nears, v)
		return
	}
	if g.copy == 0 {
		delete(g.nears, v)
		if n := g.nearOf(v); n != nil {
			g.nears[v] = n
			if n.last > 0 && n.last+1 < s.lanes {
				n.mask = g.t.tailOf(s.lanes, n.last+1, 0).mask
			}
		}
	}
	n := g.nears[v]
	if n == nil {
		return
	}
	n.base[g.copy] = g.toGeneral(r, loop.I32)
	switch {
	case n.last == 0:
	case n.same:
		n.apart[g.copy] = g.c.lanes32(func(lane int) uint32 { return uint32(n.at[lane%len(n.at)]) })
	default:
		first := g.c.v(asm.VPBROADCASTD, g.size(loop.I32), r)
		n.apart[g.copy] = g.c.v(asm.VPSUBD, g.size(loop.I32), r, first)
	}
}

// loadNear is a load of all lanes by an index whose lanes are near; 0 if it takes another way.
func (g *gen) loadNear(a *loop.Access, at mem) reg {
	n := g.nears[a.Index]
	k := a.Mem.Kind()
	if n == nil || k.Bits() != 32 || n.mask != 0 && a.Mem.Bytes() < 4 && !g.t.masksNarrow() {
		return 0
	}
	at = g.indexed(at, n.base[g.copy], a.Mem.Bytes())
	if n.last == 0 {
		return g.loadSame(a.Mem, at)
	}
	return g.c.v(asm.VPERMD, g.size(k), n.apart[g.copy], g.t.loadUnit(a.Mem, at, n.mask))
}
