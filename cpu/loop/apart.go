package loop

// Apart reports whether n and o surely have no byte in common of a piece of memory that is buffer b of n and buffer c
// of o.
func (n *Nest) Apart(b int, o *Nest, c int) bool {
	if n.whiles() || o.whiles() {
		return false
	}
	mine, others := n.extents(), o.extents()
	for i := range n.Accesses {
		x := &n.Accesses[i]
		if x.Buffer != b {
			continue
		}
		for k := range o.Accesses {
			y := &o.Accesses[k]
			if y.Buffer == c && (x.Index != 0 || y.Index != 0 || !x.bytes(mine).apart(y.bytes(others))) {
				return false
			}
		}
	}
	return true
}

// whiles reports whether there are loops of which nobody knows how many iterations they have.
func (n *Nest) whiles() bool {
	found := false
	n.Root.Walk(func(node Node, _ []*Loop) { found = found || node.Loop != nil && node.Loop.Cond != 0 })
	return found
}

// places are bytes: size of them from each from + the sum of strides times numbers below the extents.
type places struct {
	from, size       int64
	strides, extents []int64
}

// bytes are where a touches memory, in loops of such extents.
func (a *Access) bytes(extents []int64) places {
	size := a.Mem.Bytes()
	p := places{from: a.Offset * size, size: size}
	for _, t := range a.Terms {
		p.strides, p.extents = append(p.strides, t.Stride*size), append(p.extents, max(1, extents[t.Var]))
	}
	return p
}

// apart reports whether p and q surely have no byte in common: one ends before the other one begins, or they are
// columns of their own of rows of some length.
func (p places) apart(q places) bool {
	if lo, hi := p.within(0); q.outside(lo, hi, 0) {
		return true
	}
	for _, row := range append(append([]int64(nil), p.strides...), q.strides...) {
		row = max(row, -row)
		lo, hi := p.within(row)
		if row > 0 && hi <= row && q.outside(lo, hi, row) {
			return true
		}
	}
	return false
}

// outside reports whether all bytes of q are in front of lo or from hi on: in rows of so many bytes, unless that is 0.
func (q places) outside(lo, hi, row int64) bool {
	from, to := q.within(row)
	return (row == 0 || to <= row) && (to <= lo || hi <= from)
}

// within returns the first of the bytes and where they end: in rows of so many bytes, unless that is 0.
func (p places) within(row int64) (lo, hi int64) {
	lo, hi = p.from, p.from+p.size
	for k, stride := range p.strides {
		if row > 0 && stride%row == 0 {
			continue
		}
		far := stride * (p.extents[k] - 1)
		lo, hi = lo+min(0, far), hi+max(0, far)
	}
	if row > 0 {
		first := (lo%row + row) % row
		lo, hi = first, first+hi-lo
	}
	return lo, hi
}
