package emit

import (
	"cmp"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A kernel that goes over a row several times waits for memory the first time, and memory waits for it afterwards. So
// the second time over a row asks for the next one: of what is in the last cache, or in the second one where that pays;
// of what is in none, see far.go.

const (
	// leastAhead is from how many bytes on a buffer is not in the second cache.
	leastAhead = 1 << 20
	// mostAhead is the most bytes of a row that is asked for: several stay in the second cache, whatever else is there.
	mostAhead = 64 << 10
	// mostNear is the most bytes of a row that goes to the first cache.
	mostNear = 8 << 10
	line     = 64
)

// findAhead lists the loads that go over rows for the second time, by how far behind the next row is.
func (g *gen) findAhead() {
	g.ahead = map[*loop.Access]int64{}
	g.nest.Root.EachLoop(func(l *loop.Loop) {
		if !l.Lanes && l.Cond == 0 && l.Extent > 1 {
			g.aheadIn(l)
		}
	})
}

// rowOf is what a lane loop in a loop over rows reads of each.
type rowOf struct {
	buffer         int
	offset, stride int64
	mem            loop.Mem
}

// aheadIn does so for the lane loops that stand in l side by side.
func (g *gen) aheadIn(l *loop.Loop) {
	goes := func(n loop.Node) bool { return n.Loop != nil && n.Loop.Lanes && n.Loop.When == nil }
	first := slices.IndexFunc(l.Body, goes)
	if first < 0 || !slices.ContainsFunc(l.Body[first+1:], goes) {
		return
	}
	times, from := map[rowOf]int{}, cmp.Or(g.c.target.AheadFrom, leastAhead)
	for _, n := range l.Body[first:] {
		if !goes(n) {
			continue
		}
		seen := map[rowOf]bool{}
		for _, m := range n.Loop.Body {
			if m.Loop != nil || g.nest.Inst(m.Value).Op != loop.Load {
				continue
			}
			a := &g.nest.Accesses[g.nest.Inst(m.Value).Access]
			b := &g.nest.Buffers[a.Buffer]
			r := rowOf{a.Buffer, a.Offset, stride(a, l.Var), a.Mem}
			bytes := n.Loop.Extent * a.Mem.Bytes()
			if a.Index != 0 || stride(a, n.Loop.Var) != a.Mem.Bytes() || r.stride == 0 ||
				b.Write || b.Bytes < from || g.isFar(b) || bytes > mostAhead || seen[r] {
				continue
			}
			seen[r] = true
			if times[r]++; times[r] == 2 {
				g.ahead[a] = r.stride
			}
		}
	}
}

// askAhead asks for what the next row has at the place of a, which is at.
func (g *gen) askAhead(a *loop.Access, at mem) {
	g.askLater(a, at)
	g.askAlong(a, at)
	g.askFar(a, at)
	s := g.lanes
	apart := g.ahead[a]
	if apart == 0 || s.tail != nil || int64(g.copy*s.apart())*a.Mem.Bytes()%line != 0 {
		return
	}
	g.c.hint(s.askingRow(a), at.add(apart))
}

// askingRow is the instruction that asks for rows as long as the one that a goes over.
func (s *laneState) askingRow(a *loop.Access) asm.Op {
	if s.loop.Extent*a.Mem.Bytes() <= mostNear {
		return asm.PREFETCHT0
	}
	return asm.PREFETCHT1
}

// hint is op [m], an instruction without a result.
func (c *code) hint(op asm.Op, m mem) {
	i := ins{in: inst(op, asm.W8, 1), def: -1}
	c.place(&i, m, asm.InLoad)
	c.add(i)
}
