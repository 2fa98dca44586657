package emit

import (
	"encoding/binary"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Lanes that go from one plane to the next, as pixels made of planes of colors do, find in each plane a few neighbours.
// In which way may differ from vector to vector, but is the same in every row: a table has, for each vector, where the
// neighbours of a plane begin, and which lanes want them. They are read at once and put there, plane by plane.

// runs is such a table: a record for each vector of lanes.
type runs struct {
	table asm.Label
	n     int         // runs of a vector, at most
	from  loop.Access // without what differs between lanes
}

const (
	// mostRuns is how many runs there are at most: less than what is gained.
	mostRuns = 4
	// A record has the places of the runs, then their masks, of runBytes each: the lanes times the scale of an address.
	runBytes   = 8
	runsScale  = 4
	runsLanes  = 16
	runsRecord = runsScale * runsLanes
)

// runsOf returns the table for the elements that the lane loop reads by a, nil if there is none.
func (g *gen) runsOf(a *loop.Access) *runs {
	l, wide := g.lanes.loop, g.c.target.AVX512 && g.lanes.lanes == runsLanes
	if !wide || a.Mem.Bytes() != 4 || l.Extent > mostFew || g.isRanged(l) {
		return nil
	}
	at := g.offsetsOf(a)
	if at == nil {
		return nil
	}
	t := &runs{from: g.fixedOf(a)}
	var table []byte
	for first := 0; first+runsLanes <= len(at); first += runsLanes {
		starts, masks := runsIn(at[first : first+runsLanes])
		if len(starts) > mostRuns {
			return nil
		}
		t.n = max(t.n, len(starts))
		var record [runsRecord]byte
		for k := range starts {
			binary.LittleEndian.PutUint64(record[runBytes*k:], uint64(starts[k]))
			binary.LittleEndian.PutUint64(record[runBytes*(mostRuns+k):], masks[k])
		}
		table = append(table, record[:]...)
	}
	if table == nil {
		return nil
	}
	t.table = g.c.asm.Data(table).Label
	return t
}

// runsIn cuts places of lanes into runs of neighbours, of which others may stand between: where they begin, and which
// lanes are of each.
func runsIn(at []int64) (starts []int64, masks []uint64) {
	var next []int64
	for lane, x := range at {
		k := 0
		for k < len(next) && next[k] != x {
			k++
		}
		if k == len(next) {
			starts, masks, next = append(starts, x), append(masks, 0), append(next, x)
		}
		masks[k] |= 1 << lane
		next[k]++
	}
	return starts, masks
}

// loadRuns is a load by such a table; 0 if it takes another way.
func (g *gen) loadRuns(a *loop.Access) reg {
	s := g.lanes
	if s.across != nil || s.moves || s.toLines != nil || s.tail != nil {
		return 0
	}
	t, known := g.runs[a]
	if !known {
		t = g.runsOf(a)
		if g.runs == nil {
			g.runs = map[*loop.Access]*runs{}
		}
		g.runs[a] = t
	}
	if t == nil {
		return 0
	}
	c := g.c
	record := mem{base: c.gload(asm.LEA, asm.W64, mem{label: t.table}), index: g.open(s.loop.Var).counter,
		scale: runsScale, disp: int64(g.copy) * runsRecord}
	var x reg
	for k := range int64(t.n) {
		at := g.indexed(g.address(&t.from), c.gload(asm.MOV, asm.W64, record.add(runBytes*k)), a.Mem.Bytes())
		mask := c.vm(asm.KMOVQ, 0, record.add(runBytes*(mostRuns+k)))
		next := c.vm(asm.VPEXPANDD, asm.VL512, at)
		if k == 0 {
			c.zeroing(mask)
		} else {
			c.merge(mask, x)
		}
		x = next
	}
	return x
}
