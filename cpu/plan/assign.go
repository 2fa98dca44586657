package plan

import (
	"cmp"
	"slices"
)

// alignment of buffers in the arena: a cache line, and the widest vector.
const alignment = 64

// interval is the time, in steps, from the first to the last use of a buffer.
type interval struct{ buffer, from, to int }

// assign gives every temporary buffer a place in the arena, so that two that are in use at the same
// time do not overlap: the largest first, each in the lowest gap that it fits.
func assign(p *Plan) {
	l := &lifetimes{from: make([]int, len(p.Buffers)), to: make([]int, len(p.Buffers))}
	for i := range l.from {
		l.from[i] = -1
	}
	l.sequence(p.Body)
	var todo []interval
	for n, b := range p.Buffers {
		if b.Kind == Temp && l.from[n] >= 0 && b.Bytes > 0 {
			todo = append(todo, interval{n, l.from[n], l.to[n]})
		}
	}
	slices.SortStableFunc(todo, func(a, b interval) int {
		return cmp.Compare(p.Buffers[b.buffer].Bytes, p.Buffers[a.buffer].Bytes)
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

// lifetimes numbers all steps, those inside of others too, and notes first and last uses.
type lifetimes struct {
	now      int
	from, to []int
}

func (l *lifetimes) touch(buffers []int) {
	for _, b := range buffers {
		if l.from[b] < 0 {
			l.from[b] = l.now
		}
		l.to[b] = l.now
	}
}

func (l *lifetimes) sequence(s *Sequence) {
	for _, st := range s.Steps {
		l.step(st)
	}
	l.now++
	l.touch(s.Result.Leaves(nil))
}

func (l *lifetimes) step(st Step) {
	l.now++
	switch st := st.(type) {
	case *While:
		l.while(st)
	case *Conditional:
		l.touch([]int{st.Index})
		for _, b := range st.Branches {
			l.sequence(b)
		}
		l.touch(st.Result.Leaves(nil))
	default:
		reads, writes := st.Uses()
		l.touch(reads)
		l.touch(writes)
	}
}

// while keeps alive to the end of the loop what was alive before it and is used in it.
func (l *lifetimes) while(w *While) {
	start := l.now
	l.touch(w.State.Leaves(nil))
	if w.Cond != nil {
		l.sequence(w.Cond)
	}
	l.sequence(w.Body)
	for _, c := range w.Back {
		l.step(c)
	}
	l.now++
	l.touch(w.State.Leaves(nil))
	reads, writes := w.Uses()
	for _, b := range slices.Concat(reads, writes) {
		if l.from[b] >= 0 && l.from[b] < start {
			l.to[b] = l.now
		}
	}
}
