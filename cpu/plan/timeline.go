package plan

import (
	"slices"
)

// timeline numbers all steps of a plan, those inside of others too, in the order in which they run, and notes when
// each buffer is used. A buffer is written anew each time its sequence runs, before it is read; only the state of
// a loop comes from the iteration before.
type timeline struct {
	now int
	// uses are, by buffer, the times at which it is read or written, in order.
	uses [][]int
	// wrote are, by buffer, the times at which it is written, in order.
	wrote [][]int
	// loops are the times from the first to the last of each loop, inner ones in front of outer ones.
	loops []span
	// kernels are the kernels by time, and copies all copies, in their order.
	kernels map[int]*Kernel
	copies  []copyAt
}

// span is a time, both ends included.
type span struct{ from, to int }

func (s span) has(t int) bool { return s.from <= t && t <= s.to }

// copyAt is a copy and where it stands: after the body of a loop, at the end of a branch, or, with a span that
// is empty, anywhere else.
type copyAt struct {
	*Copy
	at           int
	body, branch span
}

var nowhere = span{0, -1}

func newTimeline(p *Plan) *timeline {
	t := &timeline{uses: make([][]int, len(p.Buffers)), wrote: make([][]int, len(p.Buffers)),
		kernels: map[int]*Kernel{}}
	room := make([]int, fewUses*len(p.Buffers))
	for b := range t.uses {
		t.uses[b] = room[fewUses*b:][:0:fewUses]
	}
	t.use(p.paramLeaves()...)
	t.sequence(p.Body, nowhere)
	return t
}

// fewUses is how many uses of a buffer there is room for at once.
const fewUses = 4

func (t *timeline) use(buffers ...int) {
	for _, b := range buffers {
		if n := len(t.uses[b]); n == 0 || t.uses[b][n-1] != t.now {
			t.uses[b] = append(t.uses[b], t.now)
		}
	}
}

// sequence goes through s, which is a branch or is not.
func (t *timeline) sequence(s *Sequence, branch span) {
	for _, st := range s.Steps {
		t.step(st, branch)
	}
	t.now++
	t.use(s.Result.Leaves(nil)...)
}

func (t *timeline) step(st Step, branch span) {
	t.now++
	switch st := st.(type) {
	case *While:
		t.while(st)
	case *Conditional:
		t.use(st.Index)
		for _, b := range st.Branches {
			t.now++
			t.sequence(b, span{t.now, t.now})
		}
		t.now++
		t.use(st.Result.Leaves(nil)...)
	default:
		switch st := st.(type) {
		case *Kernel:
			t.kernels[t.now] = st
		case *Copy:
			t.copies = append(t.copies, copyAt{st, t.now, nowhere, branch})
		}
		reads, writes := st.Uses()
		t.use(reads...)
		t.use(writes...)
		for _, b := range writes {
			t.wrote[b] = append(t.wrote[b], t.now)
		}
	}
}

func (t *timeline) while(w *While) {
	start := t.now
	t.use(w.State.Leaves(nil)...)
	for _, s := range w.Swaps() { // whose places are needed all the time
		t.use(s.From)
	}
	if w.Cond != nil {
		t.sequence(w.Cond, nowhere)
	}
	t.now++
	body := t.now
	t.sequence(w.Body, nowhere)
	for _, c := range w.Back {
		t.step(c, nowhere)
		if last := len(t.copies) - 1; last >= 0 && t.copies[last].Copy == c {
			t.copies[last].body = span{body, t.now}
		}
	}
	t.now++
	t.use(w.State.Leaves(nil)...)
	for _, s := range w.Swaps() {
		t.use(s.From)
	}
	t.loops = append(t.loops, span{start, t.now})
}

func (t *timeline) first(b int) int { return t.uses[b][0] }

func (t *timeline) last(b int) int { return t.uses[b][len(t.uses[b])-1] }

// life is the time for which a buffer keeps its value: from the first to the last use, and to the end of a loop in
// which it is used and before which it began.
func (t *timeline) life(b int) span {
	l := span{t.first(b), t.last(b)}
	for _, loop := range t.loops {
		if l.from < loop.from && loop.has(l.to) {
			l.to = loop.to
		}
	}
	return l
}

// between reports whether b is used at a time after from and before to.
func (t *timeline) between(b, from, to int) bool {
	at, found := slices.BinarySearch(t.uses[b], from)
	if found {
		at++
	}
	return at < len(t.uses[b]) && t.uses[b][at] < to
}

// join makes the uses of buffer from those of buffer to.
func (t *timeline) join(from, to int) {
	for _, times := range [][][]int{t.uses, t.wrote} {
		all := append(times[to], times[from]...)
		slices.Sort(all)
		times[to], times[from] = slices.Compact(all), nil
	}
}
