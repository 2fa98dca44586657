package loop

import "slices"

// Fit gives n, the nest of b or what it has become since, memory of just its size. What it was made in, which has room
// for more, is kept by b: see Again. What was made anew, by Jam, has memory of its own, and keeps what suits.
func (b *Builder) Fit(n *Nest) {
	if n != b.nest {
		n.Insts, n.Accesses = suited(n.Insts), suited(n.Accesses)
		return
	}
	made := *n
	b.nest = &made
	n.Buffers, n.Accesses, n.Insts = slices.Clone(n.Buffers), slices.Clone(n.Accesses), slices.Clone(n.Insts)
	terms, nodes := 0, len(n.Root)
	for k := range n.Accesses {
		terms += len(n.Accesses[k].Terms)
	}
	n.Root.EachLoop(func(l *Loop) { nodes += len(l.CondBody) + len(l.Body) })
	allTerms, allNodes := make([]Term, 0, terms), make(Block, 0, nodes)
	for k := range n.Accesses {
		moveTo(&allTerms, &n.Accesses[k].Terms)
	}
	moveTo(&allNodes, &n.Root)
	n.Root.EachLoop(func(l *Loop) {
		moveTo(&allNodes, &l.CondBody)
		moveTo(&allNodes, &l.Body)
	})
}

// suited returns s in memory that has not much room for more.
func suited[S ~[]T, T any](s S) S {
	if cap(s) > len(s)+len(s)/4 {
		return slices.Clone(s)
	}
	return s
}

// moveTo appends *s to *all, which has room for it, and lets *s be that part of it.
func moveTo[S ~[]T, T any](all *S, s *S) {
	if len(*s) == 0 {
		return
	}
	from := len(*all)
	*all = append(*all, *s...)
	*s = (*all)[from:len(*all):len(*all)]
}
