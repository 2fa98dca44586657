package plan

import "slices"

// writers counts, by buffer, the steps that write to it. A copy of a buffer to itself, which is how the state of a loop
// keeps a value, is none.
func writers(p *Plan) []int {
	n := make([]int, len(p.Buffers))
	countWrites(p.Body.Steps, n)
	return n
}

func countWrites(steps []Step, n []int) {
	for _, st := range steps {
		if k, ok := st.(*Copy); ok && k.From == k.To {
			continue
		}
		if len(Inner(st)) == 0 {
			_, writes := st.Uses()
			for _, b := range writes {
				n[b]++
			}
		}
		for _, inner := range Inner(st) {
			countWrites(inner.Steps, n)
		}
		if w, ok := st.(*While); ok {
			countWrites(w.Back, n)
		}
		if c, ok := st.(*Conditional); ok {
			for _, b := range c.Result.Leaves(nil) {
				n[b]++
			}
		}
	}
}

// onlyRead reports whether copy k of one buffer to another only gives a value a second place, as nothing else writes to
// either: what a loop takes along in its state and does not change. Results have places of their own.
func (c *coalescer) onlyRead(k copyAt, from, to int) bool {
	x, y := &c.plan.Buffers[from], &c.plan.Buffers[to]
	if from == to || k.body != nowhere || k.branch != nowhere || y.Kind != Temp || y.Bytes == 0 || c.writes[to] != 1 ||
		!x.Shape.EqualIgnoringLayout(y.Shape) || slices.Contains(c.plan.Body.Result.Leaves(nil), k.To) {
		return false
	}
	return c.writes[from] == 0 && x.Kind != Temp || c.writes[from] == 1 && x.Kind == Temp
}

// readBefore reports whether copy k only gives a value a second place, which is read for the last time before the first
// place is written again: what an inner loop takes along in its state and does not change, and the loop around it does.
func (c *coalescer) readBefore(k copyAt, from, to int) bool {
	life := c.life(to)
	if c.writes[to] != 1 || life.from != k.at || c.isResult(to) ||
		slices.ContainsFunc(c.loops, func(l span) bool { return l.has(k.at) && l.to < life.to }) {
		return false
	}
	return !slices.ContainsFunc(c.wrote[from], func(at int) bool { return life.from < at && at <= life.to })
}

// isResult reports whether a result of the program is in buffer b.
func (c *coalescer) isResult(b int) bool {
	return slices.ContainsFunc(c.plan.Body.Result.Leaves(nil), func(r int) bool { return c.of(r) == b })
}
