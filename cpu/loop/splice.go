package loop

import "slices"

// Spliceable reports whether n has no loop of unknown length.
func Spliceable(n *Nest) bool {
	ok := true
	n.Root.EachLoop(func(l *Loop) { ok = ok && l.Cond == 0 })
	return ok
}

// Splice adds what the nest n does where the caller stands: its buffer k is buffer buffers[k] of the nest that b
// makes. Its parallel loops run one iteration after the other, and short loops of little are unrolled; all loops are
// if whole is set, but those that scan. Stores and loads of what is written keep their order.
func (b *Builder) Splice(n *Nest, buffers []int, whole bool) {
	j := &jammer{old: n, b: b, factor: 1, values: make([][]Value, len(n.Insts)),
		vars: make([]int, n.Vars), buffers: buffers, unrollAll: whole, fixed: noneFixed(n)}
	j.block(n.Root)
}

// maxUnrolled is the most instructions that an unrolled loop becomes.
const maxUnrolled = 48

// unrolls reports whether l is unrolled: its copies are few instructions, and a lane loop adds up nothing and has as
// few iterations as WriteOut would write out.
func (j *jammer) unrolls(l *Loop) bool {
	if j.chosen != nil {
		return j.chosen[l]
	}
	if j.unrollAll {
		return !slices.ContainsFunc(l.Carries, func(c Carry) bool { return c.Scan })
	}
	if l.Lanes && (len(l.Carries) > 0 || l.Extent > mostWrittenOut) {
		return false
	}
	size := int64(0)
	l.Body.Walk(func(n Node, loops []*Loop) {
		times := int64(1)
		for _, in := range loops {
			times *= in.Extent
		}
		size += times
		if n.Loop != nil && n.Loop.Lanes && len(n.Loop.Carries) > 0 {
			size += maxUnrolled
		}
	})
	return size*l.Extent <= maxUnrolled
}

// unroll writes the iterations of l one after the other.
func (j *jammer) unroll(l *Loop) {
	for _, c := range l.Carries {
		j.values[c.Phi] = j.values[c.Init]
	}
	for n := range l.Extent {
		j.fixed[l.Var] = n
		j.block(l.Body)
		next := make([][]Value, len(l.Carries))
		for k, c := range l.Carries {
			next[k] = j.values[c.Next]
		}
		for k, c := range l.Carries {
			j.values[c.Phi] = next[k]
		}
	}
	j.fixed[l.Var] = -1
	for _, c := range l.Carries {
		j.values[c.Out] = j.values[c.Phi]
	}
}
