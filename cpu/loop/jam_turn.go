package loop

import "slices"

// apart reports whether b, what a loop without loops in it carries on, reads nothing twice for different iterations,
// nor lanes between those of others: each may be computed as a whole then, before the next one, so that few values are
// wanted at a time. Both parts of complex numbers are read by one iteration.
func (j *jammer) apart(b Block) bool {
	var read []*Access
	for _, n := range b {
		i := j.old.Inst(n.Value)
		if n.Loop != nil || i.Op == Store {
			return false
		}
		if i.Op == Load && j.depends[n.Value] {
			a := &j.old.Accesses[i.Access]
			if slices.ContainsFunc(a.Terms, j.spreads) {
				return false
			}
			for _, o := range read {
				if o.Buffer == a.Buffer && !j.partsOfOne(o, a) {
					return false
				}
			}
			read = append(read, a)
		}
	}
	return len(read) > 0
}

// partsOfOne reports whether what x and y read is never the same for different iterations: they are neighbours, and
// iterations are further apart.
func (j *jammer) partsOfOne(x, y *Access) bool {
	d := y.Offset - x.Offset
	return x.Index == 0 && y.Index == 0 && (d == 1 || d == -1) && slices.Equal(x.Terms, y.Terms) &&
		slices.ContainsFunc(x.Terms, func(t Term) bool { return t.Var == j.loop.Var && (t.Stride > 1 || t.Stride < -1) })
}

// spreads reports whether t is of a lane loop and leaves elements out.
func (j *jammer) spreads(t Term) bool {
	return t.Stride != 1 && j.lanes[t.Var]
}

// inTurn writes b, which is apart: first what is the same for all iterations.
func (j *jammer) inTurn(b Block) {
	for _, n := range b {
		if j.depends[n.Value] {
			j.values[n.Value] = j.list(j.factor)
			continue
		}
		j.values[n.Value] = j.list(1)
		j.values[n.Value][0] = j.inst(n.Value, 0)
	}
	for k := range j.factor {
		for _, n := range b {
			if j.depends[n.Value] {
				j.values[n.Value][k] = j.inst(n.Value, k)
			}
		}
	}
}

// storesTogether is how many of the first of b are stores to one buffer that differ between iterations: those of an
// iteration stay together, as the parts of complex numbers are written side by side.
func (j *jammer) storesTogether(b Block) (n int) {
	if !j.inside {
		return 0
	}
	for n < len(b) && b[n].Loop == nil && j.depends[b[n].Value] {
		i := j.old.Inst(b[n].Value)
		if i.Op != Store || j.old.Accesses[i.Access].Buffer != j.old.Accesses[j.old.Inst(b[0].Value).Access].Buffer {
			break
		}
		n++
	}
	return n
}

// storeInTurn writes the stores b of each iteration.
func (j *jammer) storeInTurn(b Block) {
	for k := range j.factor {
		for _, n := range b {
			j.inst(n.Value, k)
		}
	}
}
