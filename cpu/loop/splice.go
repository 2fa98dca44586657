package loop

// Spliceable reports whether Splice takes n: it has no loop of unknown length.
func Spliceable(n *Nest) bool {
	ok := true
	n.Root.Walk(func(node Node, _ []*Loop) { ok = ok && (node.Loop == nil || node.Loop.Cond == 0) })
	return ok
}

// Splice adds what the nest n does where the caller stands: its buffer k is buffer buffers[k] of the nest that
// b makes, its parallel loops run one iteration after the other. Stores and loads of what is written keep their order.
func (b *Builder) Splice(n *Nest, buffers []int) {
	j := &jammer{old: n, b: b, factor: 1, values: make([][]Value, len(n.Insts)), vars: make([]int, n.Vars),
		buffers: buffers}
	j.block(n.Root)
}
