package plan

import (
	"cmp"
	"slices"
	"sort"
)

// alignment of buffers in the arena: a cache line, and the widest vector.
const alignment = 64

// interval is the time for which a buffer keeps its value.
type interval struct {
	buffer int
	span
}

// assign gives every temporary buffer a place in the arena, so that two that are in use at the same
// time do not overlap: the largest first, each in the lowest gap that it fits.
func assign(p *Plan) {
	l := newTimeline(p)
	var todo []interval
	for n, b := range p.Buffers {
		if b.Kind == Temp && len(l.uses[n]) > 0 && b.Bytes > 0 {
			todo = append(todo, interval{n, l.life(n)})
		}
	}
	sort.SliceStable(todo, func(i, j int) bool {
		return p.Buffers[todo[i].buffer].Bytes > p.Buffers[todo[j].buffer].Bytes
	})
	var placed []interval // by offset
	for _, t := range todo {
		b := &p.Buffers[t.buffer]
		b.Offset = lowestGap(p, placed, t)
		at, _ := slices.BinarySearchFunc(placed, b.Offset, func(q interval, o int64) int {
			return cmp.Compare(p.Buffers[q.buffer].Offset, o)
		})
		placed = slices.Insert(placed, at, t)
		p.ArenaBytes = max(p.ArenaBytes, b.Offset+rounded(b.Bytes))
	}
}

func rounded(n int64) int64 { return (n + alignment - 1) / alignment * alignment }

// lowestGap is the lowest offset at which t overlaps nothing placed that lives at the same time.
func lowestGap(p *Plan, placed []interval, t interval) int64 {
	at := int64(0)
	need := rounded(p.Buffers[t.buffer].Bytes)
	for _, q := range placed {
		if q.to < t.from || t.to < q.from {
			continue
		}
		o := p.Buffers[q.buffer].Offset
		if at+need <= o {
			break
		}
		at = max(at, o+rounded(p.Buffers[q.buffer].Bytes))
	}
	return at
}
