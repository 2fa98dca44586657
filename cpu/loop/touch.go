package loop

// Touch is what a nest touches of a buffer.
type Touch struct {
	Buffer int
	// Bytes is about how many bytes it touches.
	Bytes int64
	// Span is how far the places that it touches move from the first iteration of a loop to the last one, in bytes; 0:
	// all iterations touch the same ones; negative: nobody knows which.
	Span  int64
	Write bool
}

// Touches returns what the nest touches of the buffers that it shares with others, and how that moves with l.
func (n *Nest) Touches(l *Loop) []Touch {
	list := make([]Touch, len(n.Buffers))
	extents := n.extents()
	for k := range n.Accesses {
		a := &n.Accesses[k]
		t := &list[a.Buffer]
		bytes, span := a.Mem.Bytes(), int64(0)
		for _, term := range a.Terms {
			bytes *= max(1, extents[term.Var])
			if term.Var == l.Var {
				span = max(term.Stride, -term.Stride) * l.Extent * a.Mem.Bytes()
			}
		}
		if a.Index != 0 {
			bytes, span = n.Buffers[a.Buffer].Bytes, -1
		}
		t.Bytes = max(t.Bytes, bytes)
		if span < 0 {
			t.Span = -1
		} else if t.Span >= 0 {
			t.Span = max(t.Span, span)
		}
	}
	touched := list[:0]
	for b, t := range list {
		if buffer := &n.Buffers[b]; t.Bytes > 0 && !buffer.Scratch {
			touched = append(touched, Touch{b, min(t.Bytes, buffer.Bytes), t.Span, buffer.Write})
		}
	}
	return touched
}

// extents returns those of the loops, by variable.
func (n *Nest) extents() []int64 {
	list := make([]int64, n.Vars)
	n.Root.EachLoop(func(l *Loop) { list[l.Var] = l.Extent })
	return list
}
