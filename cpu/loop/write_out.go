package loop

import "slices"

// mostWrittenOut is the most iterations of a lane loop that are written out.
const mostWrittenOut = 8

// WriteOut writes lane loops of a few iterations out, in while loops, if they read what is stored there one by one:
//
//	store x[0] v1; store x[1] v2; lanes i < 2 { v3 = load x[i] .. }
//
// A processor hands a number that was stored to the load that reads the same bytes, but has a load of several wait
// until all of them have left for the cache. What is written out stores numbers one by one, too. Of the nest that
// WriteOut returns no instruction is made twice.
func WriteOut(n *Nest) *Nest {
	w := &outWriter{nest: n, single: map[int]bool{}, chosen: map[*Loop]bool{}}
	w.chooseAll()
	b := newBuilder(n.Name, len(n.Insts), len(n.Accesses))
	b.Stay = true
	same := make([]int, len(n.Buffers))
	for k, buf := range n.Buffers {
		same[k] = b.Buffer(buf)
	}
	j := &jammer{old: n, b: b, factor: 1, values: make([][]Value, len(n.Insts)), vars: make([]int, n.Vars),
		buffers: same, chosen: w.chosen, fixed: noneFixed(n)}
	j.block(n.Root)
	return b.Nest()
}

// outWriter looks for loops to write out.
type outWriter struct {
	nest   *Nest
	single map[int]bool   // buffers that numbers are stored to one by one
	chosen map[*Loop]bool // what is written out
}

func (w *outWriter) chooseAll() {
	for _, node := range w.nest.Root {
		if l := node.Loop; l != nil && l.Cond != 0 {
			for w.choose(l.Body, false) {
			}
		}
	}
}

// choose chooses loops in b, and reports whether it found more than it knew. lanes: b is in a lane loop that stays.
func (w *outWriter) choose(b Block, lanes bool) (more bool) {
	for _, node := range b {
		if l := node.Loop; l != nil {
			if l.Lanes && !w.chosen[l] && w.fits(l) {
				w.chosen[l], more = true, true
			}
			more = w.choose(l.Body, lanes || l.Lanes && !w.chosen[l]) || more
			continue
		}
		if i := w.nest.Inst(node.Value); i.Op == Store && !lanes {
			if buffer := w.nest.Accesses[i.Access].Buffer; !w.single[buffer] {
				w.single[buffer], more = true, true
			}
		}
	}
	return more
}

// fits reports whether l is to be written out: it has no loops, runs always, scans nothing, and reads single numbers.
func (w *outWriter) fits(l *Loop) bool {
	if l.Cond != 0 || l.When != nil || l.Extent > mostWrittenOut || l.Extent*int64(len(l.Body)) > 2*maxUnrolled ||
		slices.ContainsFunc(l.Body, func(node Node) bool { return node.Loop != nil }) ||
		slices.ContainsFunc(l.Carries, func(c Carry) bool { return c.Scan }) {
		return false
	}
	return slices.ContainsFunc(l.Body, func(node Node) bool {
		i := w.nest.Inst(node.Value)
		return i.Op == Load && w.single[w.nest.Accesses[i.Access].Buffer]
	})
}
